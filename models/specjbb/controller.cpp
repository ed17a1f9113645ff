// SPDX-License-Identifier: Apache-2.0
#include "models/specjbb/controller.hpp"

#include <algorithm>
#include <cmath>

namespace idlesim {

namespace {

// Collections until a new rate has settled.
constexpr int kWarmUp = 2;

// Requests behind a collection that restart the threads, and those that are timed at the high
// bound; both several for each thread of the largest machine.
constexpr std::int64_t kRestart = 2000;
constexpr std::int64_t kTimed = 6000;

// More steps than bisection ever takes for five agreements.
constexpr double kMostSteps = 36;

}  // namespace

Controller::Controller(Simulation& simulation, ControllerSpec spec)
    : simulation_{simulation},
      spec_{std::move(spec)},
      ladder_{spec_.search, spec_.rule, spec_.agreements} {}

void Controller::start(Mutators& mutators, Collector& collector) {
    mutators_ = &mutators;
    collector_ = &collector;
    mutators.saturate();
}

bool Controller::request_done(const JbbRequest& request) {
    ++done_;
    return is_saturating_ ? saturated_request_done() : injected_request_done(request);
}

// Mutators that were computing when the world stopped finish what they had, then it stands.
bool Controller::saturated_request_done() {
    if (done_ == kRestart) {
        sample_from_ = simulation_.now();
    }
    if (done_ < kRestart + kTimed || collector_->is_running()) {
        return false;
    }
    if (cycles_ >= kWarmUp) {
        sampled_time_ += simulation_.now() - sample_from_;
        sampled_requests_ += done_ - kRestart;
    }
    begin_collection();
    return true;
}

bool Controller::is_collection_due() const {
    if (collector_->is_running()) {
        return false;
    }
    const bool is_sampled = spec_.estimator == JbbEstimator::weighted && has_recovered_ &&
                            steady_in_cycle_ >= spec_.steady_sample;
    return is_sampled || done_ >= spec_.requests_per_collection;
}

bool Controller::injected_request_done(const JbbRequest& request) {
    const bool is_recorded = cycles_ > kWarmUp;
    if (is_recorded) {
        ResponseTimes& times = request.is_steady ? steady_ : disturbed_;
        times.record(simulation_.now() - request.arrived);
        ++step_requests_;
    }
    ++(request.is_steady ? steady_in_cycle_ : disturbed_in_cycle_);
    if (!is_collection_due()) {
        return false;
    }
    if (is_recorded) {
        steady_meant_ +=
            std::max(0.0, static_cast<double>(spec_.requests_per_collection - disturbed_in_cycle_));
        steady_taken_ += steady_in_cycle_;
    }
    if (cycles_ == kWarmUp + spec_.collections || is_overloaded()) {
        finish_step();
    }
    if (!is_over_) {
        begin_collection();
    }
    return !is_over_;
}

// A whole young generation's requests wait: the rate is above what the machine can do.
bool Controller::is_overloaded() const {
    return static_cast<std::int64_t>(mutators_->queued()) > spec_.requests_per_collection;
}

void Controller::begin_collection() {
    if (cycles_ == kWarmUp) {
        collector_->begin_strata();
    }
    ++cycles_;
    has_recovered_ = false;
    disturbed_in_cycle_ = 0;
    steady_in_cycle_ = 0;
    mutators_->set_steady(false);
    mutators_->disturb_all();
    collector_->request();
}

void Controller::queue_is_empty() {
    if (!has_recovered_ && !collector_->is_running()) {
        has_recovered_ = true;
        mutators_->set_steady(true);
    }
}

void Controller::collection_done(Duration pause) {
    done_ = 0;
    if (!is_saturating_) {
        step_pauses_ += cycles_ > kWarmUp ? pause : Duration::zero();
        return;
    }
    if (cycles_ > kWarmUp) {
        pauses_.push_back(pause);
    }
    if (static_cast<int>(pauses_.size()) == spec_.collections) {
        settle_high_bound();
    }
}

void Controller::settle_high_bound() {
    Duration paused{};
    for (const Duration pause : pauses_) {
        paused += pause;
    }
    const auto requests = static_cast<double>(spec_.requests_per_collection);
    const double pause =
        std::chrono::duration<double>(paused).count() / static_cast<double>(pauses_.size());
    const double each = std::chrono::duration<double>(sampled_time_).count() /
                        static_cast<double>(sampled_requests_);
    high_bound_ = requests / (pause + requests * each);
    is_saturating_ = false;
    if (spec_.measure == JbbMeasure::capacity) {
        is_over_ = true;
        simulation_.stop();
    } else {
        begin_next_step();
    }
}

void Controller::begin_next_step() {
    constexpr double kPercent = 100.0;
    const auto next = ladder_.next();
    if (!next) {
        is_over_ = true;
        simulation_.stop();
        return;
    }
    percent_ = *next;
    cycles_ = 0;
    steady_meant_ = 0;
    steady_taken_ = 0;
    step_requests_ = 0;
    step_pauses_ = Duration::zero();
    disturbed_.clear();
    steady_.clear();
    mutators_->drop_queue();
    mutators_->inject(high_bound_ * percent_ / kPercent);
}

void Controller::finish_step() {
    constexpr double kP50 = 0.5;
    constexpr double kP99 = 0.99;
    constexpr double kLateShare = 0.01;
    const double weight =
        steady_taken_ > 0 ? steady_meant_ / static_cast<double>(steady_taken_) : 1.0;
    const std::vector<WeightedTimes> parts{{&disturbed_, 1.0}, {&steady_, weight}};
    LadderStep step;
    step.p50 = quantile(parts, kP50);
    step.p99 = quantile(parts, kP99);
    step.pause = step_pauses_ / std::max(1, cycles_ - kWarmUp);
    const auto done = static_cast<double>(step_requests_);
    const auto queued = static_cast<double>(mutators_->queued());
    step.is_sustained = !is_overloaded() && queued <= kLateShare * done;
    step.served_share = done / std::max(1.0, done + queued);
    ladder_.add(percent_, step);
    begin_next_step();
}

double Controller::progress() const {
    if (is_over_) {
        return 1.0;
    }
    const double cycle = std::min(
        1.0, static_cast<double>(done_) / static_cast<double>(spec_.requests_per_collection));
    const double within =
        std::min(1.0, (cycles_ + cycle) / static_cast<double>(spec_.collections + kWarmUp + 2));
    const double steps =
        spec_.search == LadderSearch::full ? InjectionLadder::kLastPercent + 1 : kMostSteps;
    const double done = is_saturating_ ? 0.0 : 1.0 + static_cast<double>(ladder_.steps().size());
    const double all = spec_.measure == JbbMeasure::capacity ? 1.0 : steps + 1.0;
    return std::min(0.999, (done + within) / all);
}

LoadCurve Controller::curve() const {
    constexpr double kPercent = 100.0;
    LoadCurve curve;
    curve.high_bound = high_bound_;
    curve.max_rate = high_bound_;
    if (spec_.measure == JbbMeasure::capacity) {
        return curve;
    }
    for (const auto& [percent, step] : ladder_.steps()) {
        curve.steps.push_back({percent,
                               high_bound_ * percent / kPercent,
                               high_bound_ * percent / kPercent * step.served_share,
                               step.p50,
                               step.p99,
                               step.pause,
                               step.is_sustained});
    }
    const std::vector<double> percents = ladder_.percents();
    for (std::size_t i = 0; i < percents.size(); ++i) {
        curve.agreements.push_back({spec_.agreements[i], high_bound_ * percents[i] / kPercent});
    }
    curve.max_rate = high_bound_ * ladder_.sustained_percent() / kPercent;
    curve.critical_rate = high_bound_ * ladder_.critical_percent() / kPercent;
    return curve;
}

}  // namespace idlesim
