// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace idlesim {

/// A number of occurrences. Values are plain, so a warm-up is removed by subtracting the snapshot
/// taken at its end from the one taken at the end of the run.
class Counter {
public:
    using Snapshot = std::int64_t;

    void add(std::int64_t n = 1) { value_ += n; }

    [[nodiscard]] Snapshot snapshot() const { return value_; }

private:
    std::int64_t value_ = 0;
};

}  // namespace idlesim
