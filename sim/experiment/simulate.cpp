// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/simulate.hpp"

#include "sim/experiment/parallel.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

struct NamedValues {
    std::string metric;
    std::string unit;
    SortedValues values;
};

/// A run, and its metrics already sorted: sorting is done by the thread that ran.
struct Finished {
    RunResult run;
    std::vector<NamedValues> metrics;
};

Finished finish(RunResult run, bool keep_samples) {
    Finished finished;
    if (run.samples.count() > 0) {
        finished.metrics.push_back(
            {run.samples.metric(), "ns", SortedValues::times(run.samples.values())});
    }
    for (ScalarSeries& series : run.series) {
        finished.metrics.push_back(
            {series.metric, series.unit, SortedValues::numbers(std::move(series.values))});
    }
    run.series.clear();
    if (!keep_samples) {
        run.samples = {};
    }
    finished.run = std::move(run);
    return finished;
}

void add_metrics(ArmResult& arm, std::vector<NamedValues> metrics) {
    for (NamedValues& values : metrics) {
        auto place = std::find_if(arm.metrics.begin(), arm.metrics.end(), [&](const Metric& m) {
            return m.name() == values.metric;
        });
        if (place == arm.metrics.end()) {
            place = arm.metrics.emplace(arm.metrics.end(), values.metric, values.unit);
        }
        place->add_replication(std::move(values.values));
    }
}

// Rows of the replications were thinned on their own; a file has one stride.
void share_stride(std::vector<RunResult>& runs) {
    std::int64_t stride = 1;
    for (const RunResult& run : runs) {
        stride = std::max(stride, run.samples.row_stride());
    }
    for (RunResult& run : runs) {
        run.samples.thin_rows(stride);
    }
}

void complete(ArmResult& arm) {
    for (Metric& metric : arm.metrics) {
        metric.pool();
    }
    share_stride(arm.runs);
}

}  // namespace

ArmResult arm_result(std::vector<RunResult> runs) {
    ArmResult arm;
    for (RunResult& run : runs) {
        Finished finished = finish(std::move(run), true);
        add_metrics(arm, std::move(finished.metrics));
        arm.runs.push_back(std::move(finished.run));
    }
    complete(arm);
    return arm;
}

std::int64_t rows_per_run(std::int64_t limit, int replications) {
    return limit == 0 ? 0 : std::max<std::int64_t>(1, limit / replications);
}

const Metric* ArmResult::find(std::string_view metric) const {
    for (const Metric& candidate : metrics) {
        if (candidate.name() == metric) {
            return &candidate;
        }
    }
    return nullptr;
}

std::vector<ArmResult> simulate(const std::vector<RunRequest>& requests,
                                const SimulateOptions& options) {
    std::vector<std::pair<std::size_t, int>> jobs;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        for (int replication = 1; replication <= requests[i].replications; ++replication) {
            jobs.emplace_back(i, replication);
        }
    }
    std::vector<Finished> finished(jobs.size());
    parallel_for(jobs.size(), options.jobs, [&](std::size_t job) {
        const RunRequest& request = requests[jobs[job].first];
        RunOptions run_options;
        run_options.seed = request.seed;
        run_options.replication = jobs[job].second;
        run_options.sample_rows = request.sample_rows;
        run_options.stop = options.stop;
        run_options.trace = options.trace && run_options.replication == 1;
        finished[job] = finish(run(*request.scenario, run_options), options.keep_samples);
        if (options.run_done) {
            options.run_done();
        }
    });
    std::vector<ArmResult> results(requests.size());
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        ArmResult& arm = results[jobs[job].first];
        add_metrics(arm, std::move(finished[job].metrics));
        arm.runs.push_back(std::move(finished[job].run));
    }
    std::for_each(results.begin(), results.end(), complete);
    return results;
}

std::vector<ArmResult> simulate(const Experiment& experiment, const SimulateOptions& options) {
    const ExperimentSettings& settings = experiment.settings;
    const std::int64_t limit = settings.output.samples.limit;
    std::vector<RunRequest> requests;
    for (const Arm& arm : experiment.arms) {
        RunRequest request{&arm.scenario, settings.seed, settings.replications, 1};
        if (options.keep_samples) {
            request.sample_rows = rows_per_run(limit, settings.replications);
        }
        requests.push_back(request);
    }
    return simulate(requests, options);
}

TargetMetrics metrics_of(const Target& target,
                         const std::function<const ArmResult&(const std::string&)>& result_of_arm) {
    const auto metric_of = [&](const config::Located<std::string>& name) {
        const ArmResult& arm = result_of_arm(name.value);
        const Metric* metric = arm.find(target.metric.value);
        if (metric == nullptr) {
            config::Diagnostics diagnostics;
            std::vector<std::string> reported;
            for (const Metric& candidate : arm.metrics) {
                reported.push_back(candidate.name());
            }
            diagnostics.error(
                target.metric.location,
                fmt::format("the workload of arm '{}' does not report {}; it reports {}",
                            name.value,
                            target.metric.value,
                            fmt::join(reported, ", ")));
            diagnostics.throw_if_errors();
        }
        return metric;
    };
    TargetMetrics metrics;
    metrics.metric = metric_of(target.arm);
    if (target.is_relative()) {
        metrics.base = metric_of(target.relative_to);
    }
    return metrics;
}

TargetMetrics metrics_of(const Target& target,
                         const Experiment& experiment,
                         const std::vector<ArmResult>& results) {
    return metrics_of(target, [&](const std::string& arm) -> const ArmResult& {
        return results[experiment.arm_index(arm)];
    });
}

}  // namespace idlesim
