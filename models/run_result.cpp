// SPDX-License-Identifier: Apache-2.0
#include "models/run_result.hpp"

#include <utility>

namespace idlesim {

void Findings::add(Finding finding) {
    if (counts_[finding.kind]++ < kKeptOfAKind) {
        kept_.push_back(std::move(finding));
    }
}

std::uint64_t Findings::count(std::string_view kind) const {
    const auto found = counts_.find(kind);
    return found == counts_.end() ? 0 : found->second;
}

}  // namespace idlesim
