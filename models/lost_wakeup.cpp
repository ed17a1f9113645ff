// SPDX-License-Identifier: Apache-2.0
#include "models/lost_wakeup.hpp"

#include "models/wake_scene.hpp"
#include "models/wake_story.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace idlesim {

namespace {

constexpr Duration kStep = WakeScene::kStep;

// Where inside a step an event comes: just behind its beginning, in the middle, just before its
// end. Not at a boundary itself, where two things would happen at once.
constexpr std::array<Duration, 3> kPhases{Duration{1}, kStep / 2, kStep - Duration{1}};

// How often a sleep is ended to see what lies behind it.
constexpr int kMostSleeps = 3;

/// Stops the simulation where a pause loop has ended.
class LoopEnd final : public CpuListener {
public:
    void on_probe(ProbePoint point, LogicalCpu& cpu) override {
        if (point == ProbePoint::resumed && is_awaited_) {
            cpu.simulation().stop();
        }
    }

    /// Lets a polling CPU poll on until its loop ends; false when it does not.
    bool passes(WakeScene& scene) {
        const Duration before = scene.now();
        is_awaited_ = true;
        scene.run_for(WakeScene::kForever);
        is_awaited_ = false;
        return scene.now() < before + WakeScene::kForever;
    }

private:
    bool is_awaited_ = false;
};

/// Beginnings of the steps from the scene's present on until the target waits for good, and some
/// of them beyond.
std::vector<Duration> steps_until_rest(WakeScene& scene) {
    constexpr int kStepsOfRest = 3;
    LoopEnd loop_end;
    LogicalCpu& cpu = scene.target();
    cpu.set_listener(&loop_end);
    // A program that never waits comes round before it has used this up.
    std::size_t budget = 100 + 2 * cpu.context().top().program->ops.size();
    std::vector<Duration> steps;
    for (int rest = 0; budget > 0 && rest < kStepsOfRest; --budget) {
        steps.push_back(scene.now());
        scene.run_for(kStep);
        const bool polls = cpu.state() == CpuState::polling;
        rest = polls || cpu.state() == CpuState::resident ? rest + 1 : 0;
        if (rest == kStepsOfRest && polls && loop_end.passes(scene)) {
            steps.push_back(scene.now() - kStep);
            rest = 0;
        }
    }
    cpu.set_listener(nullptr);
    return steps;
}

/// A stretch of the way through idle that is searched, and what leads up to it.
struct Stretch {
    Disturbance disturbance = Disturbance::interrupt;
    std::vector<Duration> disturbed_at;
    std::vector<Duration> steps;
};

/// Adds the stretch up to the first sleep, and those behind it when disturbances end it.
void add_stretches(const PlatformSpec& platform,
                   const IdleStrategy& strategy,
                   Disturbance disturbance,
                   std::vector<Stretch>& all) {
    Stretch next;
    next.disturbance = disturbance;
    for (int sleeps = 0; sleeps <= kMostSleeps; ++sleeps) {
        WakeScene scene{
            platform,
            strategy,
            {WakeEvent::device_interrupt, std::nullopt, disturbance, next.disturbed_at}};
        scene.start();
        if (sleeps > 0) {
            scene.run_for(next.disturbed_at.back());
        }
        next.steps = steps_until_rest(scene);
        // Up to the first sleep it does not matter what will end it.
        if (sleeps > 0 || all.empty()) {
            all.push_back(next);
        }
        if (scene.target().state() != CpuState::resident) {
            break;
        }
        next.disturbed_at.push_back(scene.now() + kStep);
    }
}

}  // namespace

std::optional<LostWakeup> find_lost_wakeup(const IdleStrategy& strategy) {
    const PlatformSpec platform = platform_for(strategy);
    std::vector<Stretch> all;
    for (const Disturbance disturbance : {Disturbance::interrupt, Disturbance::store}) {
        add_stretches(platform, strategy, disturbance, all);
    }
    for (const WakeEvent event :
         {WakeEvent::device_interrupt, WakeEvent::remote_wake, WakeEvent::cross_call}) {
        for (const Stretch& stretch : all) {
            for (const Duration step : stretch.steps) {
                for (const Duration phase : kPhases) {
                    const WakeScript script{
                        event, step + phase, stretch.disturbance, stretch.disturbed_at};
                    WakeScene scene{platform, strategy, script};
                    scene.start();
                    if (!scene.comes_through()) {
                        WakeScene again{platform, strategy, script};
                        return LostWakeup{std::string{name_of(event)}, tell(again)};
                    }
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace idlesim
