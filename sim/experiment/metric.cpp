// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/metric.hpp"

#include "sim/analysis/quantile.hpp"
#include "sim/stats/held.hpp"

#include <algorithm>
#include <cmath>

namespace idlesim {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPicosecondsPerNanosecond = 1000;

Interval in_nanoseconds(Interval picoseconds) {
    return {picoseconds.low / kPicosecondsPerNanosecond,
            picoseconds.high / kPicosecondsPerNanosecond};
}

}  // namespace

SortedValues SortedValues::times(std::vector<std::int64_t> picoseconds) {
    SortedValues values;
    values.time_ = true;
    values.mean_interval_ = in_nanoseconds(batch_means_interval(picoseconds));
    values.picoseconds_ = std::move(picoseconds);
    sort_ascending(values.picoseconds_);
    return values;
}

SortedValues SortedValues::numbers(std::vector<double> numbers) {
    SortedValues values;
    const double half = student_half_width(numbers);
    const double centre = idlesim::mean(numbers);
    values.mean_interval_ = {centre - half, centre + half};
    values.numbers_ = std::move(numbers);
    std::sort(values.numbers_.begin(), values.numbers_.end());
    return values;
}

SortedValues SortedValues::pooled(const std::vector<std::shared_ptr<const SortedValues>>& parts) {
    SortedValues all;
    for (const auto& part : parts) {
        all.time_ = part->time_;
        all.picoseconds_.insert(
            all.picoseconds_.end(), part->picoseconds_.begin(), part->picoseconds_.end());
        all.numbers_.insert(all.numbers_.end(), part->numbers_.begin(), part->numbers_.end());
    }
    sort_ascending(all.picoseconds_);
    std::sort(all.numbers_.begin(), all.numbers_.end());
    return all;
}

std::int64_t SortedValues::count() const {
    return static_cast<std::int64_t>(time_ ? picoseconds_.size() : numbers_.size());
}

double SortedValues::quantile(double q) const {
    return time_ ? quantile_of_sorted(picoseconds_, q) / kPicosecondsPerNanosecond
                 : quantile_of_sorted(numbers_, q);
}

// The sum of picoseconds is exact, so the mean does not depend on the order of the samples.
double SortedValues::mean() const {
    if (!time_) {
        return idlesim::mean(numbers_);
    }
    WideInt sum = 0;
    for (const std::int64_t value : picoseconds_) {
        sum += value;
    }
    return picoseconds_.empty() ? kNan
                                : static_cast<double>(sum) / kPicosecondsPerNanosecond /
                                      static_cast<double>(count());
}

double SortedValues::deviation() const {
    if (!time_) {
        return standard_deviation(numbers_);
    }
    if (count() < 2) {
        return kNan;
    }
    const double centre = mean() * kPicosecondsPerNanosecond;
    double squares = 0;
    for (const std::int64_t value : picoseconds_) {
        const double distance = static_cast<double>(value) - centre;
        squares += distance * distance;
    }
    return std::sqrt(squares / static_cast<double>(count() - 1)) / kPicosecondsPerNanosecond;
}

double SortedValues::value(const Stat& stat) const {
    switch (stat.kind) {
        case Stat::Kind::count:
            return static_cast<double>(count());
        case Stat::Kind::minimum:
            return quantile(0);
        case Stat::Kind::quantile:
            return quantile(stat.q);
        case Stat::Kind::maximum:
            return quantile(1);
        case Stat::Kind::mean:
            return mean();
        case Stat::Kind::deviation:
            return deviation();
    }
    return kNan;
}

StatValue SortedValues::with_interval(const Stat& stat) const {
    StatValue result{value(stat), {}};
    if (stat.kind == Stat::Kind::quantile) {
        result.interval = time_ ? in_nanoseconds(quantile_interval(picoseconds_, stat.q))
                                : quantile_interval(numbers_, stat.q);
    } else if (stat.kind == Stat::Kind::mean) {
        result.interval = mean_interval_;
    }
    return result;
}

void Metric::add_replication(SortedValues values) {
    replications_.push_back(std::make_shared<const SortedValues>(std::move(values)));
}

void Metric::pool() {
    pooled_ = replications_.size() == 1
                  ? replications_.front()
                  : std::make_shared<const SortedValues>(SortedValues::pooled(replications_));
}

std::vector<double> Metric::per_replication(const Stat& stat) const {
    std::vector<double> values;
    for (const auto& replication : replications_) {
        values.push_back(replication->value(stat));
    }
    return values;
}

StatValue Metric::all(const Stat& stat) const {
    if (replications_.size() == 1) {
        return replications_.front()->with_interval(stat);
    }
    const std::vector<double> single = per_replication(stat);
    StatValue result{stat.averaged ? mean(single) : pooled_->value(stat), {}};
    if (stat.kind != Stat::Kind::count) {
        const double half = student_half_width(single);
        result.interval = {result.value - half, result.value + half};
    }
    return result;
}

}  // namespace idlesim
