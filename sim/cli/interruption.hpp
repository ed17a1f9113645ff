// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace idlesim {

/// From now on SIGINT and SIGTERM only ask the work to stop; another one, half a second later or
/// more, ends the program. A file size limit becomes an error of the write.
void catch_interruptions();

/// Becomes true with the first of them.
[[nodiscard]] const std::atomic<bool>& stop_requested();

/// 130 after SIGINT, 143 after SIGTERM.
[[nodiscard]] int interrupted_status();

}  // namespace idlesim
