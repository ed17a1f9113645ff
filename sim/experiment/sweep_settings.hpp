// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/field.hpp"
#include "sim/config/node.hpp"
#include "sim/experiment/stat.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {

/// Any value of a sweep file, kept as it is written: what it means shows when it is put into the
/// experiment.
struct SweepValue {
    config::Node node;
};

enum class SampleMethod { random, latin_hypercube };

/// Points drawn from ranges and lists.
struct SweepSample {
    SampleMethod method = SampleMethod::random;
    int count = 0;
    std::uint64_t seed = 1;
    config::OrderedMap<SweepValue> over;
    config::Location location;
};

const config::Fields<SweepSample>& parameters(const SweepSample*);

/// Which idle states are left on while one of them is measured: the strategies of wult's
/// exercise-sut.
enum class CstateSet { measured_only, measured_and_poll, measured_and_shallower };

struct SweepCstates {
    std::vector<CstateSet> strategies{CstateSet::measured_only};
    /// Names of the measured states; all but POLL by default.
    std::vector<config::Located<std::string>> states;
    config::Location location;
};

const config::Fields<SweepCstates>& parameters(const SweepCstates*);

/// Statistics of a metric that become columns of points.csv.
struct SweepMetric {
    std::string metric;
    config::Located<std::string> arm;  ///< every arm where empty
    std::vector<config::Located<std::string>> stats;
    /// The paired difference from the baseline arm instead, in percent.
    bool delta = false;
    config::Location location;
};

const config::Fields<SweepMetric>& parameters(const SweepMetric*);

/// Replications until an interval is narrow enough.
struct SweepUntil {
    std::string metric;
    config::Located<std::string> stat;
    config::Located<std::string> arm;  ///< every arm where empty
    bool delta = false;                ///< of the paired difference, in percent
    SweepValue width;  ///< whole width: "5 ns", "2 %" of the value, "3 points" of a delta
    int at_least = 5;
    int at_most = 100;
    config::Location location;
};

const config::Fields<SweepUntil>& parameters(const SweepUntil*);

/// A sweep file. Every part (each axis, zip, the points, the samples, the C-states) is a list of
/// rows of values; the sweep is the product of the parts, the last one running fastest.
struct SweepSettings {
    std::string name;
    std::string title;
    std::string description;
    SweepValue experiment;
    config::OrderedMap<SweepValue> set;
    std::optional<int> replications;
    std::optional<std::uint64_t> seed;
    config::OrderedMap<SweepValue> axes;
    std::vector<config::OrderedMap<SweepValue>> zip;
    std::vector<config::OrderedMap<SweepValue>> points;
    std::optional<SweepSample> sample;
    std::optional<SweepCstates> cstates;
    std::vector<SweepMetric> metrics;
    std::optional<SweepUntil> until;
    bool intervals = false;
};

const config::Fields<SweepSettings>& parameters(const SweepSettings*);

/// Whether the keys of a file are those of a sweep.
[[nodiscard]] bool is_sweep(const config::Node& root);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct Converter<SweepValue> {
    static bool read(const Node& node, SweepValue& out, Diagnostics& diagnostics);
    static std::optional<Node> to_node(const SweepValue& value);
    static TypeDescription describe(int depth);
};

template <>
struct EnumNames<SampleMethod> {
    static constexpr std::pair<std::string_view, SampleMethod> values[] = {
        {"random", SampleMethod::random}, {"latin_hypercube", SampleMethod::latin_hypercube}};
};

template <>
struct EnumNames<CstateSet> {
    static constexpr std::pair<std::string_view, CstateSet> values[] = {
        {"measured_only", CstateSet::measured_only},
        {"measured_and_poll", CstateSet::measured_and_poll},
        {"measured_and_shallower", CstateSet::measured_and_shallower}};
};

}  // namespace idlesim::config
