// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <string>

namespace idlesim {

/// What `perf bench sched pipe` prints after so many operations, byte for byte as perf 6.1 does.
[[nodiscard]] std::string sched_pipe_summary(std::int64_t operations, Duration elapsed);

}  // namespace idlesim
