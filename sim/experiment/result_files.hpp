// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/ledger.hpp"
#include "sim/experiment/simulate.hpp"
#include "sim/output/result_directory.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// `format_version` of info.yml: of the files of a result and their columns.
inline constexpr int kResultFormatVersion = 1;

/// Writes every file of an experiment's result into the directory and puts it in place.
/// `command` repeats the run.
void write_result(ResultDirectory& directory,
                  const Experiment& experiment,
                  const std::vector<ArmResult>& results,
                  const std::vector<LedgerRow>& ledger,
                  const std::string& command,
                  int jobs);

/// The manifest of any directory that idlesim writes: what, when, where, from which version.
/// `more` are further lines of YAML.
[[nodiscard]] std::string info_text(const std::string& report,
                                    const std::string& command,
                                    const std::string& more);

}  // namespace idlesim
