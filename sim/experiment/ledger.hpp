// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/prior_range.hpp"
#include "sim/experiment/simulate.hpp"
#include "sim/output/csv.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// One line of the ledger: a target of an experiment, judged.
struct LedgerRow {
    std::string experiment;
    Target target;
    std::string unit;
    Judgement judgement;
    Interval prior;  ///< over the platform's assumed costs; unknown where it was not asked for
};

/// All targets of an experiment, in file order. `priors` has one entry per target, or none.
[[nodiscard]] std::vector<LedgerRow> judge_targets(const Experiment& experiment,
                                                   const std::vector<ArmResult>& results,
                                                   const std::vector<PriorRange>& priors);

/// targets.csv and ledger.csv.
[[nodiscard]] CsvTable ledger_csv(const std::vector<LedgerRow>& rows);

/// For people: a table, the missed ones explained, and the counts.
[[nodiscard]] std::string ledger_text(const std::vector<LedgerRow>& rows);

[[nodiscard]] bool any_missed(const std::vector<LedgerRow>& rows);

}  // namespace idlesim
