// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/arrivals/recorded_wakes.hpp"
#include "models/scenario.hpp"
#include "sim/config/diagnostics.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace idlesim {

/// The wake-ups in ftrace text: each recorded idle interval that something else than the tick has
/// ended is one, at its end. What the CPU computed until it slept again is its work; wake-ups of
/// the same idle loop have none. Throws config::ConfigError for what is no such trace.
[[nodiscard]] RecordedWakes read_recorded_wakes(const std::string& path);

/// Recordings that have been read: arms and points share them. From any thread.
class Recordings {
public:
    /// Throws config::ConfigError as read_recorded_wakes().
    [[nodiscard]] std::shared_ptr<const RecordedWakes> read(const std::string& path);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const RecordedWakes>> by_path_;
};

/// Reads the recording that the scenario's workload names, if it names one: beside the file
/// `naming_file`, then in experiments/traces of the data folders.
void read_recording(Scenario& scenario,
                    const std::filesystem::path& naming_file,
                    Recordings& recordings,
                    config::Diagnostics& diagnostics);

}  // namespace idlesim
