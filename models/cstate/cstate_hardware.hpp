// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/logical_cpu.hpp"
#include "models/cpu/sleep_hardware.hpp"
#include "models/cstate/power_meter.hpp"
#include "models/platform/platform.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// More than any platform lists.
constexpr std::size_t kMaxHardwareStates = 12;

/// Time that a CPU has spent asleep in each hardware state, as it was granted.
struct GrantedTime {
    std::array<Duration, kMaxHardwareStates> core{};  ///< [state], package states left out
    /// [state of its package], at the same time
    std::array<Duration, kMaxHardwareStates> package{};
};

/// The idle states of a machine's cores, modules and packages. A CPU gets the deepest state that it
/// has asked for and that all who share it have asked for too; a state of one thread is granted at
/// once, a package state after its entry time. Demotion and promotion change what is granted, never
/// what was requested. (Intel SDM volume 3A, 8.10; Documentation/admin-guide/pm/cpuidle.rst, 6.3.)
class CStateHardware final : public SleepHardware {
public:
    /// `platform` and `costs` must outlive it. `cpus` are those that take part; the others sleep,
    /// or keep their package awake, as the firmware section says.
    CStateHardware(const PlatformSpec& platform,
                   const CostTable& costs,
                   StepNames& steps,
                   const std::vector<int>& cpus);
    CStateHardware(const CStateHardware&) = delete;
    CStateHardware(CStateHardware&&) = delete;
    CStateHardware& operator=(const CStateHardware&) = delete;
    CStateHardware& operator=(CStateHardware&&) = delete;
    ~CStateHardware() override;

    CostId entry(LogicalCpu& cpu, int requested, CostId asked) override;
    void arrive(LogicalCpu& cpu, int requested) override;
    HardwareExit wake(LogicalCpu& cpu, WakeCause cause) override;
    void doze(LogicalCpu& cpu) override;
    void state_changed(const LogicalCpu& cpu, CpuState state) override;

    /// Closed at `now`.
    [[nodiscard]] GrantedTime granted(int cpu, Time now) const;

    /// When the last wake event reached the CPU while it slept.
    [[nodiscard]] Time last_wake(int cpu) const;

    /// Joules that an idle period of this length would cost through the core of `cpu`, from the
    /// request for the state (-1: polling) to the end of its exit. `others_work`: some CPU never
    /// sleeps; while one does work, this core's being awake does not keep the machine awake.
    /// Transitions take their mean time. nullopt where the platform says nothing of power.
    [[nodiscard]] std::optional<double> idle_energy(int cpu,
                                                    int state,
                                                    Duration idle,
                                                    bool others_work) const;

    /// nullptr where the platform says nothing of power.
    [[nodiscard]] PowerMeter* power() const { return power_.get(); }

    /// Power of a core that sleeps as deep as it can by itself.
    [[nodiscard]] double deepest_watts() const { return watts(deepest_core_); }

    [[nodiscard]] const std::string& state_name(int state) const;

    [[nodiscard]] int states() const;

    [[nodiscard]] bool is_package_state(int state) const;

private:
    struct State;
    struct Thread;

    /// Who enters a state together.
    struct Domain {
        int members = 0;
        std::array<int, kMaxHardwareStates>
            asleep_for{};  ///< [state]: asleep, asked for it or more
    };

    struct Package {
        int state = -1;      ///< that every core asks for, -1 while one does not
        Time asleep_from{};  ///< the package is in it from then on
        Time awake_from{};   ///< the last exit is over
        StepId exit_step = 0;
        std::array<Duration, kMaxHardwareStates> asleep{};  ///< closed intervals
    };

    struct Demotion {
        int short_sleeps = 0;
    };

    [[nodiscard]] int effective_request(const Thread& thread, int requested) const;
    [[nodiscard]] int granted_state(const Thread& thread) const;
    [[nodiscard]] bool is_complete(const Domain& domain, int state) const;
    void count(const Thread& thread, int requested, int by);
    void resolve_around(const Thread& thread, Time now);
    void enter_package(const Thread& thread, LogicalCpu& cpu);
    void leave_package(const Thread& thread, LogicalCpu& cpu, HardwareExit& exit);
    void learn_demotion(Thread& thread, Duration slept);
    [[nodiscard]] std::optional<int> undemoted(const Thread& thread, Time now) const;
    void go_deeper(Thread& thread, int state, Time now);
    void add_package_time(const Thread& thread, Time now, GrantedTime& time) const;
    [[nodiscard]] Duration package_time(const Package& package, int state, Time now) const;
    void report_power(const Thread& thread, Time now);
    void report_core(int core, const Thread& thread, Time now);
    [[nodiscard]] double watts(int state) const;

    const PlatformSpec& platform_;
    std::vector<State> states_;
    int deepest_core_ = -1;        ///< deepest state that is not a package's
    int deepest_active_ = -1;      ///< deepest state that counts as active for the turbo table
    int promoted_c1_ = 0;          ///< what a request for C1 asks for
    std::vector<Thread> threads_;  // [CPU]; those that take no part are never touched
    std::vector<Domain> cores_;
    std::vector<Domain> modules_;
    std::vector<Domain> packages_;
    std::vector<Package> package_sleep_;
    std::vector<Demotion> demotion_;  // [core]
    std::unique_ptr<PowerMeter> power_;
};

/// A hardware state with what it costs.
struct CStateHardware::State {
    const HardwareState* spec = nullptr;
    std::string name;
    CostId entry = kFree;
    CostId exit = kFree;
    StepId exit_step = 0;
    Duration mean_entry{};
    Duration mean_exit{};
    Duration longest_exit{};  ///< what a pre-wake reckons with
    double slowdown = 1.0;
};

struct CStateHardware::Thread {
    bool takes_part = false;
    bool asleep = false;
    bool is_demoted = false;
    int number = 0;
    int core = 0;
    int module = 0;
    int package = 0;
    int asked = 0;      ///< what the sleeping instruction asked for
    int requested = 0;  ///< after demotion and promotion
    int granted = 0;
    Time arrived{};
    Time woken_at{};
    Time granted_since{};
    std::array<Duration, kMaxHardwareStates> package_before{};
    CpuState activity = CpuState::stopped;
    GrantedTime time;
    std::vector<int> neighbours;  ///< CPUs of the module that take part, itself included
};

}  // namespace idlesim
