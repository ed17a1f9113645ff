// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/experiment/documented.hpp"
#include "sim/experiment/metric.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// What a target is there for: `fit` may be seen by a calibration, `holdout` may not; `context` is
/// printed and not judged; `prediction` has not been measured by anybody.
enum class Use : std::uint8_t { fit, holdout, context, prediction };

enum class Verdict : std::uint8_t { pass, missed, known_miss, undecided, context };

[[nodiscard]] std::string_view to_text(Use use);
[[nodiscard]] std::string_view to_text(Verdict verdict);

/// A published number that an experiment should reproduce.
struct Target {
    config::Located<std::string> arm;
    config::Located<std::string> metric;
    config::Located<std::string> stat;
    /// The value is a percent of this arm: 100 * (arm / relative_to - 1).
    config::Located<std::string> relative_to;
    std::optional<config::Located<Documented>> documented;
    /// Instead of one number: published as from a to b.
    std::optional<config::Located<std::vector<Documented>>> range;
    std::optional<Tolerance> tolerance;
    Use use = Use::holdout;
    /// Why it is missed, where we know.
    std::string known_miss;
    /// Size of the published sample: the binomial interval of its quantile adds to the tolerance.
    std::optional<std::int64_t> samples;
    std::string source;
    std::string note;
    config::Location location;

    [[nodiscard]] bool is_relative() const { return !relative_to.value.empty(); }

    [[nodiscard]] bool is_judged() const { return use == Use::fit || use == Use::holdout; }

    /// The single number, or the ends of the range; both NaN for a prediction without any.
    [[nodiscard]] Interval documented_range() const;
    /// "2000", "1.0..1.3" or nothing.
    [[nodiscard]] std::string documented_text() const;

    /// Unit of everything that is written about it: "%" for a relative target, else the metric's.
    [[nodiscard]] std::string unit_of(const std::string& metric_unit) const {
        return is_relative() ? "%" : metric_unit;
    }
};

const config::Fields<Target>& parameters(const Target*);

/// Reports what the table of parameters cannot see: arms, metrics and stats that do not exist, a
/// judged target without number or tolerance, units that do not fit.
void check(const Target& target, const std::vector<std::string>& arms, config::Diagnostics&);

/// A target beside what was simulated.
struct Judgement {
    StatValue simulated;
    double error_percent = 0;  ///< of the value, for a relative target of the ratio
    double tolerance = 0;      ///< in the target's unit, NaN when it has none
    Verdict verdict = Verdict::context;
};

/// The value of the target over all replications. `base` is the metric of relative_to.
[[nodiscard]] StatValue simulated_value(const Target& target,
                                        const Metric& metric,
                                        const Metric* base);

[[nodiscard]] Judgement judge(const Target& target, const Metric& metric, const Metric* base);

/// What the simulated value may be away from the documented one, without the sampling error of the
/// publication; in the target's unit.
[[nodiscard]] double stated_tolerance(const Target& target);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<Use> {
    static constexpr std::pair<std::string_view, Use> values[] = {{"fit", Use::fit},
                                                                  {"holdout", Use::holdout},
                                                                  {"context", Use::context},
                                                                  {"prediction", Use::prediction}};
};

}  // namespace idlesim::config
