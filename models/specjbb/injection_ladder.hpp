// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <map>
#include <optional>
#include <vector>

namespace idlesim {

/// Which steps of the response-throughput curve are measured.
enum class LadderSearch {
    bisection,  ///< those around the service level agreements, then those around the first failure
    full,       ///< every one, from the lowest up to the first that is not sustained
};

/// What one agreement is worth, from the steps around it. The real report combines the steps
/// between the first failure and the last success; how exactly is not published.
enum class AgreementRule {
    interpolated,  ///< where the curve between the two steps crosses
    last_success,  ///< the last step before the first failure
    mean,          ///< of the first failure and the last success
    weighted,      ///< of the two, by how many steps between them pass and fail
};

/// A step of the curve, measured.
struct LadderStep {
    Duration p50{};
    Duration p99{};
    Duration pause{};  ///< mean
    bool is_sustained = true;
    double served_share = 1;  ///< of the requests that arrived; the others wait at its end
};

/// The injection rates of SPECjbb2015's response-throughput curve, in percent of the settled high
/// bound, and what comes out of it. Knows no machine.
class InjectionLadder {
public:
    static constexpr int kLastPercent = 100;

    InjectionLadder(LadderSearch search, AgreementRule rule, std::vector<Duration> agreements)
        : search_{search}, rule_{rule}, agreements_{std::move(agreements)} {}

    /// The step to be measured next, in percent; nothing when it is done.
    [[nodiscard]] std::optional<int> next() const;

    void add(int percent, const LadderStep& step) { steps_[percent] = step; }

    /// By percent, rising.
    [[nodiscard]] const std::map<int, LadderStep>& steps() const { return steps_; }

    /// Percent at which the 99th percentile meets each agreement, in their order.
    [[nodiscard]] std::vector<double> percents() const;

    /// Their geometric mean.
    [[nodiscard]] double critical_percent() const;

    /// The last step that was sustained before the first that was not; 0: not even the first.
    [[nodiscard]] int sustained_percent() const { return sustained().success; }

private:
    /// The last step that succeeds before the first that fails.
    struct Bracket {
        int success = 0;
        int failure = kLastPercent + 1;
    };

    template <typename Succeeds>
    [[nodiscard]] Bracket bracket_of(Succeeds succeeds) const;
    [[nodiscard]] Bracket bracket(Duration agreement) const;
    [[nodiscard]] Bracket sustained() const;
    [[nodiscard]] double value(Duration agreement) const;
    [[nodiscard]] double weighted(Duration agreement, const Bracket& found) const;

    LadderSearch search_;
    AgreementRule rule_;
    std::vector<Duration> agreements_;
    std::map<int, LadderStep> steps_;
};

}  // namespace idlesim
