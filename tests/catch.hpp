// SPDX-License-Identifier: Apache-2.0
#pragma once

// Debian 12 has Catch2 v2, later releases have v3: this header is the only place that knows.
// Where the two spell a thing differently, tests use the spelling of v3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

using Catch::Approx;
#else
#include <catch2/catch.hpp>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& part) {
    return Contains(part);
}

}  // namespace Catch::Matchers
#endif
