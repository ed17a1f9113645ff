// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace idlesim {

/// Prints what was expected, why and where, then aborts.
[[noreturn]] void check_failed(const char* condition,
                               const char* message,
                               const char* file,
                               int line);

}  // namespace idlesim

/// States an invariant of the program. A violation is our bug, never the user's: it ends the
/// program with a message, in release builds too. User errors are exceptions
/// (sim/engine/error.hpp).
#define IDLESIM_CHECK(condition, message) \
    ((condition) ? static_cast<void>(0)   \
                 : ::idlesim::check_failed(#condition, message, __FILE__, __LINE__))
