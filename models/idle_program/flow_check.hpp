// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/idle_program/operation.hpp"
#include "sim/config/diagnostics.hpp"

#include <vector>

namespace idlesim {

/// Walks every way through a program whose labels are known, with IF and TIF_POLLING_NRFLAG as they
/// are on it, and reports what no way may do: end with either set, halt while a remote waker would
/// only store, go round without time passing, or never come to the end. False after an error.
bool check_flow(const std::vector<Operation>& operations, config::Diagnostics& diagnostics);

}  // namespace idlesim
