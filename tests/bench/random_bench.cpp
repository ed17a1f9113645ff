// SPDX-License-Identifier: Apache-2.0
// Nanoseconds per draw of our distributions beside the standard library's. Judges nothing.
#include "sim/engine/distribution.hpp"
#include "sim/engine/random.hpp"
#include "sim/engine/simulation.hpp"
#include "sim/engine/variates.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

namespace {

using namespace std::chrono_literals;
using idlesim::Distribution;

constexpr int kDraws = 4'000'000;
constexpr int kRounds = 5;

template <class Draw>
void print(const char* name, Draw draw) {
    double best = 1e300;
    double sum = 0.0;
    for (int round = 0; round < kRounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kDraws; ++i) {
            sum += draw();
        }
        const std::chrono::duration<double, std::nano> elapsed =
            std::chrono::steady_clock::now() - start;
        best = std::min(best, elapsed.count() / kDraws);
    }
    // The mean keeps the draws from being optimized away.
    std::printf("%-44s %7.2f ns   mean %.4g\n", name, best, sum / (double{kDraws} * kRounds));
}

void print_distribution(const char* name, const Distribution& distribution) {
    idlesim::RandomStream random{1, "bench"};
    print(name, [&] { return static_cast<double>(distribution.sample(random).count()); });
}

class Operations {
public:
    // Nanoseconds per operation of a program that nothing interrupts.
    void run() {
        const auto start = std::chrono::steady_clock::now();
        simulation_.schedule(event_, idlesim::Time{});
        simulation_.run();
        const std::chrono::duration<double, std::nano> elapsed =
            std::chrono::steady_clock::now() - start;
        std::printf("%-44s %7.2f ns\n", "advance_or_schedule, run ahead", elapsed.count() / kDraws);
    }

private:
    void step() {
        while (++done_ < kDraws &&
               simulation_.advance_or_schedule(event_, simulation_.now() + 1ns)) {
        }
    }

    idlesim::Simulation simulation_;
    idlesim::Event event_{
        simulation_, "step", idlesim::Phase::execute, idlesim::bind<&Operations::step>(this)};
    int done_ = 0;
};

}  // namespace

int main() {
    idlesim::RandomStream random{1, "bench"};
    // The same work in every run. NOLINTNEXTLINE(cert-msc51-cpp)
    std::mt19937_64 twister{1};

    print("xoshiro256++ uniform", [&] { return random.uniform(); });
    print("std::mt19937_64 uniform_real_distribution",
          [&, d = std::uniform_real_distribution<double>{}]() mutable { return d(twister); });
    print("exponential variate", [&] { return idlesim::unit_exponential(random); });
    print("std::exponential_distribution",
          [&, d = std::exponential_distribution<double>{}]() mutable { return d(twister); });
    print("normal variate", [&] { return idlesim::standard_normal(random); });
    print("std::normal_distribution",
          [&, d = std::normal_distribution<double>{}]() mutable { return d(twister); });
    print("gamma variate, shape 2.5", [&, d = idlesim::UnitGamma{2.5}] { return d(random); });
    print("std::gamma_distribution, shape 2.5",
          [&, d = std::gamma_distribution<double>{2.5}]() mutable { return d(twister); });

    print_distribution("Distribution::constant", Distribution::constant(1us));
    print_distribution("Distribution::uniform", Distribution::uniform(1us, 2us));
    print_distribution("Distribution::exponential", Distribution::exponential(1us));
    print_distribution("Distribution::log_normal", Distribution::log_normal(1us, 0.3));
    print_distribution("Distribution::gamma", Distribution::gamma(2.5, 1us));
    print_distribution("Distribution::shifted exponential",
                       Distribution::shifted(1us, Distribution::exponential(1us)));
    print_distribution("Distribution::mixture of two",
                       Distribution::mixture({{3.0, Distribution::constant(1us)},
                                              {1.0, Distribution::exponential(2us)}}));
    Operations{}.run();
    return 0;
}
