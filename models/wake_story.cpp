// SPDX-License-Identifier: Apache-2.0
#include "models/wake_story.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {

namespace {

constexpr Duration kStep = WakeScene::kStep;
constexpr Duration kTransfer = WakeScene::kTransfer;
constexpr Duration kSettled = WakeScene::kSettled;

// A story that goes on beyond this has no end.
constexpr int kMostLooks = 20'000;

// A long story is told where something happens: at its ends and around the events.
std::vector<std::string> abridged(const std::vector<std::string>& items) {
    constexpr std::size_t kShort = 40;
    constexpr std::size_t kAround = 8;
    if (items.size() <= kShort) {
        return items;
    }
    std::vector<bool> is_told(items.size(), false);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i == 0 || i + 1 == items.size() || items[i].starts_with(">>>")) {
            const std::size_t from = i - std::min(i, kAround);
            const std::size_t to = std::min(i + kAround, items.size() - 1);
            std::fill_n(is_told.begin() + static_cast<std::ptrdiff_t>(from), to + 1 - from, true);
        }
    }
    std::vector<std::string> told;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (is_told[i]) {
            told.push_back(items[i]);
        } else if (is_told[i - 1]) {
            told.emplace_back("...");
        }
    }
    return told;
}

/// Looks at the target so often that at most one thing has happened in between.
class Teller final : public CpuListener {
public:
    explicit Teller(WakeScene& scene)
        : scene_{scene}, cpu_{scene.target()}, event_at_{*scene.script().at} {}

    std::string tell() {
        scene_.start();
        cpu_.set_listener(this);
        name_steps(*cpu_.context().top().program);
        Duration quiet_since = event_at_;
        for (int looks = 0; looks < kMostLooks && scene_.now() < quiet_since + kSettled; ++looks) {
            const Time before = scene_.path().last();
            scene_.run_for(next_look() - scene_.now());
            look();
            if (scene_.path().last() != before) {
                quiet_since = std::max(event_at_, scene_.now());
            }
        }
        cpu_.set_listener(nullptr);
        finish();
        return fmt::format("{}", fmt::join(abridged(items_), "; "));
    }

    void on_probe(ProbePoint point, LogicalCpu& cpu) override {
        take_operations();
        switch (point) {
            case ProbePoint::idle_entry:
                in_entry_ = true;
                if (!told_event_) {
                    items_.clear();
                }
                break;
            case ProbePoint::idle_exit:
                in_entry_ = false;
                break;
            case ProbePoint::resumed:
                // A wait that has a reason not to begin takes no time.
                if (!waited_) {
                    items_.emplace_back("the wait returns at once");
                }
                waited_ = false;
                cpu.simulation().stop();  // so that no loop is slept through
                break;
            default:
                break;
        }
    }

private:
    enum class Role : std::uint8_t { plain, test, wait };

    struct StepText {
        std::string text;
        Role role = Role::plain;
    };

    void name_steps(const Program& program) {
        for (const Op& op : program.ops) {
            switch (op.code) {
                case OpCode::mwait:
                    name_sleep(op, "mwait");
                    break;
                case OpCode::hlt:
                    name_sleep(op, "hlt");
                    break;
                case OpCode::io_read:
                    name_sleep(op, "io_read");
                    break;
                case OpCode::pause_loop:
                    texts_[op.exit_step] = {"pause_loop", Role::wait};
                    break;
                case OpCode::test_need_resched:
                    texts_[op.step] = {"test_need_resched", Role::test};
                    break;
                default:
                    break;
            }
        }
    }

    void name_sleep(const Op& op, const char* name) {
        texts_[op.step] = {name, Role::wait};
        texts_[op.exit_step] = {"the hardware wakes", Role::wait};
    }

    // The target works in step; the waker and its messages lag behind by the phase of the event.
    [[nodiscard]] Duration next_look() const {
        const Duration now = scene_.now();
        if (cpu_.state() == CpuState::polling) {
            const Duration before_event = (event_at_ - kStep) / kStep * kStep;
            if (before_event > now) {
                return before_event;
            }
            if (now > event_at_ + kSettled) {
                return now + WakeScene::kForever;
            }
        }
        const Duration phase = event_at_ % kStep;
        Duration next = now + kStep;
        for (const Duration offset : {Duration::zero(), phase, (phase + kTransfer) % kStep}) {
            const Duration candidate = now / kStep * kStep + offset;
            next = std::min(next, candidate > now ? candidate : candidate + kStep);
        }
        return next;
    }

    void look() {
        tell_disturbances();
        tell_event();
        take_operations();
        const bool in_handler = cpu_.in_handler();
        if (was_in_handler_ && !in_handler) {
            items_.emplace_back(cpu_.need_resched() && !resched_before_handler_
                                    ? "a handler wakes the task, NEED_RESCHED set"
                                    : "a handler wakes nobody");
        } else if (!was_in_handler_ && in_handler) {
            resched_before_handler_ = cpu_.need_resched();
        }
        was_in_handler_ = in_handler;
        had_resched_ = cpu_.need_resched();
    }

    void tell_disturbances() {
        const Duration now = scene_.now();
        for (const Duration at : scene_.script().disturbed_at) {
            if (at > looked_until_ && at <= now) {
                items_.emplace_back(scene_.script().disturbance == Disturbance::interrupt
                                        ? ">>> an interrupt that wakes nobody"
                                        : ">>> a store to another flag of the line");
            }
        }
        looked_until_ = now;
    }

    void tell_event() {
        switch (scene_.script().event) {
            case WakeEvent::device_interrupt:
                if (!told_event_ && scene_.now() >= event_at_) {
                    add_event(cpu_.interrupts_enabled() ? "device interrupt"
                                                        : "device interrupt, pending while IF=0");
                }
                break;
            case WakeEvent::remote_wake:
                tell_remote("another CPU wakes the task", kRescheduleVector);
                break;
            case WakeEvent::cross_call:
                tell_remote("another CPU calls a function", kCallFunctionSingleVector);
                break;
        }
    }

    // A store shows in the flag, an interrupt when it has come.
    void tell_remote(std::string_view what, Vector vector) {
        const bool set_flag = cpu_.need_resched() && !had_resched_ && !cpu_.in_handler();
        if (!told_event_ && set_flag) {
            add_event(fmt::format("{}: NEED_RESCHED set; POLLING is {}",
                                  what,
                                  cpu_.polling() ? "set, so no interrupt is sent"
                                                 : "clear, so an interrupt is sent"));
        } else if (!told_interrupt_ && cpu_.has_pending(vector)) {
            told_interrupt_ = true;
            add_event(told_event_
                          ? std::string{"its interrupt comes"}
                          : fmt::format("{} by an interrupt, since POLLING was clear", what));
        }
    }

    void add_event(std::string_view what) {
        told_event_ = true;
        items_.push_back(fmt::format(">>> {}", what));
    }

    // What the path has been marked with since the last look.
    void take_operations() {
        for (const StepPart& part : scene_.path().parts()) {
            Duration& known = known_[part.step];
            if (part.duration != known && in_entry_ && !was_in_handler_) {
                add_operation(part.step);
            }
            known = part.duration;
        }
    }

    void add_operation(StepId step) {
        const auto known = texts_.find(step);
        const StepText text = known != texts_.end()
                                  ? known->second
                                  : StepText{scene_.machine().steps().names()[step], Role::plain};
        waited_ = waited_ || text.role == Role::wait;
        const bool is_test = text.role == Role::test;
        const char* outcome = cpu_.need_resched() ? " (set)" : " (clear)";
        items_.push_back(text.text + (is_test ? outcome : ""));
    }

    void finish() {
        const bool is_asleep = cpu_.state() == CpuState::resident;
        std::string what = is_asleep                           ? "asleep"
                           : cpu_.state() == CpuState::polling ? "polls on"
                                                               : "never comes to an end";
        what += cpu_.need_resched()         ? " with NEED_RESCHED set"
                : cpu_.interrupts_enabled() ? ""
                                            : " with the interrupt pending and IF=0";
        if (is_asleep && !items_.empty() && !items_.back().starts_with(">>>")) {
            items_.back() += ": " + what;
        } else {
            items_.push_back((is_asleep ? "still " : "") + what);
        }
    }

    WakeScene& scene_;
    LogicalCpu& cpu_;
    Duration event_at_;
    std::map<StepId, StepText> texts_;
    std::map<StepId, Duration> known_;
    std::vector<std::string> items_;
    Duration looked_until_{};
    bool in_entry_ = false;
    bool told_event_ = false;
    bool told_interrupt_ = false;
    bool was_in_handler_ = false;
    bool had_resched_ = false;
    bool resched_before_handler_ = false;
    bool waited_ = false;
};

}  // namespace

std::string tell(WakeScene& scene) {
    return Teller{scene}.tell();
}

}  // namespace idlesim
