// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/arrival/modulated_poisson.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// Two-state Markov-modulated Poisson process.
class Mmpp final : public ArrivalProcess {
public:
    struct Params {
        Frequency low_rate{2'000, 1};
        Frequency high_rate{50'000, 1};
        Duration low_time = 10ms;
        Duration high_time = 2ms;
    };

    explicit Mmpp(const Params& params)
        : params_{params},
          process_{{gap_of(params.low_rate), Distribution::exponential(params.low_time)},
                   {gap_of(params.high_rate), Distribution::exponential(params.high_time)}} {}

    [[nodiscard]] Duration next_gap(RandomStream& random) override {
        return process_.next_gap(random);
    }

    [[nodiscard]] double rate() const override {
        return mean_rate(per_second(params_.low_rate),
                         params_.low_time,
                         per_second(params_.high_rate),
                         params_.high_time);
    }

private:
    Params params_;
    ModulatedPoisson process_;
};

const Register<ArrivalProcess, Mmpp> kMmpp{
    "mmpp",
    "Poisson at a low rate with bursts at a high one, for exponential times",
    {
        config::field("low_rate", &Mmpp::Params::low_rate, "requests a second between bursts")
            .at_least(kLowestRate),
        config::field("high_rate", &Mmpp::Params::high_rate, "requests a second in a burst")
            .at_least(kLowestRate),
        config::field("low_time", &Mmpp::Params::low_time, "mean time between bursts")
            .positive()
            .at_most(kLongestPhase),
        config::field("high_time", &Mmpp::Params::high_time, "mean length of a burst")
            .positive()
            .at_most(kLongestPhase),
    }};

}  // namespace
}  // namespace idlesim
