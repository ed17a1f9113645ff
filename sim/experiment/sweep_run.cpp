// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_run.hpp"

#include "models/run.hpp"
#include "sim/experiment/simulate.hpp"
#include "sim/experiment/sweep_point.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace idlesim {
namespace {

constexpr std::size_t kNoFailure = std::numeric_limits<std::size_t>::max();

/// A point that has been begun.
struct Active {
    Active(std::size_t index, ResolvedPoint resolved)
        : point{index}, scenarios{std::move(resolved)}, measurements{scenarios.arms.size()} {}

    std::size_t point;
    ResolvedPoint scenarios;
    PointMeasurements measurements;
    PointRuns runs;           ///< where they are kept
    int replications = 0;     ///< begun
    std::size_t pending = 0;  ///< runs that have not ended
    /// The first run, in the order of replications and arms, that failed: which one is reported
    /// must not depend on the threads.
    std::size_t failed_run = kNoFailure;
    std::string error;
};

struct Run {
    std::shared_ptr<Active> active;
    std::size_t arm = 0;
    int replication = 1;

    [[nodiscard]] std::size_t order() const {
        return static_cast<std::size_t>(replication) * active->scenarios.arms.size() + arm;
    }
};

class Runner {
public:
    Runner(const Sweep& sweep, std::vector<std::size_t> points, const SweepRunOptions& options)
        : sweep_{sweep}, points_{std::move(points)}, options_{options} {}

    bool run();

private:
    void work();
    void begin_point(std::unique_lock<std::mutex>& lock);
    void do_run(const Run& run, std::unique_lock<std::mutex>& lock);
    void end_of_runs(const std::shared_ptr<Active>& active, std::unique_lock<std::mutex>& lock);
    void add_runs(const std::shared_ptr<Active>& active, int replications);
    void deliver(Active& active, std::unique_lock<std::mutex>& lock);
    void fail_all(std::exception_ptr error);

    [[nodiscard]] bool may_begin() const {
        return next_ < points_.size() && !halted_ && (options_.stop == nullptr || !*options_.stop);
    }

    const Sweep& sweep_;
    std::vector<std::size_t> points_;
    const SweepRunOptions& options_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Run> ready_;
    std::size_t next_ = 0;
    std::size_t active_ = 0;
    bool halted_ = false;
    std::exception_ptr broken_;
};

bool Runner::run() {
    std::vector<std::pair<double, std::size_t>> weights;
    for (const std::size_t point : points_) {
        weights.emplace_back(sweep_.weight(point), point);
    }
    std::stable_sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    std::transform(weights.begin(), weights.end(), points_.begin(), [](const auto& weighted) {
        return weighted.second;
    });
    {
        std::vector<std::jthread> helpers;
        for (int i = 1; i < options_.jobs; ++i) {
            helpers.emplace_back([this] { work(); });
        }
        work();
    }
    if (broken_) {
        std::rethrow_exception(broken_);
    }
    return next_ == points_.size();
}

void Runner::work() {
    std::unique_lock lock{mutex_};
    while (!broken_) {
        if (!ready_.empty()) {
            const Run run = std::move(ready_.front());
            ready_.pop_front();
            do_run(run, lock);
        } else if (may_begin()) {
            begin_point(lock);
        } else if (active_ == 0) {
            break;
        } else {
            changed_.wait(lock);
        }
    }
    changed_.notify_all();
}

void Runner::begin_point(std::unique_lock<std::mutex>& lock) {
    const std::size_t point = points_[next_++];
    ++active_;
    lock.unlock();
    std::shared_ptr<Active> active;
    try {
        config::Diagnostics diagnostics;
        ResolvedPoint resolved = sweep_.base.resolve(sweep_.points.values(point), diagnostics);
        active = std::make_shared<Active>(point, std::move(resolved));
        if (diagnostics.has_errors()) {
            active->error = diagnostics.render();
            active->failed_run = 0;
        }
    } catch (...) {
        lock.lock();
        fail_all(std::current_exception());
        return;
    }
    lock.lock();
    if (active->failed_run != kNoFailure) {
        deliver(*active, lock);
        return;
    }
    add_runs(active, sweep_.until ? sweep_.until->at_least : active->scenarios.replications);
}

/// Lets the point have replications up to this number.
void Runner::add_runs(const std::shared_ptr<Active>& active, int replications) {
    active->measurements.reserve(replications);
    active->runs.resize(active->scenarios.arms.size());
    for (std::vector<RunResult>& runs : active->runs) {
        runs.resize(options_.keep ? static_cast<std::size_t>(replications) : 0);
    }
    for (int replication = active->replications + 1; replication <= replications; ++replication) {
        for (std::size_t arm = 0; arm < active->scenarios.arms.size(); ++arm) {
            ready_.push_back({active, arm, replication});
            ++active->pending;
        }
    }
    active->replications = replications;
    changed_.notify_all();
}

void Runner::do_run(const Run& run, std::unique_lock<std::mutex>& lock) {
    Active& active = *run.active;
    const bool pointless = run.order() > active.failed_run;
    RunMetrics metrics;
    RunResult kept;
    std::string error;
    bool failed = false;
    lock.unlock();
    if (!pointless) {
        try {
            RunOptions options;
            options.seed = active.scenarios.seed;
            options.replication = run.replication;
            options.sample_rows = 1;
            if (options_.keep) {
                options.sample_rows =
                    rows_per_run(SampleRows{}.limit, active.scenarios.replications);
            }
            RunResult result = idlesim::run(active.scenarios.arms[run.arm], options);
            metrics = metrics_of_run(sweep_, result);
            if (options_.keep) {
                kept = std::move(result);
            }
        } catch (const std::exception& exception) {
            failed = true;
            error = exception.what();
        }
    }
    lock.lock();
    if (failed && run.order() < active.failed_run) {
        active.failed_run = run.order();
        active.error = std::move(error);
    } else if (!failed && !pointless) {
        active.measurements.set(run.arm, run.replication, std::move(metrics));
        if (options_.keep) {
            active.runs[run.arm][static_cast<std::size_t>(run.replication - 1)] = std::move(kept);
        }
    }
    if (--active.pending == 0) {
        end_of_runs(run.active, lock);
    }
}

void Runner::end_of_runs(const std::shared_ptr<Active>& active,
                         std::unique_lock<std::mutex>& lock) {
    if (sweep_.until && active->failed_run == kNoFailure) {
        bool enough = true;
        lock.unlock();
        try {
            enough = active->measurements.narrow_enough(sweep_);
        } catch (const std::exception& exception) {
            active->failed_run = 0;
            active->error = exception.what();
        }
        lock.lock();
        const int next = sweep_.until->next_look(active->replications);
        if (!enough && next > active->replications) {
            add_runs(active, next);
            return;
        }
    }
    deliver(*active, lock);
}

void Runner::deliver(Active& active, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    std::exception_ptr broken;
    bool failed = false;
    try {
        PointRecord record{sweep_.ids[active.point],
                           active.scenarios.content,
                           active.replications,
                           active.error,
                           {}};
        if (active.failed_run == kNoFailure) {
            try {
                record.values = active.measurements.columns(sweep_);
            } catch (const std::runtime_error& error) {
                record.error = error.what();
            }
        }
        while (record.error.ends_with('\n')) {
            record.error.pop_back();
        }
        failed = !record.error.empty();
        if (options_.keep && !failed) {
            options_.keep(active.point, std::move(active.runs));
        }
        options_.done(active.point, record);
    } catch (...) {
        broken = std::current_exception();
    }
    lock.lock();
    --active_;
    halted_ = halted_ || (failed && options_.stop_on_failure);
    if (broken) {
        fail_all(broken);
    }
    changed_.notify_all();
}

void Runner::fail_all(std::exception_ptr error) {
    if (!broken_) {
        broken_ = std::move(error);
    }
    changed_.notify_all();
}

}  // namespace

bool run_points(const Sweep& sweep,
                std::vector<std::size_t> points,
                const SweepRunOptions& options) {
    return Runner{sweep, std::move(points), options}.run();
}

SweepEstimate estimate(const Sweep& sweep, const std::vector<std::size_t>& points) {
    SweepEstimate result;
    if (points.empty()) {
        return result;
    }
    std::vector<std::pair<double, std::size_t>> weights;
    double sum = 0;
    for (const std::size_t point : points) {
        weights.emplace_back(sweep.weight(point), point);
        sum += weights.back().first;
    }
    const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(weights.size() / 2);
    std::nth_element(weights.begin(), middle, weights.end());
    config::Diagnostics diagnostics;
    const ResolvedPoint probe =
        sweep.base.resolve(sweep.points.values(middle->second), diagnostics);
    diagnostics.throw_if_errors();
    const auto begin = std::chrono::steady_clock::now();
    RunOptions options;
    options.seed = probe.seed;
    options.sample_rows = 1;
    static_cast<void>(metrics_of_run(sweep, run(probe.arms[sweep.base.baseline()], options)));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    result.probe_seconds = took.count();
    const double one_replication =
        took.count() * static_cast<double>(probe.arms.size()) * sum / middle->first;
    result.low_seconds =
        one_replication * (sweep.until ? sweep.until->at_least : probe.replications);
    result.high_seconds =
        one_replication * (sweep.until ? sweep.until->at_most : probe.replications);
    return result;
}

}  // namespace idlesim
