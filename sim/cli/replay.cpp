// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"
#include "sim/config/quantity.hpp"
#include "sim/experiment/replay_report.hpp"
#include "sim/experiment/replay_table.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/result_directory.hpp"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr int kDefaultHz = 250;
constexpr int kMostHz = 1'000'000;

Nanoseconds tick_of(int hz) {
    if (hz > kMostHz) {
        throw UsageError{fmt::format("--hz: expected at most {}", kMostHz)};
    }
    // TICK_NSEC, include/linux/jiffies.h.
    constexpr Nanoseconds kSecond = 1'000'000'000;
    return (kSecond + hz / 2) / hz;
}

Nanoseconds limit_of(const std::string& text) {
    const config::Parsed<Duration> parsed = config::parse_duration(text);
    const auto* limit = std::get_if<Duration>(&parsed);
    if (limit == nullptr) {
        throw UsageError{fmt::format("--latency-limit: {}", std::get<std::string>(parsed))};
    }
    if (*limit < Duration::zero()) {
        throw UsageError{"--latency-limit: expected no negative time"};
    }
    return std::chrono::floor<std::chrono::nanoseconds>(*limit).count();
}

ReplaySettings settings_of(const ReplayArguments& arguments, config::Diagnostics& diagnostics) {
    ReplaySettings settings;
    if (!arguments.platform.empty() && !arguments.dump.empty()) {
        throw UsageError{"replay takes one table: --platform or --dump, not both"};
    }
    if (!arguments.platform.empty()) {
        settings.table = platform_table(arguments.platform);
        settings.energy = platform_energy(arguments.platform);
    } else if (!arguments.dump.empty()) {
        settings.table = dump_table(arguments.dump, diagnostics);
    } else if (!arguments.governors.empty()) {
        throw UsageError{
            "--governor: to decide anew takes a table of idle states: --platform NAME or --dump "
            "FILE"};
    }
    settings.tick = tick_of(arguments.hz.value_or(kDefaultHz));
    if (!arguments.latency_limit.empty()) {
        settings.latency_limit = limit_of(arguments.latency_limit);
    }
    for (const std::string& governor : arguments.governors) {
        settings.governors.push_back(governor_choice(governor));
    }
    if (arguments.governors.empty() && !settings.table.empty()) {
        settings.governors = applicable_governors(settings.table);
    }
    return settings;
}

void write_files(ResultDirectory& directory,
                 const ReplayResult& result,
                 const std::string& report,
                 const std::string& command) {
    const std::filesystem::path& folder = directory.staging();
    write_file(folder / "replay.csv", replay_csv(result));
    write_file(folder / "cpus.csv", replay_cpus_csv(result));
    write_file(folder / "wakes.csv", replay_wakes_csv(result));
    write_file(folder / "info.yml", info_text(report, command, ""));
    directory.commit();
}

int run_replay(const Arguments& arguments) {
    if (arguments.words.size() != 1) {
        throw UsageError{
            "replay takes one trace: idlesim replay TRACE --platform NAME [--governor NAME ...]"};
    }
    const std::string& path = arguments.words.front();
    config::Diagnostics diagnostics;
    const ReplaySettings settings = settings_of(arguments.replay, diagnostics);
    std::unique_ptr<ResultDirectory> directory;
    if (!arguments.out.empty()) {
        directory = std::make_unique<ResultDirectory>(arguments.out);
    }
    const ReplayResult result = replay(path == "-" ? "/dev/stdin" : path, settings);
    check_replay(result, path, diagnostics);
    if (directory) {
        const std::string stem = std::filesystem::path{path}.stem().string();
        write_files(*directory, result, "replay-" + stem, arguments.command);
    }
    if (!arguments.quiet) {
        fmt::print(stderr, "{}", diagnostics.render());
    }
    if (arguments.csv) {
        fmt::print("{}", replay_csv(result));
    } else if (!arguments.quiet) {
        fmt::print("{}", replay_text(result, path));
    }
    return kSuccess;
}

}  // namespace

Verb replay_verb() {
    return {"replay",
            "TRACE",
            "Decides the idle periods of a recorded trace anew: ftrace text with cpu_idle events "
            "(the file\n`trace`, trace-cmd report, perf script; - is standard input). Governors "
            "need a table of idle\nstates, --platform or --dump; the recorded decisions stand "
            "beside theirs. With --out DIR it\nwrites replay.csv, cpus.csv (the record by CPU) and "
            "wakes.csv (what woke the CPUs).",
            {"governor", "platform", "dump", "hz", "latency-limit", "csv", "out", "quiet"},
            run_replay};
}

}  // namespace idlesim
