// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/simulate.hpp"
#include "sim/output/csv.hpp"

#include <string>
#include <vector>

namespace idlesim {

// The tables of a result, one function a file.

[[nodiscard]] CsvTable summary_csv(const Experiment& experiment,
                                   const std::vector<ArmResult>& results);
[[nodiscard]] CsvTable comparison_csv(const Experiment& experiment,
                                      const std::vector<ArmResult>& results);
/// A finding's detail begins with the arm and replication that it belongs to.
[[nodiscard]] CsvTable findings_csv(const Experiment& experiment,
                                    const std::vector<ArmResult>& results);
[[nodiscard]] CsvTable breakdown_csv(const ArmResult& arm);
[[nodiscard]] CsvTable cpuidle_csv(const ArmResult& arm);
/// What ended the idle intervals: a row for each replication, CPU and cause.
[[nodiscard]] CsvTable wakes_csv(const ArmResult& arm);
/// The response-throughput curves of specjbb: a row for each replication and measured step.
[[nodiscard]] CsvTable load_curve_csv(const ArmResult& arm);

/// For people: one line per arm and metric, then a sentence per pair of arms.
[[nodiscard]] std::string summary_text(const Experiment& experiment,
                                       const std::vector<ArmResult>& results);

}  // namespace idlesim
