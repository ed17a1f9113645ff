// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/stats/load_curve.hpp"

#include <string>

namespace idlesim {

/// The lines of SPECjbb2015's controller log that scripts read: one a step of the
/// response-throughput curve, then RUN RESULT. Steps that were not measured have no line, and time
/// stamps are nominal. So is tPR, the transactions that the processed requests become: in the
/// tool's logs 14.4 to 15.1 of each, whatever the load; here always the same.
std::string specjbb_log(const LoadCurve& curve);

/// The keys of its .raw file that hold the result: max-jOPS, critical-jOPS, and one for each
/// agreement, in microseconds.
std::string specjbb_raw(const LoadCurve& curve);

}  // namespace idlesim
