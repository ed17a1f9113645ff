// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/ledger.hpp"
#include "sim/experiment/simulate.hpp"
#include "sim/output/result_directory.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// `format_version` of info.yml: of the files of a result, their columns included.
inline constexpr int kResultFormatVersion = 1;

/// How the files of a result are written.
struct WriteOptions {
    std::string command;  ///< repeats the run
    int jobs = 1;
    bool zstd = false;  ///< samples.csv.zst instead of samples.csv
};

/// Writes every file of an experiment's result into the directory and puts it in place.
void write_result(ResultDirectory& directory,
                  const Experiment& experiment,
                  const std::vector<ArmResult>& results,
                  const std::vector<LedgerRow>& ledger,
                  const WriteOptions& options);

/// The manifest of any directory that idlesim writes: what, when, where, from which version.
/// `more` are further lines of YAML.
[[nodiscard]] std::string info_text(const std::string& report,
                                    const std::string& command,
                                    const std::string& more);

}  // namespace idlesim
