// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Batch Poisson: batches arrive at random, their sizes are geometric.
class Batch final : public ArrivalProcess {
public:
    struct Params {
        Frequency rate{10'000, 1};
        double mean_size = 4;
    };

    explicit Batch(const Params& params)
        : params_{params},
          gap_{Distribution::exponential(Duration{static_cast<std::int64_t>(
              params.mean_size * static_cast<double>(gap_of(params.rate).count()))})},
          one_more_{probability_threshold(1.0 - 1.0 / params.mean_size)} {}

    [[nodiscard]] Duration next_gap(RandomStream& random) override {
        if (in_batch_ && random.chance(one_more_)) {
            return Duration::zero();
        }
        in_batch_ = true;
        return gap_.sample(random);
    }

    [[nodiscard]] double rate() const override { return per_second(params_.rate); }

private:
    Params params_;
    Distribution gap_;
    std::uint64_t one_more_;
    bool in_batch_ = false;
};

const Register<ArrivalProcess, Batch> kBatch{
    "batch",
    "batches that arrive at random; the requests of a batch arrive together",
    {
        config::field("rate", &Batch::Params::rate, "requests (not batches) a second")
            .at_least(kLowestRate),
        config::field("mean_size",
                      &Batch::Params::mean_size,
                      "mean number of requests of a batch; geometric, at least 1")
            .at_least(1.0)
            .at_most(1000.0),
    }};

}  // namespace
}  // namespace idlesim
