// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/interval.hpp"
#include "sim/experiment/stat.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace idlesim {

struct StatValue {
    double value = 0;
    Interval interval;  ///< unknown where none can be told
};

/// The samples of one metric, in order of size. Times are kept in whole picoseconds and answer in
/// nanoseconds.
class SortedValues {
public:
    static SortedValues times(std::vector<std::int64_t> picoseconds);
    static SortedValues numbers(std::vector<double> values);
    /// All of several together; they are all times or all numbers.
    static SortedValues pooled(const std::vector<std::shared_ptr<const SortedValues>>& parts);

    [[nodiscard]] std::int64_t count() const;
    /// NaN where it is not defined (no samples; the deviation of one).
    [[nodiscard]] double value(const Stat& stat) const;
    /// The value at quantile q.
    [[nodiscard]] double quantile(double q) const;
    /// As value(), with the interval that one series of samples gives: binomial for quantiles,
    /// batch means for the mean, none for the rest.
    [[nodiscard]] StatValue with_interval(const Stat& stat) const;

private:
    [[nodiscard]] double mean() const;
    [[nodiscard]] double deviation() const;

    bool time_ = false;
    std::vector<std::int64_t> picoseconds_;
    std::vector<double> numbers_;
    Interval mean_interval_;
};

/// One metric of one arm over all replications.
class Metric {
public:
    Metric(std::string name, std::string unit) : name_{std::move(name)}, unit_{std::move(unit)} {}

    [[nodiscard]] const std::string& name() const { return name_; }

    /// "ns" for latencies.
    [[nodiscard]] const std::string& unit() const { return unit_; }

    void add_replication(SortedValues values);
    /// Call once, when every replication has been added.
    void pool();

    [[nodiscard]] std::size_t replications() const { return replications_.size(); }

    [[nodiscard]] StatValue replication(std::size_t index, const Stat& stat) const {
        return replications_[index]->with_interval(stat);
    }

    /// Over all replications: pooled samples, or the mean over replications for an averaged stat.
    /// The interval is Student's over the replications' values; with a single replication, that
    /// replication's own.
    [[nodiscard]] StatValue all(const Stat& stat) const;

    /// One value per replication.
    [[nodiscard]] std::vector<double> per_replication(const Stat& stat) const;

    [[nodiscard]] const SortedValues& pooled() const { return *pooled_; }

private:
    std::string name_;
    std::string unit_;
    std::vector<std::shared_ptr<const SortedValues>> replications_;
    std::shared_ptr<const SortedValues> pooled_;
};

}  // namespace idlesim
