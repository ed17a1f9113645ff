// SPDX-License-Identifier: Apache-2.0
#include "sim/config/suggest.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim::config {
namespace {

/// Words beyond this length are no slips of a typist.
constexpr std::size_t kLongestWord = 64;

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> cost((a.size() + 1) * width);
    const auto at = [&cost, width](std::size_t i, std::size_t j) -> std::size_t& {
        return cost[i * width + j];
    };
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                at(i, j) = i + j;
                continue;
            }
            const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
            at(i, j) =
                std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
            }
        }
    }
    return cost.back();
}

/// The candidates that begin with the word, where it is more than a letter or two.
std::vector<std::string> completions(std::string_view word,
                                     const std::vector<std::string>& candidates) {
    constexpr std::size_t kShortestBeginning = 3;
    std::vector<std::string> result;
    for (const std::string& candidate : candidates) {
        if (word.size() >= kShortestBeginning && candidate.starts_with(word)) {
            result.push_back(candidate);
        }
    }
    return result;
}

}  // namespace

std::optional<std::string> suggest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
    if (word.size() > kLongestWord) {
        return std::nullopt;
    }
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::optional<std::string> result;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > 2 * kLongestWord) {
            continue;
        }
        if (const std::size_t d = distance(word, candidate); d < best) {
            best = d;
            result = candidate;
        }
    }
    if (!result) {
        const std::vector<std::string> longer = completions(word, candidates);
        return longer.size() == 1 ? std::optional{longer.front()} : std::nullopt;
    }
    return result;
}

std::string suggestion_text(std::string_view word,
                            std::string_view things,
                            const std::vector<std::string>& candidates) {
    if (const std::optional<std::string> near = suggest(word, candidates)) {
        return fmt::format("; did you mean '{}'?", *near);
    }
    if (candidates.empty()) {
        return fmt::format("; there are no {}", things);
    }
    const std::vector<std::string> longer = completions(word, candidates);
    return fmt::format(
        "; known {}: {}", things, fmt::join(longer.empty() ? candidates : longer, ", "));
}

}  // namespace idlesim::config
