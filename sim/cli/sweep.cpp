// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "sim/cli/find_input.hpp"
#include "sim/cli/interruption.hpp"
#include "sim/cli/sweep_submit.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/sweep_directory.hpp"
#include "sim/experiment/sweep_point_result.hpp"
#include "sim/experiment/sweep_progress.hpp"
#include "sim/experiment/sweep_run.hpp"
#include "sim/experiment/sweep_slurm.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

Shard shard_of(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    Shard shard{0, 0};
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.index);
    const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
    const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.count) : first;
    if (!slash || second.ec != std::errc{} || second.ptr != end || shard.index < 1 ||
        shard.index > shard.count) {
        throw UsageError{
            fmt::format("--shard: expected i/n with 1 <= i <= n, such as 2/8, not '{}'", text)};
    }
    return shard;
}

double weight_of(const Sweep& sweep, const std::vector<std::size_t>& points) {
    double sum = 0;
    for (const std::size_t point : points) {
        sum += sweep.weight(point);
    }
    return sum;
}

std::string seconds_text(double seconds) {
    constexpr double kMinute = 60;
    constexpr double kHour = 3600;
    if (seconds < kMinute) {
        return fmt::format("{:.2g} s", seconds);
    }
    return seconds < kHour ? fmt::format("{:.1f} min", seconds / kMinute)
                           : fmt::format("{:.1f} h", seconds / kHour);
}

int dry_run(const Sweep& sweep, const std::vector<std::size_t>& points, int jobs) {
    CsvTable table = [&] {
        std::vector<std::string> columns{"id"};
        for (const std::string& name : sweep.points.cell_names()) {
            columns.push_back(name);
        }
        return CsvTable{std::move(columns)};
    }();
    for (const std::size_t point : points) {
        table.cell(sweep.ids[point]);
        for (const std::string& cell : sweep.points.cells(point)) {
            table.cell(cell);
        }
        table.end_row();
    }
    fmt::print("{}", table.text());
    const SweepEstimate cost = estimate(sweep, points);
    const std::string low = seconds_text(cost.low_seconds / jobs);
    const std::string high = seconds_text(cost.high_seconds / jobs);
    fmt::print(stderr,
               "{} points of {} arms; one run took {}, all of them will take about {}{} on {} "
               "threads\n",
               points.size(),
               sweep.base.arms().size(),
               seconds_text(cost.probe_seconds),
               low,
               low == high ? "" : " to " + high,
               jobs);
    return kSuccess;
}

/// Runs without a directory of the sweep and prints points.csv. With --out, of --point, the point's
/// own result goes there.
int run_and_print(const Sweep& sweep,
                  const std::vector<std::size_t>& points,
                  const Arguments& arguments) {
    std::mutex mutex;
    std::map<std::size_t, PointRecord> records;
    SweepProgress progress{
        sweep.settings.name, points.size(), weight_of(sweep, points), !arguments.quiet};
    SweepRunOptions options;
    options.jobs = arguments.jobs;
    options.stop = &stop_requested();
    options.stop_on_failure = arguments.sweep.stop_on_failure;
    std::size_t failures = 0;
    if (!arguments.out.empty()) {
        options.keep = [&](std::size_t point, PointRuns runs) {
            write_point_result(sweep,
                               point,
                               std::move(runs),
                               arguments.out,
                               {arguments.command, 1, arguments.sweep.files.zstd});
        };
    }
    options.done = [&](std::size_t point, const PointRecord& record) {
        const std::lock_guard lock{mutex};
        if (!record.error.empty()) {
            ++failures;
            progress.say(fmt::format("point {} failed: {}", record.id, record.error));
        }
        records.emplace(point, record);
        progress.advance(sweep.weight(point));
    };
    const bool complete = run_points(sweep, points, options);
    if (stop_requested()) {
        throw Interrupted{"sweep"};
    }
    SweepTable table = table_of(sweep);
    for (auto& [point, record] : records) {
        table.rows.push_back({sweep.ids[point], sweep.points.cells(point), std::move(record)});
    }
    fmt::print("{}", points_csv(table).text());
    return complete && failures == 0 ? kSuccess : kAnswerIsNo;
}

int run_in_directory(const Sweep& sweep, const Shard& shard, const Arguments& arguments) {
    const Existing existing = arguments.sweep.resume    ? Existing::resume
                              : arguments.sweep.restart ? Existing::restart
                                                        : Existing::replace_finished;
    if (existing != Existing::restart && read_submission(arguments.out)) {
        throw UsageError{fmt::format(
            "{} holds the shards of a sweep that was submitted; --status tells how far they are",
            arguments.out)};
    }
    SweepDirectory directory{arguments.out,
                             sweep,
                             shard,
                             existing,
                             arguments.command,
                             arguments.sweep.point_directories};
    const std::vector<std::size_t>& missing = directory.missing();
    SweepProgress progress{
        sweep.settings.name, missing.size(), weight_of(sweep, missing), !arguments.quiet};
    SweepRunOptions options;
    options.jobs = arguments.jobs;
    options.stop = &stop_requested();
    options.stop_on_failure = arguments.sweep.stop_on_failure;
    options.done = [&](std::size_t point, const PointRecord& record) {
        directory.add(point, record);
        if (!record.error.empty()) {
            progress.say(fmt::format("point {} failed: {}", record.id, record.error));
        }
        progress.advance(sweep.weight(point));
    };
    if (arguments.sweep.point_directories) {
        options.keep = [&](std::size_t point, PointRuns runs) {
            write_point_result(sweep,
                               point,
                               std::move(runs),
                               directory.of_point(point),
                               {arguments.command, 1, arguments.sweep.files.zstd});
        };
    }
    if (!run_points(sweep, missing, options)) {
        fmt::print(stderr,
                   "idlesim: stopped; what is finished is kept in {}, --resume goes on\n",
                   arguments.out);
        return stop_requested() ? interrupted_status() : kAnswerIsNo;
    }
    const std::size_t failures = directory.finish(arguments.sweep.files);
    if (!arguments.quiet) {
        fmt::print("{}: {} points, {} of them run now, {} failed; {}/points.csv{}\n",
                   sweep.settings.name,
                   missing.size() + directory.reused(),
                   missing.size(),
                   failures,
                   arguments.out,
                   arguments.sweep.files.suffix());
    }
    return failures == 0 ? kSuccess : kAnswerIsNo;
}

std::vector<std::size_t> point_with_id(const Sweep& sweep, const std::string& id) {
    const auto found = std::find(sweep.ids.begin(), sweep.ids.end(), id);
    if (found == sweep.ids.end()) {
        throw UsageError{
            fmt::format("--point: the sweep has no point '{}'; --dry-run lists its {} points",
                        id,
                        sweep.ids.size())};
    }
    return {static_cast<std::size_t>(found - sweep.ids.begin())};
}

int run_sweep(const Arguments& arguments) {
    const SweepArguments& chosen = arguments.sweep;
    if (!chosen.status.empty() && arguments.words.empty()) {
        return print_status(arguments);
    }
    if (arguments.words.size() != 1) {
        throw UsageError{"sweep takes one sweep file: idlesim sweep SWEEP.yaml"};
    }
    if (chosen.resume && chosen.restart) {
        throw UsageError{"--resume goes on, --restart begins anew: only one of them"};
    }
    if ((chosen.resume || chosen.restart || chosen.point_directories || chosen.files.tidy ||
         chosen.files.zstd) &&
        arguments.out.empty()) {
        throw UsageError{
            "--resume, --restart, --tidy, --zstd and --point-directories are about a directory: "
            "they need --out DIR"};
    }
    const Shard shard = shard_of(chosen.shard);
    const Sweep sweep =
        load_sweep(find_input(arguments.words.front(), "experiments/sweeps"), arguments.load);
    if (!chosen.submit.empty()) {
        return submit_sweep(sweep, arguments);
    }
    if (!chosen.point.empty()) {
        return run_and_print(sweep, point_with_id(sweep, chosen.point), arguments);
    }
    if (chosen.dry_run) {
        return dry_run(sweep, points_of_shard(sweep, shard), arguments.jobs);
    }
    if (arguments.out.empty()) {
        return run_and_print(sweep, points_of_shard(sweep, shard), arguments);
    }
    return run_in_directory(sweep, shard, arguments);
}

}  // namespace

Verb sweep_verb() {
    return {"sweep",
            "SWEEP.yaml",
            "Runs an experiment at many points: every combination of axes, lists, samples. With "
            "--out the points\nthat are finished survive every kind of death, and --resume goes "
            "on; without it points.csv is\nprinted. Exit status 1 when a point failed.",
            {"set",
             "seed",
             "replications",
             "jobs",
             "out",
             "dry-run",
             "resume",
             "restart",
             "shard",
             "point",
             "stop-on-failure",
             "tidy",
             "zstd",
             "point-directories",
             "submit",
             "status",
             "account",
             "partition",
             "time",
             "memory",
             "tasks-per-node",
             "minutes",
             "shards",
             "quiet"},
            run_sweep};
}

}  // namespace idlesim
