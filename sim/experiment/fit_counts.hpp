// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/experiment.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// How many parameters each calibration fitted to how many targets: what a ledger's fit is worth.
class FitCounts {
public:
    /// Reads the calibrations that the experiments name. Throws config::ConfigError for a bad one.
    explicit FitCounts(const std::vector<Experiment>& experiments);

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool too_many_parameters() const;

private:
    struct Count {
        std::string calibration;
        std::size_t parameters = 0;
        std::size_t targets = 0;
    };

    std::vector<Count> counts_;
};

}  // namespace idlesim
