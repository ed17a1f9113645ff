// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/menu_governor.hpp"

#include <algorithm>

namespace idlesim {
namespace {

constexpr Nanoseconds kLongIdle = 50'000'000;
constexpr Nanoseconds kTickHitIdle = 45'000'000;
constexpr Nanoseconds kShortIdle = 15'000;
constexpr std::uint64_t kFactorStep = 1024;
constexpr std::size_t kSizeClasses = 6;

std::size_t size_class(Nanoseconds timer) {
    std::size_t result = 0;
    for (Nanoseconds bound = 10'000; result + 1 < kSizeClasses && timer >= bound; bound *= 10) {
        ++result;
    }
    return result;
}

}  // namespace

void MenuGovernor::enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) {
    table_ = IdleTable{states};
    tick_ = environment.tick();
    history_ = History{};
}

void MenuGovernor::reflect(int state, GovernorEnvironment& environment) {
    history_.last = state;
    history_.pending = true;
    history_.tick_wakeup = environment.take_tick_wakeup();
}

void MenuGovernor::push(std::uint32_t microseconds) {
    history_.ring[history_.position] = microseconds;
    history_.position = (history_.position + 1) % history_.ring.size();
}

Nanoseconds MenuGovernor::measured(const GovernorEnvironment& environment) const {
    // A tick that fired says nothing about when the CPU would have been woken: a long time.
    if (history_.tick_wakeup && history_.next_timer > tick_) {
        return kTickHitIdle;
    }
    if (table_.polls(history_.last) && environment.poll_limit_hit()) {
        return history_.next_timer;
    }
    const Nanoseconds residency = environment.last_residency();
    const Nanoseconds latency = table_.latency(history_.last);
    return residency > 2 * latency ? residency - latency : residency / 2;
}

void MenuGovernor::update(const GovernorEnvironment& environment) {
    const Nanoseconds idle = std::min(measured(environment), history_.next_timer);
    std::uint32_t& factor = history_.factor[history_.bucket];
    factor -= factor / 8;
    if (history_.next_timer > 0 && idle < kLongIdle) {
        factor += static_cast<std::uint32_t>(kFactorStep * static_cast<std::uint64_t>(idle) /
                                             static_cast<std::uint64_t>(history_.next_timer));
    } else {
        factor += std::uint32_t{kFactorStep};
    }
    push(static_cast<std::uint32_t>(idle / 1000));
}

void MenuGovernor::learn(const GovernorEnvironment& environment) {
    if (history_.pending) {
        update(environment);
        history_.pending = false;
    } else if (rules_.marks_rejected && environment.last_residency() == 0) {
        push(kNoInterval);
    }
}

void MenuGovernor::ask(GovernorEnvironment& environment, Question& question) {
    SleepLength sleep = environment.query_sleep_length();
    if (sleep.timer < 0) {
        sleep = {};
    }
    question.event = sleep.event;
    history_.next_timer = sleep.timer;
    history_.bucket = size_class(sleep.timer);
    if (rules_.looks_at_io_wait && environment.io_waiters() > 0) {
        history_.bucket += kSizeClasses;
    }
}

std::uint32_t MenuGovernor::timer_microseconds() const {
    // The product wraps at 64 bits and the quotient is cut to 32, both as in the kernel.
    constexpr std::uint64_t kScale = std::uint64_t{kUnity} * 1000;
    const std::uint64_t scaled =
        static_cast<std::uint64_t>(history_.next_timer) * history_.factor[history_.bucket];
    return static_cast<std::uint32_t>((scaled + kScale / 2) / kScale);
}

std::uint32_t MenuGovernor::typical(std::uint32_t timer) const {
    switch (rules_.typical) {
        case MenuRules::Typical::below_timer:
            return typical_interval_below(history_.ring, timer);
        case MenuRules::Typical::one_sided:
            return typical_interval_one_sided(history_.ring);
        case MenuRules::Typical::two_sided_largest:
            return typical_interval_two_sided(history_.ring, FewSamples::largest);
        case MenuRules::Typical::two_sided:
            break;
    }
    return typical_interval_two_sided(history_.ring, FewSamples::none);
}

void MenuGovernor::predict(GovernorEnvironment& environment, Question& question, const Why& why) {
    using Query = MenuRules::TimerQuery;
    if (rules_.query == Query::always) {
        ask(environment, question);
    }
    const std::uint32_t pattern = typical(timer_microseconds());
    question.predicted = Nanoseconds{1000} * pattern;
    if (why) {
        if (pattern == kNoInterval) {
            why.say("the last idle times [{}] us show no typical interval",
                    fmt::join(history_.ring, " "));
        } else {
            why.say("typical interval {} us from the last idle times [{}] us",
                    pattern,
                    fmt::join(history_.ring, " "));
        }
    }
    if (rules_.query == Query::unless_short || rules_.query == Query::unless_short_and_ticking) {
        const bool asks = question.predicted > kShortIdle ||
                          (rules_.query == Query::unless_short_and_ticking && !question.ticking);
        if (!asks) {
            history_.next_timer = kEndlessSleep;
            history_.bucket = kSizeClasses - 1;
            question.event = tick_ / 2;
            why.say("that is too short to ask for the next timer");
            return;
        }
        ask(environment, question);
    }
    const std::uint32_t timer = timer_microseconds();
    question.predicted = std::min(question.predicted, Nanoseconds{1000} * timer);
    why.say("next timer in {}, next event in {}; correction factor {} of {} makes {} us of it",
            TimeText{history_.next_timer},
            TimeText{question.event},
            history_.factor[history_.bucket],
            kUnity,
            timer);
}

void MenuGovernor::adjust(const GovernorEnvironment& environment,
                          Question& question,
                          const Why& why) const {
    why.say("predicted idle time {}", TimeText{question.predicted});
    if (!question.ticking) {
        if (question.predicted < tick_ && (rules_.safe_timer_ticks == 0 ||
                                           history_.next_timer > rules_.safe_timer_ticks * tick_)) {
            question.predicted = history_.next_timer;
            why.say("the tick is stopped and would end no mistake: reckons with the next timer, {}",
                    TimeText{question.predicted});
        }
        return;
    }
    if (rules_.looks_at_io_wait) {
        const Nanoseconds bearable = question.predicted / (1 + 10 * environment.io_waiters());
        if (bearable < question.limit) {
            question.limit = bearable;
            why.say("{} tasks wait for I/O: latency limit cut to {}",
                    environment.io_waiters(),
                    TimeText{bearable});
        }
    }
}

bool MenuGovernor::is_trivial(const Question& question) const {
    if ((rules_.single_state_is_trivial && table_.size() <= 1) || question.limit == 0) {
        return true;
    }
    // State 1 counts here even when it is disabled, and state 0 even when it does not poll.
    return !has_state(question.disabled, 0) &&
           (history_.next_timer < table_.residency(1) || question.limit < table_.latency(1));
}

MenuGovernor::Candidate MenuGovernor::beyond_prediction(int candidate,
                                                        int state,
                                                        Question& question) const {
    if (question.predicted < tick_) {
        return {candidate, false};
    }
    if (question.ticking) {
        // The next tick ends the state in time, should it be too shallow.
        question.predicted = table_.residency(candidate);
        return {candidate, false};
    }
    // With the tick stopped a shallow state might last for very long.
    if (table_.residency(candidate) < tick_ && table_.residency(state) <= question.event) {
        return {state, true};
    }
    return {candidate, true};
}

MenuGovernor::Candidate MenuGovernor::walk_residency_first(Question& question) const {
    int candidate = -1;
    for (int i = 0; i < table_.size(); ++i) {
        if (has_state(question.disabled, i)) {
            continue;
        }
        if (candidate < 0) {
            candidate = i;
        }
        if (table_.residency(i) <= question.predicted) {
            if (table_.latency(i) > question.limit) {
                return {candidate, false};
            }
            candidate = i;
            continue;
        }
        if (table_.polls(candidate) && table_.latency(i) <= question.limit &&
            table_.residency(i) <= history_.next_timer) {
            question.predicted = table_.residency(i);
            return {i, false};
        }
        return beyond_prediction(candidate, i, question);
    }
    return {candidate, false};
}

bool MenuGovernor::prefers_over_polling(int state, const Question& question) const {
    if (table_.residency(state) > history_.next_timer) {
        return false;
    }
    return rules_.walk == MenuRules::Walk::loose ||
           (table_.residency(state) < kShortIdle && table_.latency(state) <= question.predicted);
}

MenuGovernor::Candidate MenuGovernor::walk_latency_first(Question& question) const {
    int candidate = -1;
    for (int i = 0; i < table_.size(); ++i) {
        if (has_state(question.disabled, i)) {
            continue;
        }
        if (candidate < 0) {
            candidate = i;
        }
        if (table_.latency(i) > question.limit) {
            return {candidate, false};
        }
        if (table_.residency(i) <= question.predicted) {
            candidate = i;
            continue;
        }
        if (table_.polls(candidate) && prefers_over_polling(i, question)) {
            question.predicted = table_.residency(i);
            return {i, false};
        }
        return beyond_prediction(candidate, i, question);
    }
    return {candidate, false};
}

MenuGovernor::Candidate MenuGovernor::walk(Question& question) const {
    Candidate candidate = rules_.walk == MenuRules::Walk::residency_first
                              ? walk_residency_first(question)
                              : walk_latency_first(question);
    candidate.state = std::max(candidate.state, 0);
    return candidate;
}

IdleDecision MenuGovernor::select(GovernorEnvironment& environment, Explanation* explanation) {
    const Why why{explanation};
    learn(environment);
    Question question{environment.disabled_states(),
                      environment.latency_limit(),
                      !environment.tick_stopped(),
                      0,
                      0};
    predict(environment, question, why);
    if (is_trivial(question)) {
        why.say(
            "{}: chosen before any prediction: next timer {} or latency limit {} rule out the "
            "next state, or there is none",
            table_.name(0),
            TimeText{history_.next_timer},
            TimeText{question.limit});
        explain_states(why,
                       table_,
                       {0,
                        question.disabled,
                        question.limit,
                        history_.next_timer,
                        "the search for a deeper state was not begun"});
        return {0, !table_.polls(0), -1};
    }
    adjust(environment, question, why);
    IdleDecision decision{0, true, question.predicted};
    const Nanoseconds limit = question.limit;
    const Candidate candidate = walk(question);
    decision.state = candidate.state;
    if (!candidate.settled && question.ticking &&
        (table_.polls(decision.state) || question.predicted < tick_)) {
        decision.stop_tick = false;
        if (decision.state > 0 && table_.residency(decision.state) > question.event) {
            decision.state = table_.shallower(decision.state, question.event, question.disabled);
            why.say("the tick goes on and ends the idle in {}: {} instead of {}",
                    TimeText{question.event},
                    table_.name(decision.state),
                    table_.name(candidate.state));
        }
    }
    explain_states(why,
                   table_,
                   {decision.state,
                    question.disabled,
                    limit,
                    decision.predicted,
                    decision.stop_tick ? "a state before it ended the search"
                                       : "the next event comes too early for it"});
    return decision;
}

}  // namespace idlesim
