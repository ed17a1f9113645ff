// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace idlesim {

void check_failed(const char* condition, const char* message, const char* file, int line) {
    static_cast<void>(std::fprintf(stderr,
                                   "idlesim: internal error: %s\n  expected: %s\n  at %s:%d\n",
                                   message,
                                   condition,
                                   file,
                                   line));
    std::abort();
}

}  // namespace idlesim
