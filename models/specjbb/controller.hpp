// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/specjbb/collector.hpp"
#include "models/specjbb/injection_ladder.hpp"
#include "models/specjbb/mutators.hpp"
#include "models/specjbb/response_times.hpp"
#include "sim/stats/load_curve.hpp"

#include <cstdint>
#include <vector>

namespace idlesim {

/// How a step's response times are sampled.
enum class JbbEstimator {
    plain,     ///< every request between two collections
    weighted,  ///< what a collection disturbs whole, what lies between as a sample with its weight
};

/// What the controller measures.
enum class JbbMeasure {
    curve,     ///< the high bound, then the response-throughput curve
    capacity,  ///< the high bound and the pauses at it
};

struct ControllerSpec {
    JbbMeasure measure = JbbMeasure::curve;
    JbbEstimator estimator = JbbEstimator::weighted;
    LadderSearch search = LadderSearch::bisection;
    AgreementRule rule = AgreementRule::interpolated;
    std::vector<Duration> agreements;
    /// Requests whose memory fills the young generation.
    std::int64_t requests_per_collection = 100'000;
    /// Collections behind the high bound, and behind each step.
    int collections = 100;
    /// Steady requests between two collections that stand for all of them.
    std::int64_t steady_sample = 2000;
};

/// The controller of SPECjbb2015: settles the high-bound injection rate, then raises the rate in
/// steps of one percent of it and notes the 99th percentile of each. A collection begins when the
/// requests since the last one have filled the young generation.
///
/// The high bound is what the machine does with a next request always at hand: N requests between
/// two collections take one pause and N times the mean time between two of them. Steps above it
/// cannot be sustained and are not tried. max-jOPS is the last step that is sustained before the
/// first that is not, as in the benchmark; where only the capacity is measured, the high bound.
///
/// A collection disturbs the requests that it finds, those that arrive during it, and those that
/// arrive until a thread finds the queue empty again. What arrives from then on has nothing to do
/// with it, and since the system has no longer memory than that, a sample of such requests stands
/// for all until the next collection.
class Controller final : public MutatorListener, public CollectorListener {
public:
    Controller(Simulation& simulation, ControllerSpec spec);

    /// Begins to measure; both must outlive the controller.
    void start(Mutators& mutators, Collector& collector);

    bool request_done(const JbbRequest& request) override;
    void queue_is_empty() override;
    void collection_done(Duration pause) override;

    /// 0..1, rising.
    [[nodiscard]] double progress() const;

    [[nodiscard]] LoadCurve curve() const;

    /// At the high bound.
    [[nodiscard]] const std::vector<Duration>& pauses() const { return pauses_; }

private:
    bool saturated_request_done();
    bool injected_request_done(const JbbRequest& request);
    [[nodiscard]] bool is_collection_due() const;
    void begin_collection();
    void settle_high_bound();
    void begin_next_step();
    void finish_step();
    [[nodiscard]] bool is_overloaded() const;

    Simulation& simulation_;
    ControllerSpec spec_;
    InjectionLadder ladder_;
    Mutators* mutators_ = nullptr;
    Collector* collector_ = nullptr;
    bool is_saturating_ = true;
    bool is_over_ = false;
    int cycles_ = 0;         ///< collections begun at this rate
    std::int64_t done_ = 0;  ///< requests since the last collection

    // The high bound.
    std::vector<Duration> pauses_;
    Time sample_from_{};
    Duration sampled_time_{};
    std::int64_t sampled_requests_ = 0;
    double high_bound_ = 0;

    // The step.
    int percent_ = 0;
    bool has_recovered_ = false;
    std::int64_t disturbed_in_cycle_ = 0;
    std::int64_t steady_in_cycle_ = 0;
    double steady_meant_ = 0;  ///< requests that the steady sample of the step stands for
    std::int64_t steady_taken_ = 0;
    std::int64_t step_requests_ = 0;
    Duration step_pauses_{};
    ResponseTimes disturbed_;
    ResponseTimes steady_;
};

}  // namespace idlesim
