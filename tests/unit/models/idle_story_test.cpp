// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "sim/experiment/explain_text.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"

#include <algorithm>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

Scenario periodic(const std::string& more = "governor: menu@6.12",
                  const std::string& kernel = "version: \"6.12\"") {
    return test::cpuidle_scenario(
        test::cpuidle_platform(),
        "{ kind: periodic, tasks: [1], period: 1 ms, work: 100 us, activations: 50 }",
        kernel,
        more);
}

IdleStory story_at(const Scenario& scenario, Duration at) {
    return explain(scenario, {}, {1, Time{} + at});
}

std::string refusal(const Scenario& scenario, int cpu, Duration at) {
    try {
        static_cast<void>(explain(scenario, {}, {cpu, Time{} + at}));
    } catch (const NoIdleInterval& none) {
        return none.what();
    }
    return "no refusal";
}

/// A time in the middle of a sleep of the periodic task.
Duration asleep_at(const Scenario& scenario) {
    for (Duration at = 10ms; at < 12ms; at += 100us) {
        try {
            const IdleStory story = story_at(scenario, at);
            return (story.begin - Time{}) + (story.end - story.begin) / 2;
        } catch (const NoIdleInterval&) {
            continue;
        }
    }
    return {};
}

}  // namespace

TEST_CASE("the story of an idle interval holds its time, its state and its cause", "[explain]") {
    const Scenario scenario = periodic();
    const Duration at = asleep_at(scenario);
    const IdleStory story = story_at(scenario, at);
    CHECK(story.begin - Time{} <= at);
    CHECK(story.end - Time{} >= at);
    CHECK(story.cause == "local_timer");
    CHECK(story.residency > 0us);
    CHECK(story.residency < 900us);
    CHECK(story.asked_sleep_length);
    CHECK(story.sleep.timer > 0);
    CHECK(story.sleep.timer < 1'000'000);
    CHECK_FALSE(story.why.empty());
    Duration granted{};
    for (const auto& [name, time] : story.granted) {
        granted += time;
    }
    CHECK(granted > 0us);
}

TEST_CASE("every governor gives a reason for every state, and decides as it does unasked",
          "[explain]") {
    for (const std::string& governor : Registry<Governor>::names()) {
        if (governor.starts_with("haltpoll")) {
            continue;  // its driver has states of its own
        }
        INFO(governor);
        const Scenario scenario = periodic(
            "governor: " +
            (governor == "fixed" ? std::string{"{ governor: fixed, state: C6 }"} : governor));
        const IdleStory story = story_at(scenario, asleep_at(scenario));
        for (const char* state : {"POLL: ", "C1: ", "C1E: ", "C6: "}) {
            INFO(state);
            CHECK(std::any_of(story.why.begin(), story.why.end(), [&](const std::string& line) {
                return line.starts_with(state);
            }));
        }
        const std::string chosen = story.state + ": chosen";
        CHECK(std::any_of(story.why.begin(), story.why.end(), [&](const std::string& line) {
            return line.starts_with(chosen);
        }));
    }
}

TEST_CASE("watching an interval changes nothing of the run", "[explain]") {
    const Scenario scenario = periodic();
    const Duration at = asleep_at(scenario);
    const IdleStory early = story_at(scenario, at);
    const IdleStory again = story_at(scenario, at);
    CHECK(early.why == again.why);
    // A later interval is the same whether an earlier one was looked at or not: the run is.
    RunOptions options;
    const RunResult plain = run(scenario, options);
    CHECK(plain.samples.count() == 50);
}

TEST_CASE("the verdict is in words", "[explain]") {
    CHECK(verdict_text(-1) == "too deep (above)");
    CHECK(verdict_text(1) == "too shallow (below)");
    const Scenario scenario = periodic(test::fixed_governor("C1"));
    const IdleQuestion question{1, Time{} + asleep_at(scenario)};
    const std::string text = explain_text(explain(scenario, {}, question), question, "fixed");
    CHECK_THAT(text, ContainsSubstring("too shallow (below): it lasted"));
    CHECK_THAT(text, ContainsSubstring("woken by        local_timer"));
}

TEST_CASE("a moment without an idle interval is refused with the nearest ones", "[explain]") {
    const Scenario scenario = periodic();
    const IdleStory story = story_at(scenario, asleep_at(scenario));
    const std::string text = refusal(scenario, 1, story.end - Time{} + 20us);
    CHECK_THAT(text, ContainsSubstring("CPU 1 is in no idle interval at"));
    CHECK_THAT(text, ContainsSubstring("the idle interval before is from"));
    CHECK_THAT(text, ContainsSubstring("the one after is from"));
}

TEST_CASE("a question that the run cannot answer is refused with the reason", "[explain]") {
    CHECK_THAT(refusal(periodic(), 0, 10ms), ContainsSubstring("CPU 0 takes no part in the run"));
    CHECK_THAT(refusal(periodic(), 1, 10s), ContainsSubstring("the run ends at"));
    Scenario driverless = periodic();
    driverless.kernel.cpuidle = CpuidleDriver::none;
    CHECK_THAT(refusal(driverless, 1, 10ms), ContainsSubstring("no cpuidle driver"));
}

TEST_CASE("disabled states and the latency limit stand among what was known", "[explain]") {
    const Scenario scenario = periodic(
        "governor: menu@6.12", "version: \"6.12\", disabled_states: [C1E], cpu_dma_latency: 50 us");
    const IdleQuestion question{1, Time{} + asleep_at(scenario)};
    const std::string text = explain_text(explain(scenario, {}, question), question, "menu@6.12");
    CHECK_THAT(text, ContainsSubstring("latency limit   50 us"));
    CHECK_THAT(text, ContainsSubstring("disabled        C1E"));
    CHECK_THAT(text, ContainsSubstring("C1E: not chosen, it is disabled"));
    CHECK_THAT(text, ContainsSubstring("C6: not chosen, exit latency 133 us exceeds the latency"));
}

}  // namespace idlesim
