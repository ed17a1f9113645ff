// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/target.hpp"

#include "sim/config/suggest.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Diagnostics;

void check_name(const config::Located<std::string>& name,
                std::string_view thing,
                std::string_view things,
                const std::vector<std::string>& known,
                Diagnostics& diagnostics) {
    if (std::find(known.begin(), known.end(), name.value) == known.end()) {
        diagnostics.error(name.location,
                          fmt::format("unknown {} '{}'{}",
                                      thing,
                                      name.value,
                                      config::suggestion_text(name.value, things, known)));
    }
}

bool is_time_metric(const std::string& metric) {
    return metric.ends_with("_latency");
}

void check_unit(const Target& target,
                const Documented& number,
                const config::Location& where,
                Diagnostics& diagnostics) {
    if (target.is_relative() && number.unit != "%") {
        diagnostics.error(where, "a relative target is a percentage (21.74 %)");
    } else if (!target.is_relative() && is_time_metric(target.metric.value) &&
               number.unit != "ns") {
        diagnostics.error(where, "a latency needs a unit of time (2000 ns)");
    }
}

void check_numbers(const Target& target, Diagnostics& diagnostics) {
    if (target.documented && target.range) {
        diagnostics.error(target.range->location, "give either 'documented' or 'range', not both");
    }
    if (target.documented) {
        check_unit(target, target.documented->value, target.documented->location, diagnostics);
    }
    if (target.range) {
        const std::vector<Documented>& ends = target.range->value;
        if (ends.size() != 2 || ends[0].value > ends[1].value) {
            diagnostics.error(target.range->location, "range: expected [lowest, highest]");
        }
        for (const Documented& end : ends) {
            check_unit(target, end, target.range->location, diagnostics);
        }
    }
    if (target.is_judged() && !target.documented && !target.range) {
        diagnostics.error(target.location, "a target that is judged needs 'documented' or 'range'");
    }
    if (target.is_judged() && target.documented && !target.tolerance) {
        diagnostics.error(target.location, "a target that is judged needs a 'tolerance'");
    }
}

void check_tolerance(const Target& target, Diagnostics& diagnostics) {
    if (!target.tolerance || !target.documented) {
        return;
    }
    for (const Tolerance::Bound& bound : target.tolerance->bounds) {
        const bool points = bound.form == Tolerance::Bound::Form::points;
        const bool absolute = bound.form == Tolerance::Bound::Form::absolute;
        if (points && target.documented->value.unit != "%") {
            diagnostics.error(target.location, "points are a tolerance of percentages");
        } else if (absolute && bound.unit != target.documented->value.unit) {
            diagnostics.error(target.location,
                              fmt::format("the tolerance is in {}, the documented value in {}",
                                          bound.unit,
                                          target.documented->value.unit));
        }
    }
}

double ratio_of(double percent) {
    return 1 + percent / 100;
}

// For a relative target a percentage of the ratio, turned into points.
double bound_value(const Tolerance::Bound& bound, const Target& target, double documented) {
    if (bound.form != Tolerance::Bound::Form::percent) {
        return bound.value;
    }
    const double of = target.is_relative() ? 100 * ratio_of(documented) : documented;
    return std::fabs(of) * bound.value / 100;
}

/// Half width, in the metric's unit, of the binomial interval that `samples` values drawn from
/// what was simulated would have.
double sampling_half_width(const SortedValues& values, const Stat& stat, std::int64_t samples) {
    if (stat.kind != Stat::Kind::quantile || samples < 2) {
        return 0;
    }
    const RankInterval ranks = quantile_ranks(samples, stat.q);
    const auto last = static_cast<double>(samples - 1);
    return (values.quantile(static_cast<double>(ranks.high) / last) -
            values.quantile(static_cast<double>(ranks.low) / last)) /
           2;
}

double published_sampling_error(const Target& target,
                                const Metric& metric,
                                const Metric* base,
                                const Stat& stat) {
    if (!target.samples) {
        return 0;
    }
    const double half = sampling_half_width(metric.pooled(), stat, *target.samples);
    if (base == nullptr) {
        return half;
    }
    // Errors of both arms, independent of each other, carried into the percentage.
    const double base_half = sampling_half_width(base->pooled(), stat, *target.samples);
    const double base_value = base->all(stat).value;
    const double value = metric.all(stat).value;
    const double relative = std::sqrt(half * half / (value * value) +
                                      base_half * base_half / (base_value * base_value));
    return 100 * value / base_value * relative;
}

double error_percent(const Target& target, double simulated, Interval documented) {
    const double nearest = std::clamp(simulated, documented.low, documented.high);
    if (target.is_relative()) {
        return 100 * (ratio_of(simulated) / ratio_of(nearest) - 1);
    }
    return nearest == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : 100 * (simulated / nearest - 1);
}

Verdict verdict_of(const Target& target, const Judgement& judgement, Interval documented) {
    if (!target.is_judged()) {
        return Verdict::context;
    }
    const double lowest = documented.low - judgement.tolerance;
    const double highest = documented.high + judgement.tolerance;
    const Interval& interval = judgement.simulated.interval;
    const bool wide = interval.known() && interval.high - interval.low > highest - lowest;
    // A wide interval that lies outside as a whole is a miss all the same.
    if (wide && interval.low <= highest && interval.high >= lowest) {
        return Verdict::undecided;
    }
    if (judgement.simulated.value >= lowest && judgement.simulated.value <= highest) {
        return Verdict::pass;
    }
    return target.known_miss.empty() ? Verdict::missed : Verdict::known_miss;
}

}  // namespace

std::string_view to_text(Use use) {
    for (const auto& [name, value] : config::EnumNames<Use>::values) {
        if (value == use) {
            return name;
        }
    }
    return {};
}

std::string_view to_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::missed:
            return "missed";
        case Verdict::known_miss:
            return "known_miss";
        case Verdict::undecided:
            return "undecided";
        case Verdict::context:
            return "context";
    }
    return {};
}

const config::Fields<Target>& parameters(const Target*) {
    using config::field;
    static const config::Fields<Target> kFields{
        field("arm", &Target::arm, "arm of the experiment").required(),
        field("metric", &Target::metric, "metric that was published").required(),
        field("stat", &Target::stat, "statistic of it: p50, mean, max...").required(),
        field("relative_to",
              &Target::relative_to,
              "the published number is a percentage of this arm: 100 * (arm / this - 1)"),
        field("documented", &Target::documented, "published number with its unit"),
        field("range", &Target::range, "published range [lowest, highest] instead of one number"),
        field("tolerance",
              &Target::tolerance,
              "what the simulated value may differ: 100 ns, 6 %, 4 points, or a list of which the "
              "larger counts"),
        field("use", &Target::use, "fit, holdout, context (not judged) or prediction"),
        field("known_miss", &Target::known_miss, "why the target is missed"),
        field("samples",
              &Target::samples,
              "size of the published sample; the binomial interval of its quantile adds to the "
              "tolerance")
            .at_least(2),
        field("source", &Target::source, "where it was published").required(),
        field("note", &Target::note, "anything that a reader should know")};
    return kFields;
}

void check(const Target& target, const std::vector<std::string>& arms, Diagnostics& diagnostics) {
    check_name(target.arm, "arm", "arms", arms, diagnostics);
    check_name(target.metric, "metric", "metrics", metric_names(), diagnostics);
    check_name(target.stat, "stat", "stats", stat_names(), diagnostics);
    if (target.is_relative()) {
        check_name(target.relative_to, "arm", "arms", arms, diagnostics);
    }
    check_numbers(target, diagnostics);
    check_tolerance(target, diagnostics);
}

Interval Target::documented_range() const {
    if (documented) {
        return {documented->value.value, documented->value.value};
    }
    if (range) {
        return {range->value.front().value, range->value.back().value};
    }
    return {};
}

std::string Target::documented_text() const {
    const Interval ends = documented_range();
    if (ends.low == ends.high) {
        return format_number(ends.low);
    }
    return ends.known() ? format_number(ends.low) + ".." + format_number(ends.high) : "";
}

double stated_tolerance(const Target& target) {
    const Interval documented = target.documented_range();
    if (!target.tolerance) {
        return target.range ? 0 : std::numeric_limits<double>::quiet_NaN();
    }
    double largest = 0;
    for (const Tolerance::Bound& bound : target.tolerance->bounds) {
        for (const double end : {documented.low, documented.high}) {
            largest = std::max(largest, bound_value(bound, target, end));
        }
    }
    return largest;
}

StatValue simulated_value(const Target& target, const Metric& metric, const Metric* base) {
    const Stat& stat = *find_stat(target.stat.value);
    if (base == nullptr) {
        return metric.all(stat);
    }
    const double value = metric.all(stat).value;
    const double base_value = base->all(stat).value;
    StatValue result{100 * (value / base_value - 1), {}};
    const std::vector<double> arm = metric.per_replication(stat);
    const std::vector<double> reference = base->per_replication(stat);
    std::vector<double> percents;
    for (std::size_t i = 0; i < std::min(arm.size(), reference.size()); ++i) {
        percents.push_back(100 * (arm[i] / reference[i] - 1));
    }
    const double half = student_half_width(percents);
    result.interval = {result.value - half, result.value + half};
    return result;
}

Judgement judge(const Target& target, const Metric& metric, const Metric* base) {
    Judgement judgement;
    const Stat& stat = *find_stat(target.stat.value);
    const Interval documented = target.documented_range();
    judgement.simulated = simulated_value(target, metric, base);
    judgement.error_percent = documented.known()
                                  ? error_percent(target, judgement.simulated.value, documented)
                                  : std::numeric_limits<double>::quiet_NaN();
    judgement.tolerance =
        stated_tolerance(target) + published_sampling_error(target, metric, base, stat);
    judgement.verdict = verdict_of(target, judgement, documented);
    return judgement;
}

}  // namespace idlesim
