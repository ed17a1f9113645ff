// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/arrival/modulated_poisson.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;

class OnOff final : public ArrivalProcess {
public:
    struct Params {
        Frequency rate{50'000, 1};
        Duration on = 2ms;
        Duration off = 10ms;
        bool regular = false;
    };

    explicit OnOff(const Params& params)
        : params_{params},
          process_{{gap_of(params.rate), length(params.on)}, {std::nullopt, length(params.off)}} {}

    [[nodiscard]] Duration next_gap(RandomStream& random) override {
        return process_.next_gap(random);
    }

    [[nodiscard]] double rate() const override {
        return mean_rate(per_second(params_.rate), params_.on, 0.0, params_.off);
    }

private:
    [[nodiscard]] Distribution length(Duration mean) const {
        return params_.regular ? Distribution::constant(mean) : Distribution::exponential(mean);
    }

    Params params_;
    ModulatedPoisson process_;
};

const Register<ArrivalProcess, OnOff> kOnOff{
    "on_off",
    "Poisson for a while, then silence for a while",
    {
        config::field("rate", &OnOff::Params::rate, "requests a second while it is on")
            .at_least(kLowestRate),
        config::field("on", &OnOff::Params::on, "mean time on").positive().at_most(kLongestPhase),
        config::field("off", &OnOff::Params::off, "mean time off")
            .positive()
            .at_most(kLongestPhase),
        config::field("regular",
                      &OnOff::Params::regular,
                      "each phase lasts its mean time, instead of an exponential one"),
    }};

}  // namespace
}  // namespace idlesim
