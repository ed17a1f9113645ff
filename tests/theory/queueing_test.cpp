// SPDX-License-Identifier: Apache-2.0
// A single server built from engine parts against closed forms of queueing theory. It is the
// skeleton of an idle CPU: work that finds the server idle pays a set-up, the exit latency.
#include "sim/engine/distribution.hpp"
#include "sim/engine/random.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kCustomers = 1'000'000;
constexpr std::size_t kBatches = 50;
constexpr double kStudent = 3.50;  // two-sided 99.9 %, 49 degrees of freedom

/// First come, first served; unbounded queue. A customer that finds the server idle waits for the
/// set-up.
class Server {
public:
    Server(Distribution gap, Distribution service, Distribution setup)
        : gap_{std::move(gap)}, service_{std::move(service)}, setup_{std::move(setup)} {
        waits_.reserve(kCustomers);
        simulation_.schedule_in(arrival_, gap_.sample(arrivals_));
        simulation_.run();
    }

    /// In picoseconds, in order of service.
    [[nodiscard]] const std::vector<double>& waits() const { return waits_; }

    /// Picoseconds: the sum over all waits, and the integral of the queue's length over time.
    [[nodiscard]] std::int64_t total_wait() const { return total_wait_; }

    [[nodiscard]] std::int64_t queue_integral() const { return queue_integral_; }

private:
    void arrive() {
        change_queue([this] { queue_.push_back(simulation_.now()); });
        if (!busy_) {
            busy_ = true;
            simulation_.schedule_in(start_, setup_.sample(setups_));
        }
        if (++arrived_ < kCustomers) {
            simulation_.schedule_in(arrival_, gap_.sample(arrivals_));
        }
    }

    void start() {
        const Duration wait = simulation_.now() - queue_.front();
        change_queue([this] { queue_.pop_front(); });
        waits_.push_back(static_cast<double>(wait.count()));
        total_wait_ += wait.count();
        simulation_.schedule_in(end_, service_.sample(services_));
    }

    void end() {
        busy_ = !queue_.empty();
        if (busy_) {
            start();
        }
    }

    template <class Change>
    void change_queue(const Change& change) {
        const Duration elapsed = simulation_.now() - changed_;
        queue_integral_ += elapsed.count() * static_cast<std::int64_t>(queue_.size());
        changed_ = simulation_.now();
        change();
    }

    Simulation simulation_;
    Distribution gap_;
    Distribution service_;
    Distribution setup_;
    RandomStream arrivals_{1, "arrivals"};
    RandomStream services_{1, "services"};
    RandomStream setups_{1, "setups"};
    Event arrival_{simulation_, "arrival", Phase::interrupt, bind<&Server::arrive>(this)};
    Event start_{simulation_, "start", Phase::execute, bind<&Server::start>(this)};
    Event end_{simulation_, "end", Phase::execute, bind<&Server::end>(this)};
    std::deque<Time> queue_;
    std::vector<double> waits_;
    std::size_t arrived_ = 0;
    bool busy_ = false;
    std::int64_t total_wait_ = 0;
    std::int64_t queue_integral_ = 0;
    Time changed_{};
};

struct Interval {
    double centre;
    double half_width;
};

// Batch means; the first batch is the warm-up.
Interval confidence_interval(const std::vector<double>& values) {
    const std::size_t length = values.size() / (kBatches + 1);
    std::vector<double> means;
    for (std::size_t batch = 1; batch <= kBatches; ++batch) {
        double sum = 0.0;
        for (std::size_t i = batch * length; i < (batch + 1) * length; ++i) {
            sum += values[i];
        }
        means.push_back(sum / static_cast<double>(length));
    }
    constexpr auto kCount = static_cast<double>(kBatches);
    double mean = 0.0;
    for (const double value : means) {
        mean += value / kCount;
    }
    double variance = 0.0;
    for (const double value : means) {
        variance += (value - mean) * (value - mean) / (kCount - 1.0);
    }
    return {mean, kStudent * std::sqrt(variance / kCount)};
}

constexpr double kMicrosecond = 1e6;  // in picoseconds

/// A distribution with its first two moments, in microseconds.
struct Known {
    std::string name;
    Distribution distribution;
    double mean;
    double second_moment;
};

std::vector<Known> services() {
    const double sigma = 0.8;
    const double median = std::exp(-0.5 * sigma * sigma);
    return {{"constant", Distribution::constant(1us), 1.0, 1.0},
            {"exponential", Distribution::exponential(1us), 1.0, 2.0},
            {"gamma", Distribution::gamma(0.5, 1us), 1.0, 3.0},
            {"log-normal",
             Distribution::log_normal(Duration{std::llround(median * kMicrosecond)}, sigma),
             1.0,
             std::exp(sigma * sigma)},
            {"mixture",
             Distribution::mixture({{0.9, Distribution::constant(Duration{500'000})},
                                    {0.1, Distribution::exponential(Duration{5'500'000})}}),
             1.0,
             0.9 * 0.25 + 0.1 * 2.0 * 5.5 * 5.5}};
}

const Known kNoSetup{"none", Distribution::constant(0us), 0.0, 0.0};

// Pollaczek and Khinchine; with set-up D after Welch ("On a generalized M/G/1 queuing process in
// which the first customer of each busy period receives exceptional service", 1964):
// W = lambda E[S^2] / 2 (1 - rho) + (2 E[D] + lambda E[D^2]) / 2 (1 + lambda E[D]).
double expected_wait(double rate, const Known& service, const Known& setup) {
    const double load = rate * service.mean;
    return rate * service.second_moment / (2.0 * (1.0 - load)) +
           (2.0 * setup.mean + rate * setup.second_moment) / (2.0 * (1.0 + rate * setup.mean));
}

void check(double rate, const Known& service, const Known& setup) {
    const Duration gap{std::llround(kMicrosecond / rate)};
    const Server server{Distribution::exponential(gap), service.distribution, setup.distribution};
    const Interval interval = confidence_interval(server.waits());
    const double expected = kMicrosecond * expected_wait(rate, service, setup);
    INFO("rate " << rate << "/us, service " << service.name << ", set-up " << setup.name
                 << ": expected " << expected << " ps, simulated " << interval.centre << " +- "
                 << interval.half_width << " ps");
    CHECK(std::abs(interval.centre - expected) <= interval.half_width);
    CHECK(interval.half_width < 0.1 * expected);
    CHECK(server.total_wait() == server.queue_integral());
}

}  // namespace

TEST_CASE("M/M/1 waits as long as theory says, and Little's law holds to the picosecond") {
    for (const double rate : {0.2, 0.5, 0.8}) {
        check(rate, services()[1], kNoSetup);
    }
}

TEST_CASE("M/G/1 waits as long as Pollaczek and Khinchine say") {
    for (const Known& service : services()) {
        check(0.6, service, kNoSetup);
    }
}

TEST_CASE("M/G/1 with set-up waits as long as Welch says") {
    const std::vector<Known> setups{{"constant", Distribution::constant(2us), 2.0, 4.0},
                                    {"exponential", Distribution::exponential(3us), 3.0, 18.0},
                                    {"gamma", Distribution::gamma(4.0, 1us), 1.0, 1.25},
                                    {"shifted",
                                     Distribution::shifted(1us, Distribution::uniform(0us, 2us)),
                                     2.0,
                                     4.0 + 4.0 / 12.0}};
    for (const Known& service : services()) {
        for (const Known& setup : setups) {
            check(0.4, service, setup);
        }
    }
}

}  // namespace idlesim
