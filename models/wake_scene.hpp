// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "models/machine.hpp"
#include "models/strategy/idle_strategy.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace idlesim {

/// What wakes a sleeping task.
enum class WakeEvent : std::uint8_t {
    device_interrupt,  ///< its handler does
    remote_wake,       ///< the other CPU does, by store or IPI, as the flags tell it
    cross_call,        ///< a function that the other CPU has called here does
};

std::string_view name_of(WakeEvent);

/// What ends a sleep and wakes nobody.
enum class Disturbance : std::uint8_t {
    interrupt,  ///< whose handler has other things to do
    store,      ///< to another flag in the monitored line
};

/// What happens in a scene, and when.
struct WakeScript {
    WakeEvent event = WakeEvent::device_interrupt;
    std::optional<Duration> at;
    Disturbance disturbance = Disturbance::interrupt;
    std::vector<Duration> disturbed_at;
};

/// A plain machine whose target goes idle at time 0 with one sleeping task, and whose other CPU
/// waits to wake it. No tick comes to the rescue. Probes stand at both ends of the strategy's
/// operations (idle_entry, idle_exit).
class WakeScene {
public:
    /// What every operation takes.
    static constexpr Duration kStep = std::chrono::nanoseconds{10};
    /// Lines cross faster, so that a store also falls between two operations.
    static constexpr Duration kTransfer = std::chrono::nanoseconds{1};
    /// Everything that is under way is over after this time, unless the CPU polls.
    static constexpr Duration kSettled = std::chrono::microseconds{1};
    /// Longer than any sensible poll.
    static constexpr Duration kForever = std::chrono::seconds{1000};

    /// The platform must outlive the scene, and give every cost (platform_for).
    WakeScene(const PlatformSpec& platform, const IdleStrategy& strategy, WakeScript script);
    WakeScene(const WakeScene&) = delete;
    WakeScene(WakeScene&&) = delete;
    WakeScene& operator=(const WakeScene&) = delete;
    WakeScene& operator=(WakeScene&&) = delete;
    ~WakeScene();

    void start();

    [[nodiscard]] const WakeScript& script() const { return script_; }

    [[nodiscard]] Machine& machine() { return machine_; }

    [[nodiscard]] LogicalCpu& target();

    /// Every operation of the target, with its time.
    [[nodiscard]] const Attribution& path() const { return path_; }

    [[nodiscard]] Duration now() const { return machine_.now() - Time{}; }

    void run_for(Duration time) { machine_.simulation().run_until(machine_.now() + time); }

    /// Goes on until the target comes to rest after the event: has the task run?
    bool comes_through();

private:
    struct Cue;

    /// The strategy between two probes.
    class Marked final : public IdleStrategy {
    public:
        explicit Marked(const IdleStrategy& strategy) : strategy_{strategy} {}

        void emit(ProgramBuilder& b, const EntryRequest& request) const override;

    private:
        const IdleStrategy& strategy_;
    };

    void at_time(Duration at, void (*action)(WakeScene&));
    void add_wakee();
    void add_waker();
    void add_devices();
    void add_cues();
    bool wakes(LogicalCpu& cpu, std::uint64_t);
    bool wakee_runs(LogicalCpu& cpu, std::uint64_t);

    WakeScript script_;
    Marked strategy_;
    Machine machine_;
    Kernel kernel_;
    Attribution path_;
    Task* wakee_ = nullptr;
    Vector waking_vector_ = 0;
    Vector other_vector_ = 0;
    bool wakee_ran_ = false;
    std::vector<std::unique_ptr<Cue>> cues_;
};

/// A platform that gives every cost that the strategy and the scene ask for, whatever their names.
PlatformSpec platform_for(const IdleStrategy& strategy);

}  // namespace idlesim
