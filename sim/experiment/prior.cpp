// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/prior.hpp"

#include "sim/engine/random.hpp"
#include "sim/experiment/data_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

using Draws = std::vector<std::vector<Override>>;

constexpr std::uint64_t kDrawSeed = 1;
constexpr int kSignificantDigits = 6;
constexpr int kChordSteps = 3;
constexpr double kDerivativeStep = 0.02;

/// A random order of 0 .. n-1 (Fisher and Yates).
std::vector<int> shuffled(int n, RandomStream& random) {
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) {
        const auto other = static_cast<std::size_t>(random.uniform() * static_cast<double>(i));
        std::swap(order[i - 1], order[std::min(other, i - 1)]);
    }
    return order;
}

std::vector<Override> with(std::vector<Override> draw, const std::vector<Override>& more) {
    draw.insert(draw.end(), more.begin(), more.end());
    return draw;
}

std::vector<double> middle(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> between;
    for (std::size_t i = 0; i < a.size(); ++i) {
        between.push_back((a[i] + b[i]) / 2);
    }
    return between;
}

double squares(const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

}  // namespace

Draws prior_draws(const PlatformSpec& platform, int draws) {
    Draws all(static_cast<std::size_t>(draws));
    for (const AssumedCost& cost : assumed_costs(platform)) {
        const auto low = parse_quantity(cost.low);
        const auto high = parse_quantity(cost.high);
        const auto* from = std::get_if<Quantity>(&low);
        const auto* to = std::get_if<Quantity>(&high);
        if (from == nullptr || to == nullptr) {
            continue;
        }
        // A stream of its own for each cost: another cost in the platform moves none of these.
        RandomStream random{kDrawSeed, "prior." + cost.path};
        const std::vector<int> strata = shuffled(draws, random);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double place = (strata[i] + random.uniform()) / draws;
            const double value = from->value + (to->value - from->value) * place;
            all[i].push_back({cost.path, write_quantity({from->form, value}, kSignificantDigits)});
        }
    }
    return all;
}

Draws refitted_draws(const Calibration& calibration,
                     const Draws& draws,
                     const std::vector<double>& start,
                     int jobs,
                     const std::atomic<bool>* stop) {
    const std::vector<TargetRef> targets = calibration.fit_targets();
    const auto residuals_at = [&](const Draws& points) {
        std::vector<std::vector<double>> answers;
        for (const std::vector<double>& simulated : simulated_values(targets, points, jobs, stop)) {
            answers.push_back(residuals(targets, simulated));
        }
        return answers;
    };
    const LinearModel model = LinearModel::at(
        calibration.bounds(),
        start,
        [&](const std::vector<std::vector<double>>& points) {
            Draws overrides;
            for (const std::vector<double>& point : points) {
                overrides.push_back(calibration.at(point));
            }
            return residuals_at(overrides);
        },
        kDerivativeStep);

    std::vector<std::vector<double>> values(draws.size(), start);
    std::vector<std::vector<double>> best = values;
    std::vector<double> least(draws.size(), std::numeric_limits<double>::infinity());
    for (int step = 0; step <= kChordSteps; ++step) {
        Draws points;
        for (std::size_t i = 0; i < draws.size(); ++i) {
            points.push_back(with(draws[i], calibration.at(values[i])));
        }
        const std::vector<std::vector<double>> answers = residuals_at(points);
        for (std::size_t i = 0; i < draws.size(); ++i) {
            if (squares(answers[i]) < least[i]) {
                least[i] = squares(answers[i]);
                best[i] = values[i];
            }
            values[i] = std::isfinite(squares(answers[i])) ? model.next(values[i], answers[i])
                                                           : middle(values[i], best[i]);
        }
    }
    Draws refitted;
    for (std::size_t i = 0; i < draws.size(); ++i) {
        refitted.push_back(with(draws[i], calibration.at(best[i])));
    }
    return refitted;
}

std::vector<Interval> ranges_over(const std::vector<TargetRef>& targets,
                                  const Draws& draws,
                                  int jobs,
                                  const std::atomic<bool>* stop) {
    std::vector<Interval> ranges(targets.size());
    for (const std::vector<double>& values : simulated_values(targets, draws, jobs, stop)) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isnan(values[i])) {
                continue;
            }
            Interval& range = ranges[i];
            range = range.known()
                        ? Interval{std::min(range.low, values[i]), std::max(range.high, values[i])}
                        : Interval{values[i], values[i]};
        }
    }
    return ranges;
}

PriorRanges::PriorRanges(LoadOptions options, int jobs, const std::atomic<bool>* stop)
    : options_{std::move(options)}, jobs_{jobs}, stop_{stop} {
    options_.replications = 1;
    options_.brief = true;
}

const Draws& PriorRanges::draws_of(const Experiment& experiment) {
    const PriorSettings& prior = experiment.settings.prior;
    const PlatformSpec& platform = experiment.arms.front().scenario.platform;
    const config::Located<std::string>& name = experiment.settings.calibration;
    const std::string key = fmt::format(
        "{} {} {}", name.value, prior.draws, name.value.empty() ? experiment.path.string() : "");
    if (const auto known = draws_.find(key); known != draws_.end()) {
        return known->second;
    }
    Draws draws = prior_draws(platform, prior.draws);
    if (!name.value.empty() && !draws.front().empty()) {
        const auto found = find_data_file(name.value, experiment.path, "experiments");
        if (!found) {
            config::Diagnostics diagnostics;
            diagnostics.error(name.location,
                              fmt::format("there is no calibration '{}'", name.value));
            diagnostics.throw_if_errors();
        }
        const Calibration calibration = load_calibration(displayed(found->path), options_);
        draws = refitted_draws(calibration, draws, calibration.current_values(), jobs_, stop_);
    }
    return draws_[key] = std::move(draws);
}

std::vector<PriorRange> PriorRanges::of(const Experiment& experiment) {
    std::vector<PriorRange> ranges(experiment.settings.targets.size());
    const Experiment brief = load_experiment(experiment.path, options_);
    std::vector<TargetRef> targets;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (brief.settings.targets[i].use != Use::fit) {
            targets.push_back({&brief, &brief.settings.targets[i]});
            places.push_back(i);
        }
    }
    if (targets.empty()) {
        return ranges;
    }
    const Draws& draws = draws_of(experiment);
    if (draws.front().empty()) {
        return ranges;
    }
    const std::vector<Interval> found = ranges_over(targets, draws, jobs_, stop_);
    const std::vector<double> as_is = simulated_values(targets, {{}}, jobs_, stop_).front();
    for (std::size_t i = 0; i < places.size(); ++i) {
        ranges[places[i]] = {as_is[i], found[i]};
    }
    return ranges;
}

}  // namespace idlesim
