// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/sweep.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <string>

namespace idlesim {

/// A small experiment that runs in a millisecond, and a sweep of it in a folder of its own.
class SweepFiles {
public:
    static constexpr const char* kHead =
        "title: t\n"
        "experiment:\n"
        "  platform: amd-zen3-server\n"
        "  kernel: { version: \"5.18\", hz: 250, cpuidle: none }\n"
        "  workload: { kind: ipi_wake, source_cpu: 0, target_cpu: 2, wakeups: 50 }\n"
        "  arms:\n"
        "    hlt: { idle: { strategy: hlt } }\n"
        "    mwait: { idle: { strategy: mwait_c1 } }\n"
        "  replications: 2\n"
        "metrics:\n"
        "  - { metric: wake_latency, stats: [p50] }\n"
        "  - { metric: wake_latency, stats: [p50], delta: true }\n";

    /// The sweep with these lines below the experiment.
    explicit SweepFiles(const std::string& axes) { write(axes); }

    void write(const std::string& axes) const { folder_.write("s.yaml", kHead + axes); }

    [[nodiscard]] std::filesystem::path path(const std::string& name) const {
        return folder_.path() / name;
    }

    [[nodiscard]] std::string read(const std::string& name) const { return folder_.read(name); }

    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

    [[nodiscard]] Sweep load(const LoadOptions& options = {}) const {
        return load_sweep(path("s.yaml"), options);
    }

    /// What is wrong with the sweep.
    [[nodiscard]] std::string complaint() const {
        config::Diagnostics diagnostics;
        static_cast<void>(load_sweep(path("s.yaml"), {}, diagnostics));
        return diagnostics.render();
    }

private:
    ScratchFolder folder_;
};

}  // namespace idlesim
