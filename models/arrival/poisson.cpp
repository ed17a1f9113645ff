// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

class Poisson final : public ArrivalProcess {
public:
    struct Params {
        Frequency rate{10'000, 1};
    };

    explicit Poisson(const Params& params)
        : params_{params}, gap_{Distribution::exponential(gap_of(params.rate))} {}

    [[nodiscard]] Duration next_gap(RandomStream& random) override { return gap_.sample(random); }

    [[nodiscard]] double rate() const override { return per_second(params_.rate); }

private:
    Params params_;
    Distribution gap_;
};

const Register<ArrivalProcess, Poisson> kPoisson{
    "poisson",
    "requests that know nothing of each other",
    {config::field("rate", &Poisson::Params::rate, "requests a second").at_least(kLowestRate)}};

}  // namespace
}  // namespace idlesim
