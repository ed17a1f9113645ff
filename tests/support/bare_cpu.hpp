// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/machine.hpp"
#include "tests/support/plain_platform.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace idlesim::test {

/// A machine of two CPUs, or those given, without a kernel: programs and events are the test's own.
/// Every step takes 10 ns.
class BareMachine {
public:
    explicit BareMachine(PlatformSpec spec = plain_platform(),
                         const std::vector<int>& cpus = {0, 1})
        : platform_{std::move(spec)}, machine_{platform_, cpus, 1, 1} {}

    Machine& machine() { return machine_; }

    LogicalCpu& cpu(int number = 0) { return machine_.cpu(number); }

    ProgramBuilder program(const std::string& name) { return machine_.program(name); }

    /// An operation without cost that writes `what` and the time in ns to the log.
    void log(ProgramBuilder& b, std::string what) {
        notes_.push_back(std::make_unique<Note>(Note{this, std::move(what)}));
        b.effect({&BareMachine::write, notes_.back().get()});
    }

    /// A handler that logs its name; takes vectoring, entry and IRET, 30 ns.
    const Program& handler(const std::string& name) {
        ProgramBuilder b = machine_.program(name);
        b.work("vectoring").work("irq_entry");
        log(b, name);
        b.iret();
        return machine_.keep(b.finish());
    }

    void at(Duration time, std::function<void()> action) {
        actions_.push_back(std::make_unique<Action>(machine_.simulation(), std::move(action)));
        machine_.simulation().schedule(actions_.back()->event, Time{} + time);
    }

    void start(int number, Program program) {
        const Program& kept = machine_.keep(std::move(program));
        contexts_.push_back(std::make_unique<Context>());
        contexts_.back()->reset(kept);
        machine_.cpu(number).start(*contexts_.back());
    }

    void run_until(Duration end) { machine_.simulation().run_until(Time{} + end); }

    /// "what@ns what@ns ..."
    [[nodiscard]] const std::string& log_text() const { return log_; }

private:
    struct Note {
        BareMachine* owner;
        std::string what;
    };

    struct Action {
        Action(Simulation& simulation, std::function<void()> function)
            : action{std::move(function)},
              event{simulation,
                    "test",
                    Phase::interrupt,
                    [](void* context) { static_cast<Action*>(context)->action(); },
                    this} {}

        std::function<void()> action;
        Event event;
    };

    static bool write(void* context, LogicalCpu& cpu, std::uint64_t) {
        const Note& note = *static_cast<Note*>(context);
        std::string& log = note.owner->log_;
        log += (log.empty() ? "" : " ") + note.what + "@" +
               std::to_string((cpu.now() - Time{}).count() / 1000);
        return false;
    }

    PlatformSpec platform_;
    Machine machine_;
    std::vector<std::unique_ptr<Note>> notes_;
    std::vector<std::unique_ptr<Action>> actions_;
    std::vector<std::unique_ptr<Context>> contexts_;
    std::string log_;
};

/// The last operation of a program that is over: nothing wakes it, nothing follows.
inline void rest(ProgramBuilder& b) {
    const Label end = b.label();
    b.bind(end).wait_for_release().jump(end);
}

}  // namespace idlesim::test
