// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace idlesim {

/// Number of processors that this process may use.
[[nodiscard]] int available_jobs();

/// Calls work(0) ... work(count - 1) on `jobs` threads, in any order. When calls throw, no further
/// ones are begun and the exception of the lowest index is thrown here.
void parallel_for(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

}  // namespace idlesim
