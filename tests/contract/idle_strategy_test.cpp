// SPDX-License-Identifier: Apache-2.0
// What every registered idle strategy has to keep: whatever wakes a CPU, at whatever instant of
// its way into idle, is served, once, and soon.
#include "models/kernel/kernel.hpp"
#include "models/machine.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/guest_platform.hpp"
#include "tests/support/plain_platform.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

constexpr Duration kStep = 10ns;
constexpr int kTarget = 1;
constexpr int kWaker = 0;

/// A machine whose target goes idle at time 0 with one sleeping task, and what happens to it.
class Scene {
public:
    explicit Scene(const std::string& strategy_name,
                   PlatformSpec platform = test::plain_platform(kStep))
        : platform_{std::move(platform)},
          strategy_{Registry<IdleStrategy>::choice(strategy_name).make()},
          machine_{platform_, {kWaker, kTarget}, 1, 1},
          kernel_{machine_, KernelSpec{}, *strategy_} {
        ProgramBuilder b = machine_.program("wakee");
        const Label loop = b.label();
        b.bind(loop).effect(effect_of<&Scene::wakee_runs>(this));
        kernel_.emit_schedule(b);
        b.jump(loop);
        wakee_ = &kernel_.add_task("wakee", kTarget);
        wakee_->program = &machine_.keep(b.finish());
        vector_ = kernel_.allocate_vector();
        handler_ = &machine_.keep(kernel_.interrupt_program("device", [this](ProgramBuilder& body) {
            body.effect(effect_of<&Scene::device_wakes>(this));
        }));
        machine_.cpu(kTarget).set_handler(vector_, handler_);
    }

    Machine& machine() { return machine_; }

    Kernel& kernel() { return kernel_; }

    LogicalCpu& target() { return machine_.cpu(kTarget); }

    /// A device interrupt whose handler wakes the task.
    void interrupt_at(Duration at) {
        at_time(at, [](Scene& scene) { scene.target().raise(scene.vector_); });
    }

    void nmi_at(Duration at) {
        at_time(at, [](Scene& scene) { scene.target().raise_nmi(); });
    }

    void smi_at(Duration at) {
        at_time(at, [](Scene& scene) {
            scene.target().raise_smi(100ns);
            scene.machine().cpu(kWaker).raise_smi(100ns);
        });
    }

    /// A task on the other CPU begins to wake the sleeping one.
    void remote_wake_at(Duration at) {
        ProgramBuilder b = machine_.program("waker");
        b.wait_for_release();
        kernel_.emit_wake(b, *wakee_);
        const Label end = b.label();
        b.bind(end).wait_for_release().jump(end);
        Task& waker = kernel_.add_task("waker", kWaker);
        waker.program = &machine_.keep(b.finish());
        kernel_.make_runnable(waker);
        at_time(at, [](Scene& scene) { scene.machine().cpu(kWaker).release(); });
    }

    /// A function call from the other CPU that wakes the task.
    void cross_call_at(Duration at) {
        CrossCall& call = kernel_.add_function_call(kTarget, effect_of<&Scene::device_wakes>(this));
        ProgramBuilder b = machine_.program("caller");
        b.wait_for_release();
        kernel_.emit_call(b, call);
        const Label end = b.label();
        b.bind(end).wait_for_release().jump(end);
        Task& waker = kernel_.add_task("caller", kWaker);
        waker.program = &machine_.keep(b.finish());
        kernel_.make_runnable(waker);
        at_time(at, [](Scene& scene) { scene.machine().cpu(kWaker).release(); });
    }

    /// Runs long enough for any wake-up to be served, short of the next tick.
    void run(Duration length = 20us) {
        kernel_.start();
        machine_.simulation().run_until(machine_.now() + length);
    }

    int handler_runs = 0;
    int wakee_runs_count = 0;
    std::optional<Time> wakee_ran_at;

private:
    struct Timed {
        Timed(Scene& owner, void (*action_function)(Scene&))
            : scene{owner},
              action{action_function},
              event{owner.machine_.simulation(), "test", Phase::interrupt, &fire, this} {}

        static void fire(void* context) {
            auto* self = static_cast<Timed*>(context);
            self->action(self->scene);
        }

        Scene& scene;
        void (*action)(Scene&);
        Event event;
    };

    void at_time(Duration at, void (*action)(Scene&)) {
        timed_.push_back(std::make_unique<Timed>(*this, action));
        machine_.simulation().schedule(timed_.back()->event, Time{} + at);
    }

    bool device_wakes(LogicalCpu& cpu, std::uint64_t) {
        ++handler_runs;
        kernel_.wake_here(*wakee_, cpu);
        return false;
    }

    bool wakee_runs(LogicalCpu& cpu, std::uint64_t) {
        ++wakee_runs_count;
        wakee_ran_at = cpu.now();
        Kernel::sleep(*wakee_);
        return false;
    }

    PlatformSpec platform_;
    std::unique_ptr<IdleStrategy> strategy_;
    Machine machine_;
    Kernel kernel_;
    Task* wakee_ = nullptr;
    Vector vector_ = 0;
    const Program* handler_ = nullptr;
    std::vector<std::unique_ptr<Timed>> timed_;
};

constexpr Duration kEntryWindow = 400ns;

/// Instants to try: one picosecond before, at and after every boundary between two steps of the
/// entry (all of them lie on multiples of kStep), and in the middle of a step.
std::vector<Duration> instants() {
    std::vector<Duration> all;
    for (Duration boundary = kStep; boundary <= kEntryWindow; boundary += kStep) {
        for (const Duration at :
             {boundary - Duration{1}, boundary, boundary + Duration{1}, boundary + kStep / 2}) {
            all.push_back(at);
        }
    }
    return all;
}

std::vector<std::string> strategies() {
    return Registry<IdleStrategy>::names();
}

}  // namespace

TEST_CASE("every idle strategy is asleep at the end of the entry window", "[contract]") {
    for (const std::string& name : strategies()) {
        INFO(name);
        Scene scene{name};
        scene.kernel().start();
        scene.machine().simulation().run_until(Time{} + kEntryWindow);
        const CpuState state = scene.target().state();
        CHECK((state == CpuState::resident || state == CpuState::polling));
    }
}

TEST_CASE("an interrupt at any instant of the entry is handled once and its task runs once",
          "[contract]") {
    for (const std::string& name : strategies()) {
        for (const Duration at : instants()) {
            INFO(name << ", interrupt at " << at.count() << " ps");
            Scene scene{name};
            scene.interrupt_at(at);
            scene.run();
            CHECK(scene.handler_runs == 1);
            CHECK(scene.wakee_runs_count == 1);
        }
    }
}

TEST_CASE("a remote wake-up at any instant of the entry is not lost", "[contract]") {
    for (const std::string& name : strategies()) {
        for (const Duration at : instants()) {
            INFO(name << ", waker starts at " << at.count() << " ps");
            Scene scene{name};
            scene.remote_wake_at(at);
            scene.run();
            CHECK(scene.wakee_runs_count == 1);
        }
    }
}

TEST_CASE("a cross call at any instant of the entry runs once", "[contract]") {
    for (const std::string& name : strategies()) {
        for (const Duration at : instants()) {
            INFO(name << ", caller starts at " << at.count() << " ps");
            Scene scene{name};
            scene.cross_call_at(at);
            scene.run();
            CHECK(scene.handler_runs == 1);
            CHECK(scene.wakee_runs_count == 1);
        }
    }
}

TEST_CASE("an SMI at any instant loses neither an interrupt nor a remote wake-up", "[contract]") {
    for (const std::string& name : strategies()) {
        for (Duration at = kStep; at <= kEntryWindow; at += kStep) {
            for (const Duration distance : {-kStep / 2, Duration{0}, kStep / 2, kStep}) {
                INFO(name << ", interrupt at " << at.count() << " ps, SMI " << distance.count()
                          << " ps later");
                Scene by_interrupt{name};
                by_interrupt.interrupt_at(at);
                by_interrupt.smi_at(at + distance);
                by_interrupt.run();
                CHECK(by_interrupt.handler_runs == 1);
                CHECK(by_interrupt.wakee_runs_count == 1);

                Scene by_store{name};
                by_store.remote_wake_at(at);
                by_store.smi_at(at + distance);
                by_store.run();
                CHECK(by_store.wakee_runs_count == 1);
            }
        }
    }
}

TEST_CASE("an NMI at any instant loses a wake-up only where the hardware does", "[contract]") {
    for (const std::string& name : strategies()) {
        int lost = 0;
        for (Duration interrupt = kStep; interrupt <= kEntryWindow; interrupt += kStep) {
            for (Duration nmi = interrupt - 4 * kStep; nmi <= interrupt + 4 * kStep;
                 nmi += kStep / 2) {
                if (nmi < Duration::zero()) {
                    continue;
                }
                Scene scene{name};
                scene.interrupt_at(interrupt);
                scene.nmi_at(nmi);
                scene.run();
                CHECK(scene.handler_runs == 1);
                lost += scene.wakee_runs_count == 1 ? 0 : 1;
            }
        }
        INFO(name << ": " << lost << " wake-ups lost to an NMI");
        const bool expected = Registry<IdleStrategy>::choice(name).make()->loses_wakeup_after_nmi();
        CHECK((lost > 0) == expected);
    }
}

namespace {

/// Virtual CPUs on a machine where every step takes the same time, whose host idles by `host`.
PlatformSpec virtual_platform(const std::string& host, bool ipi_virtualization, bool posted) {
    PlatformSpec platform = test::plain_platform(kStep);
    test::add_hypervisor(platform, kStep);
    VirtualMachineSpec& machine = *platform.virtual_machine;
    machine.ipi_virtualization = ipi_virtualization;
    machine.posted_interrupts = posted;
    machine.halt_poll.grow_start = 300ns;
    machine.halt_poll.max = 300ns;
    machine.host.cpuidle = "none";
    machine.host.idle = Registry<IdleStrategy>::choice(host);
    return platform;
}

constexpr Duration kWholeHalt = 700ns;  // poll, block and the host's way to sleep

template <class Wake>
void wake_at_every_instant(const std::string& guest, Duration from, const Wake& wake, int runs) {
    for (const std::string host : {"hlt", "mwait_c1", "intel_idle", "poll"}) {
        for (const bool ipi_virtualization : {false, true}) {
            for (const bool posted : {false, true}) {
                const PlatformSpec platform = virtual_platform(host, ipi_virtualization, posted);
                for (Duration at = from; at < from + kWholeHalt; at += kStep / 2) {
                    INFO(guest << " on " << host << ", " << at.count() << " ps, "
                               << ipi_virtualization << posted);
                    Scene scene{guest, platform};
                    wake(scene, at);
                    scene.run(10us);
                    CHECK(scene.wakee_runs_count == runs);
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("no wake-up is lost on the way of a halted guest into its host's idle state",
          "[contract][vm]") {
    wake_at_every_instant(
        "hlt", kStep, [](Scene& scene, Duration at) { scene.interrupt_at(at); }, 1);
    wake_at_every_instant(
        "hlt", kStep, [](Scene& scene, Duration at) { scene.remote_wake_at(at); }, 1);
    wake_at_every_instant(
        "hlt", kStep, [](Scene& scene, Duration at) { scene.cross_call_at(at); }, 1);
}

TEST_CASE("no wake-up is lost while the host polls for its guest, or gives up", "[contract][vm]") {
    const auto twice = [](auto wake) {
        return [wake](Scene& scene, Duration at) {
            scene.interrupt_at(500ns);
            wake(scene, at);
        };
    };
    wake_at_every_instant(
        "hlt", 1us, twice([](Scene& scene, Duration at) { scene.interrupt_at(at); }), 2);
    wake_at_every_instant(
        "hlt", 1us, twice([](Scene& scene, Duration at) { scene.remote_wake_at(at); }), 2);
}

TEST_CASE("the time of both CPUs is accounted for to the picosecond", "[contract]") {
    for (const std::string& name : strategies()) {
        INFO(name);
        Scene scene{name};
        scene.remote_wake_at(2us);
        scene.interrupt_at(7us);
        scene.nmi_at(9us);
        scene.smi_at(11us);
        scene.run();
        for (const int number : {kWaker, kTarget}) {
            Duration sum{};
            for (const Duration part : scene.machine().cpu(number).residency()) {
                sum += part;
            }
            CHECK(sum == scene.machine().now() - Time{});
        }
    }
}

}  // namespace idlesim
