// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/explain_text.hpp"

#include "models/governor/explanation.hpp"
#include "sim/output/number.hpp"

#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

// The kernel's default: as good as none (include/linux/pm_qos.h, 6.3).
constexpr Nanoseconds kNoLatencyLimit = 2'000'000'000'000;

std::string text(Duration duration) {
    return to_text(TimeText{std::chrono::floor<std::chrono::nanoseconds>(duration).count()});
}

std::string tick_text(const IdleStory& story) {
    if (story.tick_stopped) {
        return "stopped earlier in this idle period";
    }
    return fmt::format("running, one every {}{}",
                       to_text(TimeText{story.tick}),
                       story.can_stop_tick ? "" : "; it cannot be stopped on this CPU");
}

std::string known_text(const IdleStory& story) {
    // Without any timer the kernel counts to the end of its clock.
    constexpr Nanoseconds kAsGoodAsNever = kEndlessSleep / 2;
    const std::string timer = story.sleep.timer > kAsGoodAsNever
                                  ? std::string{"none is armed"}
                                  : "in " + to_text(TimeText{story.sleep.timer});
    const std::string event = story.sleep.event > kAsGoodAsNever
                                  ? std::string{"none is programmed"}
                                  : "in " + to_text(TimeText{story.sleep.event});
    std::string known = fmt::format(
        "  known when it was asked\n"
        "    tick            {}\n"
        "    next timer      {}, the tick left out{}\n"
        "    next event      {}, a running tick included\n"
        "    latency limit   {}\n"
        "    last residency  {}\n",
        tick_text(story),
        timer,
        story.asked_sleep_length ? "; the governor asked for it" : "; the governor did not ask",
        event,
        story.latency_limit >= kNoLatencyLimit ? "none" : to_text(TimeText{story.latency_limit}),
        to_text(TimeText{story.last_residency}));
    if (!story.disabled.empty()) {
        known += fmt::format("    disabled        {}\n", fmt::join(story.disabled, ", "));
    }
    return known;
}

std::string reasons_text(const IdleStory& story, std::string_view governor) {
    if (!story.governor_asked) {
        return "  the driver has one state: no governor was asked\n";
    }
    std::string reasons = fmt::format("  {} said\n", governor);
    for (const std::string& line : story.why) {
        reasons += fmt::format("    {}\n", line);
    }
    reasons +=
        story.decision.stop_tick ? "    the tick may be stopped\n" : "    the tick shall go on\n";
    return reasons;
}

// By how much the entry was wrong, against the numbers that the table declares.
std::string judgement_text(const IdleStory& story) {
    switch (story.miss) {
        case -1:
            return fmt::format("{}: it lasted {}, the target residency of {} is {}",
                               verdict_text(-1),
                               text(story.residency),
                               story.state,
                               text(story.target_residency));
        case 1:
            return fmt::format("{}: it lasted {}, long enough for the next deeper enabled state",
                               verdict_text(1),
                               text(story.residency));
        default:
            return fmt::format("{}: it lasted {}, neither too deep nor too shallow",
                               verdict_text(0),
                               text(story.residency));
    }
}

std::string outcome_text(const IdleStory& story) {
    std::string outcome = fmt::format(
        "  what happened\n"
        "    entered         {} (declared: exit latency {}, target residency {})\n"
        "    tick            {}\n"
        "    woken by        {}\n"
        "    verdict         {}\n",
        story.state,
        text(story.exit_latency),
        text(story.target_residency),
        story.tick_ran ? "went on" : "was stopped",
        story.cause,
        judgement_text(story));
    if (!story.granted.empty()) {
        std::vector<std::string> parts;
        for (const auto& [name, time] : story.granted) {
            parts.push_back(fmt::format("{} for {}", name, text(time)));
        }
        outcome += fmt::format("    granted         {}\n", fmt::join(parts, ", "));
    }
    return outcome;
}

}  // namespace

std::string_view verdict_text(int miss) {
    return miss < 0 ? "too deep (above)" : miss > 0 ? "too shallow (below)" : "right";
}

std::string explain_text(const IdleStory& story,
                         const IdleQuestion& question,
                         std::string_view governor) {
    return fmt::format("CPU {}, idle from {} us to {} us\n",
                       question.cpu,
                       format_us(story.begin - Time{}),
                       format_us(story.end - Time{})) +
           known_text(story) + reasons_text(story, governor) + outcome_text(story);
}

}  // namespace idlesim
