// SPDX-License-Identifier: Apache-2.0
// The findings of experiments 20 to 22, which nobody has published and whose ledger rows are not
// judged: that they are still there, and are what their explanations say.
#include "models/run.hpp"
#include "sim/experiment/simulate.hpp"
#include "sim/experiment/stat.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

class Finding20To22 {
public:
    explicit Finding20To22(const std::string& name)
        : experiment_{load_experiment(
              std::string{IDLESIM_SOURCE_DIR} + "/experiments/" + name + ".yaml", LoadOptions{})},
          results_{simulate(experiment_, {})} {}

    [[nodiscard]] double value(const std::string& arm,
                               const std::string& metric,
                               const std::string& stat) const {
        return results_[experiment_.arm_index(arm)].find(metric)->all(*find_stat(stat)).value;
    }

    /// What the arm's governor said at that time, line by line, and what came of it.
    [[nodiscard]] IdleStory story(const std::string& arm, Duration at) const {
        RunOptions options;
        options.seed = experiment_.settings.seed;
        return explain(
            experiment_.arms[experiment_.arm_index(arm)].scenario, options, {0, Time{} + at});
    }

private:
    Experiment experiment_;
    std::vector<ArmResult> results_;
};

std::string said(const IdleStory& story) {
    std::string text;
    for (const std::string& line : story.why) {
        text += line + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("teo 6.12 is trapped in a shallow state where teo 7.0 is not") {
    const Finding20To22 found{"20_shallow_trap"};
    CHECK(found.value("teo_6_12", "too_shallow_time_percent", "mean") > 50);
    CHECK(found.value("teo_7_0", "too_shallow_time_percent", "mean") < 20);
    const IdleStory trapped = found.story("teo_6_12", 1255ms);
    CHECK(trapped.state == "C1E");
    CHECK(trapped.decision.stop_tick);
    CHECK(trapped.residency > 50ms);
    CHECK_THAT(said(trapped), ContainsSubstring("early wakes are likely, C1E taken"));
    CHECK(found.story("teo_7_0", 1255ms).state == "C6");
}

TEST_CASE("fewer ticks make the tail worse under teo 7.0 and not under menu 6.12") {
    const Finding20To22 found{"21_fewer_ticks"};
    const auto p99 = [&](const std::string& arm) {
        return found.value(arm, "wake_latency", "p99");
    };
    const auto ticks = [&](const std::string& arm) {
        return found.value(arm, "timer_wakes", "mean");
    };
    CHECK(ticks("teo_hz_100") < 0.2 * ticks("teo_hz_1000"));
    CHECK(p99("teo_hz_100") > 5 * p99("teo_hz_1000"));
    CHECK(ticks("menu_hz_100") < ticks("menu_hz_1000"));
    CHECK(p99("menu_hz_100") < 1.1 * p99("menu_hz_1000"));
    CHECK(found.story("teo_hz_1000", 1000400us).state == "C1E");
    CHECK(found.story("teo_hz_100", 1000400us).state == "C6");
}

TEST_CASE("menu 6.12 is right for timers and wrong for pipes of the same period, teo 7.0 is not") {
    const Finding20To22 found{"22_timer_or_pipe"};
    const auto too_deep = [&](const std::string& arm) {
        return found.value(arm, "too_deep_percent", "mean");
    };
    CHECK(too_deep("menu_timer") < 1);
    CHECK(too_deep("menu_pipe") > 25);
    CHECK(too_deep("teo_timer") < 3);
    CHECK(too_deep("teo_pipe") < 3);
    const IdleStory wrong = found.story("menu_pipe", 501600us);
    CHECK(wrong.state == "C6");
    CHECK(wrong.miss == -1);
    CHECK(wrong.cause == "store");
    CHECK_THAT(said(wrong), ContainsSubstring("show no typical interval"));
}

}  // namespace idlesim
