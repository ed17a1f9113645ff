// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/arrival_times.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Recorded gaps, in their order; after the last one the first one again.
class Csv final : public ArrivalProcess {
public:
    struct Params {
        ArrivalTimes file;
        double speed = 1;
    };

    explicit Csv(Params params) : params_{std::move(params)} {}

    [[nodiscard]] Duration next_gap(RandomStream& /*random*/) override {
        const std::vector<Duration>& gaps = *params_.file.gaps;
        const Duration gap = gaps[next_];
        next_ = next_ + 1 == gaps.size() ? 0 : next_ + 1;
        return params_.speed == 1.0 ? gap
                                    : Duration{static_cast<std::int64_t>(
                                          static_cast<double>(gap.count()) / params_.speed)};
    }

    [[nodiscard]] double rate() const override {
        Duration sum{};
        for (const Duration gap : *params_.file.gaps) {
            sum += gap;
        }
        return params_.speed * static_cast<double>(params_.file.gaps->size()) /
               std::chrono::duration<double>(sum).count();
    }

private:
    Params params_;
    std::size_t next_ = 0;
};

const Register<ArrivalProcess, Csv> kCsv{
    "csv",
    "recorded arrivals; when the file ends it begins again",
    {
        config::field("file",
                      &Csv::Params::file,
                      "path of a CSV file, relative to this one, with a column interarrival_UNIT "
                      "or arrival_UNIT (UNIT: ns, us, ms or s)")
            .required(),
        config::field("speed", &Csv::Params::speed, "how many times faster than recorded")
            .at_least(1e-6)
            .at_most(1e6),
    }};

}  // namespace
}  // namespace idlesim
