// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/calibration.hpp"
#include "sim/output/csv.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// A calibration under one reading, fitted, and what that predicts for the targets it did not see.
struct ReadingResult {
    std::string name;
    Calibration calibration;
    CalibrationFit fit;
    std::vector<double> predictions;  ///< of calibration.other_targets()
    std::vector<Interval> priors;     ///< of the same, over the assumed costs; may be empty
};

/// For people: parameters, fit targets, and what they say together.
[[nodiscard]] std::string fit_text(const ReadingResult& result);

/// For people: what each reading predicts beside what was published. Empty without readings.
[[nodiscard]] std::string readings_text(const std::vector<ReadingResult>& results);

/// readings.csv: one row per reading and target, fitted ones included.
[[nodiscard]] CsvTable readings_csv(const std::vector<ReadingResult>& results);

}  // namespace idlesim
