// SPDX-License-Identifier: Apache-2.0
#include "models/wake_scene.hpp"

#include <algorithm>
#include <utility>

namespace idlesim {

namespace {

using namespace std::chrono_literals;

constexpr int kWaker = 0;
constexpr int kTarget = 1;

KernelSpec plain_kernel() {
    KernelSpec spec;
    spec.hz = 1;
    spec.wake_list = WakeList::never;
    return spec;
}

PlatformSpec bare_platform() {
    PlatformSpec platform;
    platform.name = "plain";
    platform.vendor = "AMD";
    platform.topology = {1, 1, 2, 1, 1, {}};
    return platform;
}

}  // namespace

std::string_view name_of(WakeEvent event) {
    switch (event) {
        case WakeEvent::device_interrupt:
            return "device interrupt";
        case WakeEvent::remote_wake:
            return "wake-up by another CPU";
        case WakeEvent::cross_call:
            return "cross call";
    }
    return "";
}

/// Something that happens at a time of the script.
struct WakeScene::Cue {
    Cue(WakeScene& owner, void (*what)(WakeScene&))
        : scene{owner},
          action{what},
          event{owner.machine_.simulation(), "wake_scene", Phase::interrupt, &fire, this} {}

    static void fire(void* context) {
        const Cue& self = *static_cast<Cue*>(context);
        self.action(self.scene);
    }

    WakeScene& scene;
    void (*action)(WakeScene&);
    Event event;
};

void WakeScene::Marked::emit(ProgramBuilder& b, const EntryRequest& request) const {
    b.probe(ProbePoint::idle_entry);
    strategy_.emit(b, request);
    b.probe(ProbePoint::idle_exit);
}

WakeScene::WakeScene(const PlatformSpec& platform, const IdleStrategy& strategy, WakeScript script)
    : script_{std::move(script)},
      strategy_{strategy},
      machine_{platform, {kWaker, kTarget}, 1, 1},
      kernel_{machine_, plain_kernel(), strategy_} {
    add_wakee();
    add_waker();
    add_devices();
    add_cues();
    kernel_.build();
}

WakeScene::~WakeScene() = default;

LogicalCpu& WakeScene::target() {
    return machine_.cpu(kTarget);
}

void WakeScene::start() {
    path_.start(machine_.now());
    target().attach(path_);
    kernel_.start();
}

bool WakeScene::comes_through() {
    constexpr int kMostLooks = 200;
    run_for(*script_.at - now());
    Duration look = kSettled;
    for (int looks = 0; looks < kMostLooks && now() < kForever; ++looks) {
        const Time last = path_.last();
        run_for(look);
        if (wakee_ran_) {
            return true;
        }
        const CpuState state = target().state();
        if (state == CpuState::resident && path_.last() == last) {
            return false;
        }
        look = state == CpuState::polling ? 2 * look : kSettled;
    }
    return false;
}

void WakeScene::at_time(Duration at, void (*action)(WakeScene&)) {
    cues_.push_back(std::make_unique<Cue>(*this, action));
    machine_.simulation().schedule(cues_.back()->event, Time{} + at);
}

void WakeScene::add_wakee() {
    ProgramBuilder b = machine_.program("wakee");
    const Label loop = b.label();
    b.bind(loop).effect(effect_of<&WakeScene::wakee_runs>(this));
    kernel_.emit_schedule(b);
    b.jump(loop);
    wakee_ = &kernel_.add_task("wakee", kTarget);
    wakee_->program = &machine_.keep(b.finish());
}

void WakeScene::add_waker() {
    ProgramBuilder b = machine_.program("waker");
    b.wait_for_release();
    if (script_.event == WakeEvent::cross_call) {
        const Effect function = effect_of<&WakeScene::wakes>(this);
        kernel_.emit_call(b, kernel_.add_function_call(kTarget, function));
    } else {
        kernel_.emit_wake(b, *wakee_);
    }
    const Label end = b.label();
    b.bind(end).wait_for_release().jump(end);
    Task& waker = kernel_.add_task("waker", kWaker);
    waker.program = &machine_.keep(b.finish());
    kernel_.make_runnable(waker);
}

void WakeScene::add_devices() {
    waking_vector_ = kernel_.allocate_vector();
    other_vector_ = kernel_.allocate_vector();
    const auto wake = [this](ProgramBuilder& body) {
        body.effect(effect_of<&WakeScene::wakes>(this));
    };
    const Program& waking = machine_.keep(kernel_.interrupt_program("device", wake));
    const Program& other =
        machine_.keep(kernel_.interrupt_program("other device", [](ProgramBuilder&) {}));
    target().set_handler(waking_vector_, &waking);
    target().set_handler(other_vector_, &other);
}

void WakeScene::add_cues() {
    if (script_.at && script_.event == WakeEvent::device_interrupt) {
        at_time(*script_.at, [](WakeScene& s) { s.target().raise(s.waking_vector_); });
    } else if (script_.at) {
        at_time(*script_.at, [](WakeScene& s) { s.machine_.cpu(kWaker).release(); });
    }
    for (const Duration at : script_.disturbed_at) {
        if (script_.disturbance == Disturbance::interrupt) {
            at_time(at, [](WakeScene& s) { s.target().raise(s.other_vector_); });
        } else {
            at_time(at, [](WakeScene& s) { s.target().monitored_line_written(); });
        }
    }
}

bool WakeScene::wakes(LogicalCpu& cpu, std::uint64_t) {
    kernel_.wake_here(*wakee_, cpu);
    return false;
}

bool WakeScene::wakee_runs(LogicalCpu&, std::uint64_t) {
    wakee_ran_ = true;
    Kernel::sleep(*wakee_);
    return false;
}

PlatformSpec platform_for(const IdleStrategy& strategy) {
    PlatformSpec platform = bare_platform();
    const auto add = [&platform](const std::string& name) {
        Cost cost;
        cost.value = name.starts_with("line_transfer") ? WakeScene::kTransfer : WakeScene::kStep;
        platform.costs.entries.push_back({name, {}, cost});
    };
    for (const WakeEvent event :
         {WakeEvent::device_interrupt, WakeEvent::remote_wake, WakeEvent::cross_call}) {
        bool is_complete = false;
        while (!is_complete) {
            try {
                const WakeScene scene{platform, strategy, {event, {}, {}, {}}};
                is_complete = true;
            } catch (const MissingCost& missing) {
                add(missing.cost());
            }
        }
    }
    return platform;
}

}  // namespace idlesim
