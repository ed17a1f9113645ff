// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/timers.hpp"

#include "models/kernel/cpuidle_device.hpp"
#include "models/kernel/kernel.hpp"
#include "models/kernel/tick.hpp"
#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"
#include "tests/support/cpuidle_scene.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// One idle CPU with a kernel and timers that log their names.
class Alarms {
public:
    struct Alarm {
        Alarms* owner = nullptr;
        std::string name;
        HrTimer hr;
        WheelTimer wheel;
        std::function<void()> action;
        std::vector<Time> rang;

        bool ring(LogicalCpu& cpu, std::uint64_t) {
            rang.push_back(cpu.now());
            owner->log_ += (owner->log_.empty() ? "" : " ") + name;
            if (action) {
                action();
            }
            return false;
        }
    };

    explicit Alarms(const std::string& state = "C6")
        : scene_{test::cpuidle_scenario(test::cpuidle_platform(),
                                        "{ kind: quiet, cpus: [0], duration: 100 s }",
                                        "version: \"6.8\"",
                                        test::fixed_governor(state))} {}

    Alarm& add(const std::string& name) {
        Alarm& alarm = alarms_.emplace_back();
        alarm.owner = this;
        alarm.name = name;
        alarm.hr.on_expiry = effect_of<&Alarm::ring>(&alarm);
        alarm.wheel.on_expiry = alarm.hr.on_expiry;
        return alarm;
    }

    Alarm& set(const std::string& name, Duration at) {
        Alarm& alarm = add(name);
        timers().start(alarm.hr, Time{} + at);
        return alarm;
    }

    /// A timer of the wheel, from now.
    Alarm& set_wheel(const std::string& name, Duration delay) {
        Alarm& alarm = add(name);
        scene_.kernel().add_wheel_timer(scene_.cpu(0), alarm.wheel, delay);
        return alarm;
    }

    CpuTimers& timers() { return scene_.kernel().timers(0); }

    test::CpuidleScene& scene() { return scene_; }

    /// Names of the timers that have rung.
    const std::string& run_until(Duration end) {
        scene_.run_until(end);
        return log_;
    }

private:
    test::CpuidleScene scene_;
    std::deque<Alarm> alarms_;
    std::string log_;
};

/// A tick of 1 ms, 300 us after the full milliseconds, on a CPU without a kernel.
class BareTick {
public:
    BareTick() {
        ProgramBuilder handler = bare_.program("tick");
        bare_.log(handler, "tick");
        handler.iret();
        bare_.cpu().set_handler(kLocalTimerVector, &bare_.machine().keep(handler.finish()));
        ProgramBuilder b = bare_.program("task");
        b.sti().work({});  // past the shadow of STI
        test::rest(b);
        bare_.start(0, b.finish());
    }

    Tick& tick() { return tick_; }

    void at(Duration time, std::function<void()> action) { bare_.at(time, std::move(action)); }

    /// "tick@<ns>", one for each.
    std::string run_until(Duration end) {
        bare_.run_until(end);
        return bare_.log_text();
    }

private:
    test::BareMachine bare_{test::plain_platform(0ns)};
    Tick tick_{bare_.cpu(), 1ms, 300us};
};

/// A device that is asked for the sleep length 100 us after the start; the tick of 4 ms falls on
/// full multiples.
class Question {
public:
    Question() : states_(1) {
        device_ = std::make_unique<CpuidleDevice>(states_,
                                                  std::make_unique<Silent>(),
                                                  bare_.cpu(),
                                                  tick_,
                                                  timers_,
                                                  Nanoseconds{2'000'000'000'000});
        bare_.run_until(kNow);
        device_->note_idle_entry(Time{} + kNow);
    }

    Tick& tick() { return tick_; }

    CpuTimers& timers() { return timers_; }

    CpuidleDevice& device() { return *device_; }

    /// Nanoseconds from the idle entry.
    SleepLength ask() { return device_->query_sleep_length(); }

    static constexpr Duration kNow = 100us;

private:
    class Silent final : public Governor {
    public:
        void enable(const std::vector<IdleState>& /*states*/,
                    GovernorEnvironment& /*environment*/) override {}

        [[nodiscard]] IdleDecision select(GovernorEnvironment& /*environment*/,
                                          Explanation* /*explanation*/) override {
            return {};
        }

        void reflect(int /*state*/, GovernorEnvironment& /*environment*/) override {}
    };

    test::BareMachine bare_;
    Tick tick_{bare_.cpu(), 4ms, 0ms};
    CpuTimers timers_{bare_.cpu()};
    std::vector<RegisteredState> states_;
    std::unique_ptr<CpuidleDevice> device_;
};

constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr Nanoseconds kAsked = 100'000;

}  // namespace

TEST_CASE("timers expire in the order of their times, not of their start", "[timers]") {
    Alarms alarms;
    alarms.set("late", 300us);
    alarms.set("early", 100us);
    alarms.set("middle", 200us);
    CHECK(alarms.run_until(99us).empty());
    CHECK(alarms.run_until(1ms) == "early middle late");
}

TEST_CASE("timers of one instant expire in the order of their start, in one interrupt",
          "[timers]") {
    Alarms alarms{"C1"};
    const auto& first = alarms.set("b", 100us);
    const auto& second = alarms.set("a", 100us);
    CHECK(alarms.run_until(1ms) == "b a");
    CHECK(second.rang.at(0) - first.rang.at(0) < 100ns);
    CHECK(alarms.scene().usage(0, "C1").usage == 1);
}

TEST_CASE("a timer that expires while a handler works is served by that handler", "[timers]") {
    Alarms alarms{"C1"};
    alarms.set("a", 100us);
    alarms.set("b", 100us + test::kCc1Exit + 20ns);
    CHECK(alarms.run_until(1ms) == "a b");
    CHECK(alarms.scene().usage(0, "C1").usage <= 2);
}

TEST_CASE("a timer that expires while a handler works is measured from its expiry", "[timers]") {
    // It has no interrupt of its own to begin at.
    Alarms alarms{"C1"};
    Attribution path;
    alarms.set("a", 100us);
    auto& second = alarms.add("b");
    second.hr.path = &path;
    alarms.timers().start(second.hr, Time{} + 100us + test::kCc1Exit + 20ns);
    alarms.run_until(1ms);
    REQUIRE(second.rang.size() == 1);
    CHECK(path.begin() == second.hr.expires);
    CHECK(alarms.scene().cpu(0).carries(path));
}

TEST_CASE("a measured timer's path begins at its expiry and goes with the CPU", "[timers]") {
    Alarms alarms{"C1"};
    Attribution path;
    auto& alarm = alarms.add("a");
    alarm.hr.path = &path;
    alarms.timers().start(alarm.hr, Time{} + 100us);
    alarms.run_until(1ms);
    CHECK(path.begin() == Time{} + 100us);
    CHECK(alarms.scene().cpu(0).carries(path));
}

TEST_CASE("a cancelled timer does not expire, and its interrupt does not come", "[timers]") {
    Alarms alarms{"C1"};
    auto& only = alarms.set("only", 100us);
    alarms.timers().cancel(only.hr);
    CHECK_FALSE(only.hr.is_armed);
    CHECK_FALSE(alarms.timers().next_hrtimer().has_value());
    CHECK(alarms.run_until(1ms).empty());
    CHECK(alarms.scene().usage(0, "C1").usage == 0);
}

TEST_CASE("cancelling the first timer leaves the second its time", "[timers]") {
    Alarms alarms{"C1"};
    auto& first = alarms.set("first", 100us);
    const auto& second = alarms.set("second", 200us);
    alarms.timers().cancel(first.hr);
    CHECK(alarms.timers().next_hrtimer() == Time{} + 200us);
    CHECK(alarms.run_until(1ms) == "second");
    CHECK(second.rang.at(0) > Time{} + 200us);
    CHECK(second.rang.at(0) < Time{} + 201us);
}

TEST_CASE("cancelling a timer that is not armed changes nothing", "[timers]") {
    Alarms alarms;
    auto& idle = alarms.add("idle");
    alarms.set("other", 100us);
    alarms.timers().cancel(idle.hr);
    CHECK(alarms.run_until(1ms) == "other");
}

TEST_CASE("a timer that is started again moves and expires once", "[timers]") {
    Alarms alarms;
    auto& alarm = alarms.set("a", 100us);
    alarms.timers().start(alarm.hr, Time{} + 300us);
    CHECK(alarms.run_until(1ms) == "a");
    CHECK(alarm.rang.at(0) > Time{} + 300us);
    auto& sooner = alarms.set("b", 3ms);
    alarms.timers().start(sooner.hr, Time{} + 2ms);
    CHECK(alarms.run_until(5ms) == "a b");
    CHECK(sooner.rang.at(0) < Time{} + 2100us);
}

TEST_CASE("the clock event is programmed anew for the first timer only", "[timers]") {
    Alarms alarms;
    CHECK(alarms.timers().start(alarms.add("a").hr, Time{} + 200us));
    CHECK_FALSE(alarms.timers().start(alarms.add("b").hr, Time{} + 300us));
    CHECK(alarms.timers().start(alarms.add("c").hr, Time{} + 100us));
}

TEST_CASE("a timer may be started from the handler of another", "[timers]") {
    Alarms alarms;
    auto& first = alarms.set("a", 100us);
    alarms.set("c", 500us);
    first.action = [&alarms] { alarms.set("b", 300us); };
    CHECK(alarms.run_until(1ms) == "a b c");
}

TEST_CASE("a timer in the past expires at once", "[timers]") {
    Alarms alarms;
    auto& first = alarms.set("a", 100us);
    Alarms::Alarm* overdue = nullptr;
    first.action = [&] { overdue = &alarms.set("b", 50us); };
    CHECK(alarms.run_until(1ms) == "a b");
    CHECK(overdue->hr.expires == first.rang.at(0));
    CHECK(overdue->rang.at(0) - first.rang.at(0) < 1us);
}

TEST_CASE("ticks fall on their grid, whenever the tick was started", "[tick]") {
    BareTick bare;
    bare.at(1100us, [&] { bare.tick().restart(); });
    CHECK(bare.run_until(3500us) == "tick@1300000 tick@2300000 tick@3300000");
    CHECK(bare.tick().next() == Time{} + 4300us);
}

TEST_CASE("a tick that starts on its grid comes one period later", "[tick]") {
    BareTick bare;
    bare.at(1300us, [&] { bare.tick().restart(); });
    CHECK(bare.run_until(2500us) == "tick@2300000");
}

TEST_CASE("a stopped tick does not come until it is restarted, and keeps its phase", "[tick]") {
    BareTick bare;
    bare.tick().restart();
    bare.at(500us, [&] { bare.tick().stop(); });
    bare.at(2900us, [&] { bare.tick().restart(); });
    CHECK(bare.run_until(1000us) == "tick@300000");
    CHECK_FALSE(bare.tick().is_running());
    CHECK_FALSE(bare.tick().next().has_value());
    CHECK(bare.run_until(3500us) == "tick@300000 tick@3300000");
}

TEST_CASE("a tick that was stopped for a timer of the wheel comes once", "[tick]") {
    BareTick bare;
    bare.tick().restart();
    bare.at(500us, [&] { bare.tick().stop(Time{} + 5300us); });
    CHECK(bare.run_until(1ms) == "tick@300000");
    CHECK_FALSE(bare.tick().is_running());
    CHECK(bare.tick().next() == Time{} + 5300us);
    CHECK(bare.run_until(20ms) == "tick@300000 tick@5300000");
    CHECK_FALSE(bare.tick().next().has_value());
}

TEST_CASE("times round up to the grid of the tick", "[tick]") {
    BareTick bare;
    const auto rounded = [&](Duration time) {
        return bare.tick().round_up(Time{} + time) - Time{};
    };
    CHECK(rounded(0us) == 300us);
    CHECK(rounded(300us) == 300us);
    CHECK(rounded(300us + Duration{1}) == 1300us);
    CHECK(rounded(1299us) == 1300us);
    CHECK(rounded(1300us) == 1300us);
    CHECK(rounded(7777us) == 8300us);
}

TEST_CASE("a hit of the tick is told once", "[tick]") {
    BareTick bare;
    CHECK_FALSE(bare.tick().take_hit());
    bare.tick().note_hit();
    CHECK(bare.tick().take_hit());
    CHECK_FALSE(bare.tick().take_hit());
}

TEST_CASE("a timer of the wheel waits for the first tick at or after its time", "[timers]") {
    for (const Duration delay : {Duration{1ms}, Duration{12300us}, Duration{55us}}) {
        Alarms alarms;
        const auto& alarm = alarms.set_wheel("wheel", delay);
        const Duration due = alarm.wheel.expires - Time{};
        CHECK(due >= delay);
        CHECK(due < delay + 10ms);
        alarms.run_until(1s);
        REQUIRE(alarm.rang.size() == 1);
        CHECK(alarm.rang[0] >= alarm.wheel.expires);
        CHECK(alarm.rang[0] < alarm.wheel.expires + 100us);
        CHECK_FALSE(alarm.wheel.is_armed);
        CHECK(alarms.scene().kernel().wheel_timers_run() == 1);
        CHECK(alarms.scene().kernel().late_timers().empty());
    }
}

TEST_CASE("all timers of the wheel lie on the grid of the tick", "[timers]") {
    Alarms alarms;
    const Time first = alarms.set_wheel("a", 1ms).wheel.expires;
    for (const Duration delay :
         {Duration{7ms}, Duration{23ms}, Duration{24ms}, Duration{71300us}}) {
        const Duration distance = alarms.set_wheel("b", delay).wheel.expires - first;
        CHECK(distance % Duration{10ms} == Duration::zero());
    }
}

TEST_CASE("an idle CPU whose tick is stopped is woken by a timer of the wheel, once", "[timers]") {
    Alarms alarms{"C6"};
    const auto& alarm = alarms.set_wheel("wheel", 205ms);
    alarms.run_until(1s);
    REQUIRE(alarm.rang.size() == 1);
    CHECK(alarm.rang[0] < alarm.wheel.expires + 100us);
    CHECK(alarms.scene().usage(0, "C6").usage == 1);
}

TEST_CASE("an idle CPU without timers is not woken at all", "[timers]") {
    Alarms alarms{"C6"};
    alarms.run_until(1s);
    CHECK(alarms.scene().usage(0, "C6").usage == 0);
    CHECK(alarms.scene().in(0, CpuState::resident) > 999ms);
}

TEST_CASE("a timer of the wheel that is due in the next tick keeps the tick", "[timers]") {
    Alarms alarms{"C6"};
    const auto& alarm = alarms.set_wheel("wheel", 1us);
    alarms.run_until(1s);
    REQUIRE(alarm.rang.size() == 1);
    // The tick runs that serves the timer; the next entry stops it.
    CHECK(alarms.scene().usage(0, "C6").usage == 1);
}

TEST_CASE("a timer of the wheel that an interrupt arms while the tick is stopped is on time",
          "[timers]") {
    Alarms alarms{"C6"};
    auto& interrupt = alarms.set("interrupt", 123456us);
    const Alarms::Alarm* wheel = nullptr;
    interrupt.action = [&] { wheel = &alarms.set_wheel("wheel", 30ms); };
    alarms.run_until(1s);
    REQUIRE(wheel != nullptr);
    REQUIRE(wheel->rang.size() == 1);
    CHECK(wheel->rang[0] < wheel->wheel.expires + 100us);
    CHECK(wheel->wheel.expires < Time{} + 123456us + 30ms + 10ms + 100us);
}

TEST_CASE("a nearer timer of the wheel moves the event of a stopped tick", "[timers]") {
    Alarms alarms{"C6"};
    const auto& far = alarms.set_wheel("far", 500ms);
    auto& interrupt = alarms.set("interrupt", 100ms);
    interrupt.action = [&] { alarms.set_wheel("near", 50ms); };
    CHECK(alarms.run_until(1s) == "interrupt near far");
    CHECK(far.rang.at(0) < far.wheel.expires + 100us);
    CHECK(alarms.scene().usage(0, "C6").usage == 3);
}

TEST_CASE("the sleep length is until the next timer, the event until a running tick if sooner",
          "[timers]") {
    Question question;
    question.tick().restart();
    HrTimer timer;
    question.timers().start(timer, Time{} + 9ms);
    CHECK(question.ask().event == 4 * kMillisecond - kAsked);
    CHECK(question.ask().timer == 9 * kMillisecond - kAsked);
    question.timers().start(timer, Time{} + 1ms);
    CHECK(question.ask().event == kMillisecond - kAsked);
    CHECK(question.ask().timer == kMillisecond - kAsked);
}

TEST_CASE("the nearer of wheel and hrtimer counts", "[timers]") {
    Question question;
    question.tick().restart();
    HrTimer timer;
    WheelTimer wheel;
    question.timers().start(timer, Time{} + 30ms);
    question.timers().add(wheel, Time{} + 20ms);
    CHECK(question.ask().timer == 20 * kMillisecond - kAsked);
    question.timers().start(timer, Time{} + 10ms);
    CHECK(question.ask().timer == 10 * kMillisecond - kAsked);
}

TEST_CASE("a running tick and a timer of the wheel within a tick: the event is the answer",
          "[timers]") {
    Question question;
    question.tick().restart();
    HrTimer timer;
    WheelTimer wheel;
    question.timers().start(timer, Time{} + 30ms);
    question.timers().add(wheel, Time{} + 4ms);
    CHECK(question.ask().event == 4 * kMillisecond - kAsked);
    CHECK(question.ask().timer == 4 * kMillisecond - kAsked);
    // One tick from the idle entry is still near, a nanosecond more is not.
    question.timers().add(wheel, Time{} + Question::kNow + 4ms);
    CHECK(question.ask().timer == 4 * kMillisecond - kAsked);
    question.timers().add(wheel, Time{} + Question::kNow + 4ms + 1ns);
    CHECK(question.ask().timer == 4 * kMillisecond + 1);
}

TEST_CASE("a tick that cannot be stopped makes the event the answer", "[timers]") {
    Question question;
    question.tick().restart();
    question.tick().set_can_stop(false);
    HrTimer timer;
    question.timers().start(timer, Time{} + 9ms);
    CHECK(question.ask().timer == 4 * kMillisecond - kAsked);
    CHECK(question.ask().event == 4 * kMillisecond - kAsked);
}

TEST_CASE("with the tick stopped a near timer of the wheel counts as what it is", "[timers]") {
    Question question;
    WheelTimer wheel;
    question.timers().add(wheel, Time{} + 4ms);
    question.tick().restart();
    question.tick().stop(Time{} + 4ms);
    HrTimer timer;
    question.timers().start(timer, Time{} + 1ms);
    CHECK(question.ask().timer == kMillisecond - kAsked);
    CHECK(question.ask().event == kMillisecond - kAsked);
    question.timers().cancel(timer);
    CHECK(question.ask().timer == 4 * kMillisecond - kAsked);
}

TEST_CASE("an overdue timer gives a negative sleep length", "[timers]") {
    Question question;
    WheelTimer wheel;
    question.timers().add(wheel, Time{} + 40us);
    CHECK(question.ask().timer == -60'000);
}

TEST_CASE("without a timer the sleep is endless", "[timers]") {
    Question question;
    CHECK(question.ask().timer == kEndlessSleep - kAsked);
    CHECK(question.ask().event == kEndlessSleep - kAsked);
}

TEST_CASE("asking for the sleep length is remembered until the next selection", "[timers]") {
    Question question;
    question.device().select(true);
    CHECK_FALSE(question.device().asked_sleep_length());
    (void)question.ask();
    CHECK(question.device().asked_sleep_length());
    question.device().select(true);
    CHECK_FALSE(question.device().asked_sleep_length());
}

}  // namespace idlesim
