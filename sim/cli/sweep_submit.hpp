// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/command_line.hpp"
#include "sim/experiment/sweep.hpp"

namespace idlesim {

/// `idlesim sweep SWEEP.yaml --submit slurm`: hands the sweep to a cluster, or prints the scripts.
int submit_sweep(const Sweep& sweep, const Arguments& arguments);

/// `idlesim sweep --status DIR`: how far a sweep is. kAnswerIsNo while something is missing.
int print_status(const Arguments& arguments);

}  // namespace idlesim
