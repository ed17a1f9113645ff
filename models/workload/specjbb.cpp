// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/specjbb/controller.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace idlesim::config {

template <>
struct EnumNames<JbbEstimator> {
    static constexpr std::pair<std::string_view, JbbEstimator> values[] = {
        {"plain", JbbEstimator::plain}, {"weighted", JbbEstimator::weighted}};
};

template <>
struct EnumNames<JbbMeasure> {
    static constexpr std::pair<std::string_view, JbbMeasure> values[] = {
        {"curve", JbbMeasure::curve}, {"capacity", JbbMeasure::capacity}};
};

template <>
struct EnumNames<LadderSearch> {
    static constexpr std::pair<std::string_view, LadderSearch> values[] = {
        {"bisection", LadderSearch::bisection}, {"full", LadderSearch::full}};
};

template <>
struct EnumNames<AgreementRule> {
    static constexpr std::pair<std::string_view, AgreementRule> values[] = {
        {"interpolated", AgreementRule::interpolated},
        {"last_success", AgreementRule::last_success},
        {"mean", AgreementRule::mean},
        {"weighted", AgreementRule::weighted}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// SPECjbb2015 as far as idleness matters: an open loop of requests that a pool of threads serves,
/// stop-the-world collections in between, and the injection rates at which the 99th percentile of
/// the response time meets five agreements (controller.hpp).
class SpecJbb final : public Workload {
public:
    struct Params {
        std::vector<int> cpus;
        Duration service = 600us;
        double service_cv = 1.0;
        double mutator_branches = 10;
        int collector_workers = 0;
        Duration collection_work = 3s;
        double collection_cv = 0.4;
        double collector_branches = 30;
        JbbMeasure measure = JbbMeasure::curve;
        JbbEstimator estimator = JbbEstimator::weighted;
        LadderSearch ladder = LadderSearch::bisection;
        AgreementRule rule = AgreementRule::interpolated;
        std::vector<Duration> agreements{10ms, 25ms, 50ms, 75ms, 100ms};
        std::int64_t requests_per_collection = 100'000;
        int collections = 100;
        std::int64_t steady_sample = 2000;
    };

    explicit SpecJbb(Params params) : params_{std::move(params)} {
        std::sort(params_.cpus.begin(), params_.cpus.end());
    }

    [[nodiscard]] std::vector<int> cpus(const Topology& topology) const override {
        std::vector<int> all = params_.cpus;
        for (int cpu = 0; params_.cpus.empty() && cpu < topology.cpus(); ++cpu) {
            all.push_back(cpu);
        }
        return all;
    }

    void check(const PlatformSpec& platform,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        const auto& agreements = params_.agreements;
        if (agreements.empty() || !std::is_sorted(agreements.begin(), agreements.end())) {
            diagnostics.error(where, "specjbb: agreements: expected rising response times");
        }
        const auto count = static_cast<int>(cpus(platform.topology).size());
        if (params_.collector_workers > count) {
            diagnostics.error(
                where,
                fmt::format(
                    "specjbb: {} collector_workers on {} CPUs", params_.collector_workers, count));
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& /*options*/) override {
        const std::vector<int> all = cpus(kernel.machine().platform().topology);
        controller_ =
            std::make_unique<Controller>(kernel.machine().simulation(), controller_spec());
        CollectorSpec collector;
        collector.cpus = all;
        collector.workers = params_.collector_workers > 0
                                ? params_.collector_workers
                                : default_workers(static_cast<int>(all.size()));
        collector.work = spread(params_.collection_work, params_.collection_cv);
        collector.strata = params_.collections;
        collector.indirect_branches = params_.collector_branches;
        collector_ = std::make_unique<Collector>(kernel, std::move(collector), *controller_);
        MutatorSpec mutators;
        mutators.cpus = all;
        mutators.service = spread(params_.service, params_.service_cv);
        mutators.indirect_branches = params_.mutator_branches;
        mutators_ = std::make_unique<Mutators>(
            kernel, std::move(mutators), collector_->thread(), *controller_);
        collector_->attach(*mutators_);
        controller_->start(*mutators_, *collector_);
    }

    [[nodiscard]] double progress() const override { return controller_->progress(); }

    void collect(RunResult& result) override {
        constexpr double kPicosecondsPerMillisecond = 1e9;
        LoadCurve curve = controller_->curve();
        result.series.push_back({"max_jops", "1/s", {curve.max_rate}});
        result.series.push_back({"high_bound", "1/s", {curve.high_bound}});
        if (!curve.steps.empty()) {
            result.series.push_back({"critical_jops", "1/s", {curve.critical_rate}});
        }
        ScalarSeries pauses{"collection_pause", "ms", {}};
        for (const Duration pause : controller_->pauses()) {
            pauses.values.push_back(static_cast<double>(pause.count()) /
                                    kPicosecondsPerMillisecond);
        }
        result.series.push_back(std::move(pauses));
        result.load_curve = std::move(curve);
    }

private:
    [[nodiscard]] ControllerSpec controller_spec() const {
        return {params_.measure,
                params_.estimator,
                params_.ladder,
                params_.rule,
                params_.agreements,
                params_.requests_per_collection,
                params_.collections,
                params_.steady_sample};
    }

    // WorkerPolicy::nof_parallel_worker_threads(), OpenJDK 17.
    static int default_workers(int cpus) { return cpus <= 8 ? cpus : 8 + (cpus - 8) * 5 / 8; }

    static Distribution spread(Duration mean, double cv) {
        return cv == 0 ? Distribution::constant(mean) : Distribution::gamma(1.0 / (cv * cv), mean);
    }

    Params params_;
    std::unique_ptr<Controller> controller_;
    std::unique_ptr<Collector> collector_;
    std::unique_ptr<Mutators> mutators_;
};

const Register<Workload, SpecJbb> kSpecJbb{
    "specjbb",
    "open-loop requests, stop-the-world collections, response times against agreements",
    {
        config::field("cpus", &SpecJbb::Params::cpus, "the CPUs that take part; empty: all"),
        config::field("service",
                      &SpecJbb::Params::service,
                      "mean work of a request, alone on a core: the absolute scale")
            .positive(),
        config::field("service_cv",
                      &SpecJbb::Params::service_cv,
                      "coefficient of variation of that work (gamma distribution)")
            .at_least(0.0)
            .at_most(10.0),
        config::field("mutator_branches",
                      &SpecJbb::Params::mutator_branches,
                      "indirect branches per microsecond of a request's work")
            .at_least(0.0)
            .at_most(1e4),
        config::field("collector_workers",
                      &SpecJbb::Params::collector_workers,
                      "ParallelGCThreads; 0: 8 + 5/8 (n - 8) of n CPUs, as the JVM")
            .at_least(0)
            .at_most(100'000),
        config::field("collection_work",
                      &SpecJbb::Params::collection_work,
                      "mean work of a collection, of all workers together, each alone on a core")
            .positive(),
        config::field("collection_cv",
                      &SpecJbb::Params::collection_cv,
                      "coefficient of variation of that work (gamma distribution)")
            .at_least(0.0)
            .at_most(10.0),
        config::field("collector_branches",
                      &SpecJbb::Params::collector_branches,
                      "indirect branches per microsecond of a collection's work")
            .at_least(0.0)
            .at_most(1e4),
        config::field("measure", &SpecJbb::Params::measure, "the whole curve, or its end alone"),
        config::field("estimator",
                      &SpecJbb::Params::estimator,
                      "every request, or a weighted sample of those that no collection disturbs"),
        config::field("ladder",
                      &SpecJbb::Params::ladder,
                      "steps of 1 % of the high bound: those around the agreements, or all"),
        config::field("rule", &SpecJbb::Params::rule, "what an agreement is worth"),
        config::field("agreements",
                      &SpecJbb::Params::agreements,
                      "response times that 99 % of the requests have to keep, rising"),
        config::field("requests_per_collection",
                      &SpecJbb::Params::requests_per_collection,
                      "requests whose memory fills the young generation")
            .at_least(1)
            .at_most(1'000'000'000),
        config::field("collections", &SpecJbb::Params::collections, "collections behind each step")
            .at_least(1)
            .at_most(1'000'000),
        config::field("steady_sample",
                      &SpecJbb::Params::steady_sample,
                      "estimator weighted: requests that stand for all undisturbed ones of a cycle")
            .at_least(1)
            .at_most(1'000'000'000),
    }};

}  // namespace
}  // namespace idlesim
