// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/rt_app/stage.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// The tasks of a rt-app profile. wake_latency runs from the instant at which a sleep or a timer
/// ends, or another task begins to wake this one, to its first instruction; slack is what rt-app
/// logs: how much time was left when a task began to wait for a timer.
///
/// `run` and `runtime` are computation at the nominal clock on a core of one's own; locks and
/// conditions cost what a futex does.
class RtApp final : public Workload {
public:
    struct Params {
        rt_app::ProfileFile profile;
        std::vector<int> cpus;
        std::optional<Duration> duration;
    };

    explicit RtApp(Params params) : params_{std::move(params)} {}

    // What does not exist is reported by check(), at its place in the profile.
    [[nodiscard]] std::vector<int> cpus(const Topology& topology) const override {
        std::vector<int> all = free_cpus(topology);
        for (const rt_app::TaskSpec& task : profile().tasks) {
            std::copy_if(task.cpus.begin(), task.cpus.end(), std::back_inserter(all), [&](int cpu) {
                return cpu < topology.cpus();
            });
        }
        return all;
    }

    void check(const PlatformSpec& platform,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        for (const rt_app::TaskSpec& task : profile().tasks) {
            const int most = platform.topology.cpus() - 1;
            if (!task.cpus.empty() && task.cpus.back() > most) {
                diagnostics.error(task.cpus_location,
                                  fmt::format("{}: CPU {} does not exist; platform '{}' has CPUs "
                                              "0 to {}",
                                              task.name,
                                              task.cpus.back(),
                                              platform.name,
                                              most));
            }
        }
        if (!length() && profile().is_endless()) {
            diagnostics.error(where,
                              "rt_app: a task of the profile loops forever and neither the profile "
                              "nor the workload has a duration; add one, such as duration: 5 s");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        simulation_ = &kernel.machine().simulation();
        const Topology& topology = kernel.machine().platform().topology;
        free_cpus_ = free_cpus(topology);
        stage_ =
            std::make_unique<rt_app::Stage>(kernel, profile(), free_cpus_, options.sample_rows);
        if (const auto end = length()) {
            end_ = std::make_unique<Event>(
                *simulation_, "rt_app.end", Phase::observe, bind<&RtApp::end>(this));
            simulation_->schedule_in(*end_, *end);
        } else {
            phases_ = profile().phase_count();
        }
    }

    [[nodiscard]] double progress() const override {
        constexpr double kAlmost = 0.999;
        if (is_over_ || stage_->all_ended()) {
            return 1.0;
        }
        const double done =
            length() ? std::chrono::duration<double>(simulation_->now() - Time{}) /
                           std::chrono::duration<double>(*length())
                     : static_cast<double>(stage_->phases_done()) / std::max(phases_, 1.0);
        return std::min(done, kAlmost);
    }

    void collect(RunResult& result) override { stage_->collect(result); }

private:
    [[nodiscard]] const rt_app::Profile& profile() const { return *params_.profile.profile; }

    [[nodiscard]] std::optional<Duration> length() const {
        return params_.duration ? params_.duration : profile().duration;
    }

    [[nodiscard]] std::vector<int> free_cpus(const Topology& topology) const {
        std::vector<int> cpus = params_.cpus;
        for (int cpu = 0; params_.cpus.empty() && cpu < topology.cpus(); ++cpu) {
            cpus.push_back(cpu);
        }
        std::sort(cpus.begin(), cpus.end());
        cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
        return cpus;
    }

    void end() {
        is_over_ = true;
        simulation_->stop();
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::vector<int> free_cpus_;
    std::unique_ptr<rt_app::Stage> stage_;
    std::unique_ptr<Event> end_;
    double phases_ = 0;
    bool is_over_ = false;
};

const Register<Workload, RtApp> kRtApp{
    "rt_app",
    "the tasks of a rt-app profile: they run, sleep, wait for timers and wake each other",
    {
        config::field(
            "profile", &RtApp::Params::profile, "path of rt-app's JSON file, relative to this one")
            .required(),
        config::field("cpus",
                      &RtApp::Params::cpus,
                      "CPUs of the tasks that the profile binds to none; none: all of the "
                      "platform"),
        config::field("duration",
                      &RtApp::Params::duration,
                      "simulated time; absent: as the profile says, or until all tasks have ended")
            .positive(),
    }};

}  // namespace
}  // namespace idlesim
