// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/replay_lane.hpp"
#include "sim/experiment/replay_report.hpp"
#include "sim/experiment/replay_table.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <algorithm>

using namespace idlesim;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::vector<IdleState> kTable{{"POLL", 0us, 0us, true, false},
                                    {"C1", 2us, 2us, false, false},
                                    {"C6", 100us, 600us, false, false}};

const std::string kTwoCpus =
    std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/two_cpus.trace.txt";

ReplaySettings settings_with(const std::string& governor) {
    ReplaySettings settings;
    settings.table = kTable;
    settings.governors.push_back(governor_choice(governor));
    return settings;
}

ReplayResult replay_text_of(const std::string& text, const ReplaySettings& settings) {
    const ScratchFolder folder;
    folder.write("trace", text);
    return replay((folder.path() / "trace").string(), settings);
}

Nanoseconds time_of(const ReplayColumn& column) {
    Nanoseconds time = 0;
    for (const ReplayCount& count : column.states) {
        time += count.time;
    }
    return time;
}

std::int64_t wakes_of(const ReplayColumn& column) {
    std::int64_t wakes = 0;
    for (const ReplayCount& count : column.states) {
        wakes += count.wakes;
    }
    return wakes;
}

/// One idle period of CPU 0, from 1 s on, that nothing but an unknown wake ends.
std::string one_period(const std::string& end) {
    return "<idle>-0 [000] 1.000000: cpu_idle: state=1 cpu_id=0\n<idle>-0 [000] " + end +
           ": cpu_idle: state=4294967295 cpu_id=0\n";
}

}  // namespace

TEST_CASE("an entry is judged by the kernel's rule", "[experiment]") {
    const IdleTable table{kTable};
    constexpr StateMask kNone = 0;
    CHECK(verdict_on(table, kNone, 2, 599'999) == DepthVerdict::too_deep);
    CHECK(verdict_on(table, kNone, 2, 600'000) == DepthVerdict::right);
    CHECK(verdict_on(table, kNone, 1, 601'999) == DepthVerdict::right);
    CHECK(verdict_on(table, kNone, 1, 602'000) == DepthVerdict::too_shallow);
    CHECK(verdict_on(table, kNone, 0, 2'000) == DepthVerdict::too_shallow);
    // Only enabled states could have been chosen instead.
    CHECK(verdict_on(table, 0b100, 1, 602'000) == DepthVerdict::right);
    CHECK(verdict_on(table, 0b011, 2, 1) == DepthVerdict::right);
}

TEST_CASE("the record is one of the columns", "[experiment]") {
    const ReplayResult result = replay(kTwoCpus, settings_with("menu@6.12"));
    REQUIRE(result.columns.size() == 2);
    const ReplayColumn& record = result.columns.front();
    CHECK(record.governor == "recorded");
    CHECK(record.states[1].entries == 2);
    CHECK(record.states[2].entries == 2);
    CHECK(record.states[2].time == 1'889'000);
    CHECK(record.states[1].too_shallow == 1);
}

TEST_CASE("every governor gets the recorded idle time to share out", "[experiment]") {
    ReplaySettings settings;
    settings.table = kTable;
    settings.governors = applicable_governors(kTable);
    REQUIRE(settings.governors.size() >= 10);
    const ReplayResult result = replay(kTwoCpus, settings);
    for (const ReplayColumn& column : result.columns) {
        INFO(column.governor);
        // Two us between an exit and the next entry belong to a period that the tick had cut.
        CHECK(time_of(column) == (column.governor == "recorded" ? 5'942'000 : 5'944'000));
        CHECK(wakes_of(column) == 3);
    }
}

TEST_CASE("the oracle is never too deep", "[experiment]") {
    const ReplayResult result = replay(kTwoCpus, settings_with("oracle"));
    for (const ReplayCount& count : result.columns.back().states) {
        CHECK(count.too_deep == 0);
    }
    CHECK(result.columns.back().states[2].entries > 0);
}

TEST_CASE("a running tick interrupts the period and the governor is asked again", "[experiment]") {
    ReplaySettings settings = settings_with("{governor: fixed, state: POLL}");
    settings.tick = 1'000'000;
    settings.table.front().polling = false;  // no poll limit
    settings.governors.front() = governor_choice("ladder@6.3");
    const ReplayResult stopped = replay_text_of(one_period("1.005000"), settings);
    CHECK(stopped.columns.back().states[1].entries + stopped.columns.back().states[0].entries +
              stopped.columns.back().states[2].entries ==
          1);
    settings.table.front().polling = true;
    settings.governors.front() = governor_choice("{governor: fixed, state: POLL}");
    const ReplayResult polling = replay_text_of(one_period("1.005000"), settings);
    // The poll limit is 1/16 tick; both that and the tick end a poll.
    CHECK(polling.columns.back().states[0].entries == 5 * 16);
    CHECK(polling.columns.back().states[0].wakes == 1);
}

TEST_CASE("the latency limit is obeyed", "[experiment]") {
    ReplaySettings settings = settings_with("menu@6.12");
    settings.latency_limit = 50'000;
    const ReplayResult result = replay(kTwoCpus, settings);
    CHECK(result.columns.back().states[2].entries == 0);
}

TEST_CASE("without a table the record alone is counted", "[experiment]") {
    const ReplayResult result = replay(kTwoCpus, {});
    REQUIRE(result.columns.size() == 1);
    CHECK_THAT(replay_text(result, "x"), ContainsSubstring("name the table of idle states"));
    CHECK_THAT(replay_csv(result), ContainsSubstring("recorded,2,state2,,,2,1889,"));
}

TEST_CASE("states that the table lacks are counted apart and warned about", "[experiment]") {
    ReplaySettings settings = settings_with("menu@6.12");
    settings.table.pop_back();
    const ReplayResult result = replay(kTwoCpus, settings);
    CHECK(result.beyond_table == 2);
    config::Diagnostics diagnostics;
    check_replay(result, "x", diagnostics);
    CHECK_THAT(diagnostics.render(), ContainsSubstring("the table of another machine"));
}

TEST_CASE("a trace without cpu_idle is refused with how to record one", "[experiment]") {
    CHECK_THROWS_WITH(replay_text_of("x-1 [000] 1.5: sched_switch: a\n", {}),
                      ContainsSubstring("-e power:cpu_idle"));
    CHECK_THROWS_WITH(replay_text_of("", {}), ContainsSubstring("no events; expected ftrace text"));
}

TEST_CASE("haltpoll applies where there is one state behind polling", "[experiment]") {
    const auto knows = [](const std::vector<Choice<Governor>>& governors, const char* name) {
        return std::any_of(governors.begin(), governors.end(), [name](const auto& governor) {
            return governor.kind == name;
        });
    };
    CHECK_FALSE(knows(applicable_governors(kTable), "haltpoll@6.3"));
    CHECK(knows(applicable_governors({kTable[0], kTable[1]}), "haltpoll@6.3"));
}

TEST_CASE("tables come from platforms and dumps", "[experiment]") {
    const std::vector<IdleState> skx = platform_table("intel-skx-server");
    REQUIRE(skx.size() == 4);
    CHECK(skx[0].polling);
    CHECK(skx[3].name == "C6");
    config::Diagnostics diagnostics;
    const std::vector<IdleState> dump = dump_table(
        std::string{IDLESIM_SOURCE_DIR} + "/tests/data/dumps/two_cpus.grep.txt", diagnostics);
    REQUIRE(dump.size() == 3);
    CHECK(dump[0].polling);
    CHECK(dump[2].target_residency == 600us);
    CHECK_THROWS_WITH(platform_table("intel-skx-servre"),
                      ContainsSubstring("did you mean 'intel-skx-server'"));
    CHECK_THROWS_AS(governor_choice("menu@5.0"), config::ConfigError);
}
