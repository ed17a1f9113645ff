// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/compare.hpp"

#include "sim/analysis/paired.hpp"
#include "sim/analysis/unpaired.hpp"
#include "sim/config/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Node;

[[noreturn]] void refuse(const std::string& text) {
    throw config::ConfigError{"idlesim: " + text + '\n'};
}

/// "kernel.hz" -> "250" of every scalar.
void flatten(const Node& node, const std::string& path, std::map<std::string, std::string>& out) {
    if (!node.is_map() && !node.is_sequence()) {
        out[path] = node.text();
        return;
    }
    for (std::size_t i = 0; i < node.children().size(); ++i) {
        const Node& child = node.children()[i];
        const std::string step = node.is_map() ? child.key() : fmt::format("[{}]", i);
        const bool joined = path.empty() || !node.is_map();
        flatten(child, joined ? path + step : path + '.' + step, out);
    }
}

/// Of what a simulation depends on; the seed is told apart.
std::vector<std::string> changes_between(Node baseline, Node other) {
    std::vector<std::string> changes;
    if (!baseline.is_map() || !other.is_map()) {
        return changes;
    }
    for (const char* key :
         {"name", "title", "description", "seed", "output", "calibration", "prior", "targets"}) {
        baseline.erase(key);
        other.erase(key);
    }
    std::map<std::string, std::string> before;
    std::map<std::string, std::string> after;
    flatten(baseline, "", before);
    flatten(other, "", after);
    for (const auto& [path, text] : before) {
        const auto now = after.find(path);
        if (now == after.end()) {
            changes.push_back(fmt::format("{}: {} -> nothing", path, text));
        } else if (now->second != text) {
            changes.push_back(fmt::format("{}: {} -> {}", path, text, now->second));
        }
    }
    for (const auto& [path, text] : after) {
        if (!before.contains(path)) {
            changes.push_back(fmt::format("{}: nothing -> {}", path, text));
        }
    }
    return changes;
}

ComparedValue compared(const StoredValue& baseline, const StoredValue& other, bool same_seed) {
    ComparedValue result;
    result.unit = baseline.unit;
    result.baseline = baseline.all;
    result.value = other.all;
    const std::size_t pairs = std::min(baseline.replications.size(), other.replications.size());
    result.replications = pairs;
    if (pairs >= 2) {
        result.pairing = same_seed ? Pairing::paired : Pairing::unpaired;
    }
    const std::span<const double> a{baseline.replications};
    const std::span<const double> b{other.replications};
    if (result.pairing == Pairing::unpaired) {
        result.delta = unpaired_delta(result.baseline, result.value, a, b);
        return result;
    }
    // Aggregates over other replications than the pairs would not be what the interval is of.
    if (result.pairing == Pairing::paired && a.size() != b.size()) {
        result.baseline = mean(a.first(pairs));
        result.value = mean(b.first(pairs));
    }
    result.delta = paired_delta(result.baseline, result.value, a.first(pairs), b.first(pairs));
    return result;
}

/// Sums of one column over the points of two sweeps.
class Average {
public:
    void add(const StoredValue& baseline, const StoredValue& other) {
        if (!(std::fabs(baseline.all) > 0)) {
            return;
        }
        add(baseline_, baseline, baseline.all);
        add(other_, other, baseline.all);
        ++points_;
    }

    [[nodiscard]] ComparedValue value(const std::string& name, bool same_seed) {
        for (StoredValue* sum : {&baseline_, &other_}) {
            sum->all /= points_;
            for (double& replication : sum->replications) {
                replication /= points_;
            }
        }
        ComparedValue average = compared(baseline_, other_, same_seed);
        average.key.name = name;
        average.baseline_name = name;
        return average;
    }

private:
    void add(StoredValue& sum, const StoredValue& value, double scale) const {
        sum.all += value.all / scale;
        const std::size_t before = sum.replications.size();
        sum.replications.resize(points_ == 0 ? value.replications.size()
                                             : std::min(before, value.replications.size()));
        for (std::size_t i = 0; i < sum.replications.size(); ++i) {
            sum.replications[i] += value.replications[i] / scale;
        }
    }

    StoredValue baseline_;
    StoredValue other_;
    double points_ = 0;
};

/// Averages over the points of each name, in the order in which the names come.
class Averages {
public:
    void add(const std::string& name, const StoredValue& baseline, const StoredValue& other) {
        const auto [place, is_new] = averages_.try_emplace(name);
        if (is_new) {
            names_.push_back(name);
        }
        place->second.add(baseline, other);
    }

    [[nodiscard]] std::vector<ComparedValue> values(bool same_seed) {
        std::vector<ComparedValue> values;
        for (const std::string& name : names_) {
            values.push_back(averages_[name].value(name, same_seed));
        }
        return values;
    }

private:
    std::vector<std::string> names_;
    std::map<std::string, Average> averages_;
};

/// The name of the other result's value in the baseline: the same, or that of its only arm.
class Names {
public:
    Names(const StoredResult& baseline, const StoredResult& other) {
        const bool shared =
            std::any_of(other.arms.begin(), other.arms.end(), [&](const std::string& arm) {
                return std::find(baseline.arms.begin(), baseline.arms.end(), arm) !=
                       baseline.arms.end();
            });
        if (!shared && baseline.arms.size() == 1 && other.arms.size() == 1) {
            from_ = other.arms.front() + '.';
            to_ = baseline.arms.front() + '.';
        }
    }

    [[nodiscard]] std::string in_baseline(const std::string& name) const {
        return !from_.empty() && name.starts_with(from_) ? to_ + name.substr(from_.size()) : name;
    }

private:
    std::string from_;
    std::string to_;
};

bool is_count(const std::string& name) {
    return name.ends_with(".count");
}

/// Arms and metrics that only one of two runs has.
std::vector<std::string> unmatched(const StoredResult& result, const std::set<StoredKey>& matched) {
    std::vector<std::string> names;
    for (const StoredKey& key : result.keys) {
        const std::string& series = result.values.at(key).series;
        if (!matched.contains(key) &&
            std::find(names.begin(), names.end(), series) == names.end()) {
            names.push_back(series);
        }
    }
    return names;
}

/// Points that only one of two sweeps has.
void find_unmatched_points(Comparison& comparison) {
    const auto missing = [](const StoredResult& from, const StoredResult& in) {
        std::vector<std::string> ids;
        for (const auto& [id, cells] : from.points) {
            if (!in.points.contains(id)) {
                ids.push_back(id);
            }
        }
        return ids;
    };
    comparison.only_in_baseline = missing(comparison.baseline, comparison.other);
    comparison.only_in_other = missing(comparison.other, comparison.baseline);
}

}  // namespace

std::string to_text(Pairing pairing) {
    return pairing == Pairing::paired     ? "paired"
           : pairing == Pairing::unpaired ? "unpaired"
                                          : "none";
}

int ComparedValue::direction() const {
    if (!delta.percent_interval.known()) {
        return 0;
    }
    return delta.percent_interval.low > 0 ? 1 : delta.percent_interval.high < 0 ? -1 : 0;
}

Comparison compare(StoredResult baseline, StoredResult other) {
    if (baseline.kind != other.kind) {
        const bool baseline_is_run = baseline.kind == StoredResult::Kind::run;
        refuse(fmt::format("{} is a {}, {} is a {}: nothing in them can be compared",
                           baseline.path.string(),
                           baseline_is_run ? "run" : "sweep",
                           other.path.string(),
                           baseline_is_run ? "sweep" : "run"));
    }
    Comparison result;
    result.baseline = std::move(baseline);
    result.other = std::move(other);
    result.same_seed = result.baseline.seed == result.other.seed ||
                       (result.baseline.seed_is_swept && result.other.seed_is_swept);
    const Names names{result.baseline, result.other};
    Averages averages;
    std::set<StoredKey> matched;
    std::set<StoredKey> matched_in_baseline;
    for (const StoredKey& key : result.other.keys) {
        const StoredKey reference{key.point, names.in_baseline(key.name)};
        const auto found = result.baseline.values.find(reference);
        if (found == result.baseline.values.end()) {
            continue;
        }
        matched.insert(key);
        matched_in_baseline.insert(reference);
        const StoredValue& value = result.other.values.at(key);
        if (is_count(key.name) || found->second.unit != value.unit) {
            continue;
        }
        averages.add(key.name, found->second, value);
        ComparedValue compared_value = compared(found->second, value, result.same_seed);
        compared_value.key = key;
        compared_value.baseline_name = reference.name;
        result.unequal_replications =
            result.unequal_replications ||
            (compared_value.pairing == Pairing::paired &&
             found->second.replications.size() != value.replications.size());
        result.values.push_back(std::move(compared_value));
    }
    if (result.values.empty()) {
        refuse(fmt::format("{} and {} have nothing in common: no {}",
                           result.baseline.path.string(),
                           result.other.path.string(),
                           result.other.kind == StoredResult::Kind::run
                               ? "arm with the same metric"
                               : "point with the same values and columns that both have finished"));
    }
    if (result.other.kind == StoredResult::Kind::run) {
        result.only_in_baseline = unmatched(result.baseline, matched_in_baseline);
        result.only_in_other = unmatched(result.other, matched);
        result.changes = changes_between(result.baseline.effective, result.other.effective);
    } else {
        find_unmatched_points(result);
        result.averages = averages.values(result.same_seed);
    }
    return result;
}

}  // namespace idlesim
