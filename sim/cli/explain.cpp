// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/explain.hpp"

#include "models/kernel/kernel_spec.hpp"
#include "models/run.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/interruption.hpp"
#include "sim/config/quantity.hpp"
#include "sim/experiment/explain_text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace idlesim {
namespace {

[[noreturn]] void fail(std::string_view problem) {
    throw UsageError{
        fmt::format("--explain: {}; expected cpu=N,at=TIME, such as cpu=3,at=12.5ms", problem)};
}

int parse_cpu(const std::string& text) {
    const config::Parsed<std::uint64_t> parsed = config::parse_unsigned(text);
    const auto* cpu = std::get_if<std::uint64_t>(&parsed);
    if (cpu == nullptr || *cpu > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        fail(fmt::format("'{}' is no number of a CPU", text));
    }
    return static_cast<int>(*cpu);
}

// On a command line the space between number and unit may be left out.
Time parse_time(std::string text) {
    const std::size_t unit = text.find_first_not_of("0123456789.+-");
    if (unit != std::string::npos && unit > 0 && text[unit] != ' ') {
        text.insert(unit, " ");
    }
    const config::Parsed<Duration> parsed = config::parse_duration(text);
    const auto* time = std::get_if<Duration>(&parsed);
    if (time == nullptr) {
        fail(fmt::format("at: {}", std::get<std::string>(parsed)));
    }
    if (*time < Duration::zero()) {
        fail("the time is negative");
    }
    return Time{} + *time;
}

std::string governor_of(const Scenario& scenario) {
    return scenario.governor ? scenario.governor->kind
                             : std::string{default_governor(scenario.kernel)};
}

}  // namespace

IdleQuestion parse_question(const std::string& text) {
    std::optional<int> cpu;
    std::optional<Time> at;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        if (part.starts_with("cpu=") && !cpu) {
            cpu = parse_cpu(part.substr(4));
        } else if (part.starts_with("at=") && !at) {
            at = parse_time(part.substr(3));
        } else {
            fail(fmt::format("'{}' makes no sense", part));
        }
        begin = end + 1;
    }
    if (!cpu || !at) {
        fail(cpu ? "the time is missing" : "the CPU is missing");
    }
    return {*cpu, *at};
}

int print_explanations(const Experiment& experiment, const IdleQuestion& question) {
    RunOptions options;
    options.seed = experiment.settings.seed;
    options.stop = &stop_requested();
    bool answered = false;
    for (const Arm& arm : experiment.arms) {
        try {
            const IdleStory story = explain(arm.scenario, options, question);
            fmt::print("{}{}: {}",
                       answered ? "\n" : "",
                       arm.name,
                       explain_text(story, question, governor_of(arm.scenario)));
            answered = true;
        } catch (const NoIdleInterval& none) {
            fmt::print(stderr, "{}: {}\n", arm.name, none.what());
        }
    }
    return answered ? kSuccess : kWrongInput;
}

}  // namespace idlesim
