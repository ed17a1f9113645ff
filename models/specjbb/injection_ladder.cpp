// SPDX-License-Identifier: Apache-2.0
#include "models/specjbb/injection_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace idlesim {

namespace {

bool keeps(const LadderStep& step, Duration agreement) {
    return step.is_sustained && step.p99 <= agreement;
}

}  // namespace

template <typename Succeeds>
InjectionLadder::Bracket InjectionLadder::bracket_of(Succeeds succeeds) const {
    Bracket found;
    for (const auto& [percent, step] : steps_) {
        if (!succeeds(step)) {
            found.failure = percent;
            break;
        }
        found.success = percent;
    }
    return found;
}

InjectionLadder::Bracket InjectionLadder::bracket(Duration agreement) const {
    return bracket_of([agreement](const LadderStep& step) { return keeps(step, agreement); });
}

InjectionLadder::Bracket InjectionLadder::sustained() const {
    return bracket_of([](const LadderStep& step) { return step.is_sustained; });
}

// Bisection begins with the loosest agreement, whose steps narrow the others down. What can still
// be sustained comes last: its steps are above all of them.
std::optional<int> InjectionLadder::next() const {
    if (search_ == LadderSearch::full) {
        if (steps_.empty()) {
            return 1;
        }
        const auto& [percent, step] = *steps_.rbegin();
        const bool goes_on = step.is_sustained && percent < kLastPercent;
        return goes_on ? std::optional{percent + 1} : std::nullopt;
    }
    for (auto agreement = agreements_.rbegin(); agreement != agreements_.rend(); ++agreement) {
        const Bracket found = bracket(*agreement);
        if (found.failure - found.success > 1) {
            return (found.failure + found.success) / 2;
        }
    }
    const Bracket found = sustained();
    if (found.failure - found.success > 1) {
        return (found.failure + found.success) / 2;
    }
    return std::nullopt;
}

// Of the steps from the first failure to the last success, both included.
double InjectionLadder::weighted(Duration agreement, const Bracket& found) const {
    int last_success = found.success;
    for (const auto& [percent, step] : steps_) {
        last_success = keeps(step, agreement) ? percent : last_success;
    }
    const auto [from, to] = std::minmax(found.failure, last_success);
    double passes = 0;
    double fails = 0;
    for (const auto& [percent, step] : steps_) {
        if (percent >= from && percent <= to) {
            (keeps(step, agreement) ? passes : fails) += 1;
        }
    }
    return passes + fails > 0 ? (found.failure * fails + last_success * passes) / (passes + fails)
                              : found.success;
}

double InjectionLadder::value(Duration agreement) const {
    const Bracket found = bracket(agreement);
    if (found.failure > kLastPercent) {
        return found.success;
    }
    switch (rule_) {
        case AgreementRule::last_success:
            return found.success;
        case AgreementRule::mean:
            return (found.success + found.failure) / 2.0;
        case AgreementRule::weighted:
            return weighted(agreement, found);
        case AgreementRule::interpolated:
            break;
    }
    const auto before = steps_.find(found.success);
    const double low =
        before == steps_.end() ? 0.0 : static_cast<double>(before->second.p99.count());
    const auto high = static_cast<double>(steps_.at(found.failure).p99.count());
    const auto wanted = static_cast<double>(agreement.count());
    const double share = high > wanted ? (wanted - low) / (high - low) : 0.0;
    return found.success + share * (found.failure - found.success);
}

std::vector<double> InjectionLadder::percents() const {
    std::vector<double> all;
    std::transform(agreements_.begin(),
                   agreements_.end(),
                   std::back_inserter(all),
                   [this](Duration agreement) { return value(agreement); });
    return all;
}

double InjectionLadder::critical_percent() const {
    double logarithms = 0;
    for (const double percent : percents()) {
        if (percent <= 0) {
            return 0;
        }
        logarithms += std::log(percent);
    }
    return std::exp(logarithms / static_cast<double>(agreements_.size()));
}

}  // namespace idlesim
