// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_run.hpp"

#include "sim/experiment/sweep_directory.hpp"
#include "sim/experiment/sweep_merge.hpp"
#include "tests/catch.hpp"
#include "tests/unit/experiment/sweep_support.hpp"

#include <atomic>
#include <set>

using namespace idlesim;

namespace {

constexpr const char* kAxes =
    "axes: { kernel.hz: [100, 250], workload.interval: [20 us, 40 us, 80 us] }\n";
// Of these four the last fails: a CPU cannot wake itself.
constexpr const char* kOneFails =
    "axes: { workload.source_cpu: [0, 3], workload.target_cpu: [2, 3] }\n";

struct RunChoice {
    int jobs = 2;
    Shard shard{};
    Existing existing = Existing::replace_finished;
    bool stop_on_failure = false;
    std::size_t stop_after = 1'000'000;
    bool tidy = false;
    bool zstd = false;
};

struct RunOutcome {
    std::size_t run = 0;
    std::size_t reused = 0;
    std::size_t failures = 0;
    bool complete = false;
};

RunOutcome run(const SweepFiles& files, const std::string& out, const RunChoice& choice = {}) {
    const Sweep sweep = files.load();
    SweepDirectory directory{files.path(out), sweep, choice.shard, choice.existing, "idlesim"};
    RunOutcome outcome;
    outcome.reused = directory.reused();
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> ended{0};
    SweepRunOptions options;
    options.jobs = choice.jobs;
    options.stop = &stop;
    options.stop_on_failure = choice.stop_on_failure;
    options.done = [&](std::size_t point, const PointRecord& record) {
        directory.add(point, record);
        stop = ++ended >= choice.stop_after;
    };
    outcome.complete = run_points(sweep, directory.missing(), options);
    outcome.run = ended;
    outcome.failures =
        outcome.complete ? directory.finish({choice.tidy, choice.zstd}) : directory.failures();
    return outcome;
}

RunChoice resume(int jobs = 2) {
    RunChoice choice;
    choice.jobs = jobs;
    choice.existing = Existing::resume;
    return choice;
}

std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const config::ConfigError& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("threads and shards do not show in the result", "[sweep]") {
    const SweepFiles files{kAxes};
    REQUIRE(run(files, "one", {.jobs = 1, .tidy = true}).run == 6);
    run(files, "four", {.jobs = 4, .tidy = true});
    const std::string expected = files.read("one/points.csv");
    REQUIRE(has(expected, "id,kernel.hz,workload.interval_ns,hlt.wake_latency.p50_ns,"));
    REQUIRE(files.read("four/points.csv") == expected);
    REQUIRE(files.read("four/points_tidy.csv") == files.read("one/points_tidy.csv"));
    std::vector<std::filesystem::path> shards;
    for (std::size_t i = 4; i >= 1; --i) {
        const std::string name = "shard" + std::to_string(i);
        run(files, name, {.shard = {i, 4}});
        shards.push_back(files.path(name));
    }
    const MergeResult merged =
        merge_shards(shards, files.path("merged"), {.tidy = true}, "idlesim");
    REQUIRE(merged.points == 6);
    for (const char* name : {"points.csv", "points_tidy.csv", "plan.csv"}) {
        REQUIRE(files.read(std::string{"merged/"} + name) ==
                files.read(std::string{"one/"} + name));
    }
    // What was merged is a sweep like any other.
    REQUIRE(run(files, "merged", resume()).run == 0);
}

TEST_CASE("a sweep that was stopped goes on where it was", "[sweep]") {
    const SweepFiles files{kAxes};
    run(files, "whole");
    const RunOutcome first = run(files, "part", {.jobs = 1, .stop_after = 2});
    REQUIRE_FALSE(first.complete);
    REQUIRE(first.run == 2);
    REQUIRE_FALSE(std::filesystem::exists(files.path("part/points.csv")));
    REQUIRE(has(refusal([&] { run(files, "part"); }), "unfinished sweep; go on with --resume"));
    const RunOutcome second = run(files, "part", resume());
    REQUIRE(second.reused == 2);
    REQUIRE(second.run == 4);
    REQUIRE(files.read("part/points.csv") == files.read("whole/points.csv"));
    REQUIRE(run(files, "part", resume()).run == 0);
}

TEST_CASE("whatever is left of a journal, resuming ends in the same table", "[sweep]") {
    const SweepFiles files{kAxes};
    REQUIRE(run(files, "a", resume()).run == 6);
    const std::string expected = files.read("a/points.csv");
    const std::string journal = files.read("a/journal");
    const std::size_t head = journal.find('\n') + 1;
    for (std::size_t size = head; size < journal.size(); size += 97) {
        files.folder().write("a/journal", journal.substr(0, size));
        files.folder().write("a/.points.csv.abcdef", "half a ta");
        run(files, "a", resume());
        REQUIRE(files.read("a/points.csv") == expected);
        REQUIRE(files.folder().entries("a") == 4);
        const JournalContents contents = read_journal(files.path("a/journal"));
        REQUIRE(contents.records.size() == 6);
        REQUIRE_FALSE(contents.damaged);
    }
}

TEST_CASE("a point that fails is recorded and does not stop the others", "[sweep]") {
    const SweepFiles files{kOneFails};
    const RunOutcome outcome = run(files, "out");
    REQUIRE(outcome.run == 4);
    REQUIRE(outcome.failures == 1);
    REQUIRE(has(files.read("out/failures.csv"), "a CPU cannot wake itself"));
    REQUIRE(has(files.read("out/points.csv"), ",3,3,,,\n"));
    // A failure is tried again, what succeeded is not.
    const RunOutcome again = run(files, "out", resume());
    REQUIRE(again.run == 1);
    REQUIRE(again.failures == 1);
    REQUIRE(has(files.read("out/failures.csv"), "a CPU cannot wake itself"));
}

TEST_CASE("stopping on a failure begins no further point", "[sweep]") {
    const SweepFiles files{
        "points:\n"
        "  - { workload.source_cpu: 0 }\n"
        "  - { workload.source_cpu: 1, workload.target_cpu: 3 }\n"
        "axes: { replications: [2, 1] }\n"};
    REQUIRE(run(files, "fine", {.stop_on_failure = true}).complete);
    const SweepFiles failing{kOneFails};
    const Sweep sweep = failing.load();
    SweepRunOptions options;
    options.stop_on_failure = true;
    std::size_t ended = 0;
    options.done = [&](std::size_t, const PointRecord&) { ++ended; };
    REQUIRE_FALSE(run_points(sweep, {3, 0, 1}, options));
    REQUIRE(ended == 1);
}

TEST_CASE("a metric that the workload does not report fails the point, naming those it does",
          "[sweep]") {
    const SweepFiles files{"axes: { kernel.hz: [100] }\n"};
    std::string text = files.read("s.yaml");
    text.replace(text.find("wake_latency"), 12, "throughput");
    files.folder().write("s.yaml", text);
    REQUIRE(run(files, "out").failures == 1);
    REQUIRE(
        has(files.read("out/failures.csv"), "does not report throughput; it reports wake_latency"));
}

TEST_CASE("a changed configuration is refused, and --restart begins anew", "[sweep]") {
    const SweepFiles files{kAxes};
    run(files, "out");
    files.write(std::string{kAxes} + "set: { workload.wakeups: 60 }\n");
    REQUIRE(has(refusal([&] { run(files, "out", resume()); }), "configuration has changed"));
    REQUIRE(run(files, "out", {.existing = Existing::restart}).run == 6);
    files.write(std::string{kAxes} + "set: { workload.wakeups: 60 }\n" +
                "until: { metric: wake_latency, stat: p50, width: 5 % }\n");
    REQUIRE(has(refusal([&] { run(files, "out", resume()); }), "stopping rule"));
    // Another version.
    files.write(std::string{kAxes} + "set: { workload.wakeups: 60 }\n");
    Sweep sweep = files.load();
    sweep.spec.commit = "another";
    const auto open = [&] {
        const SweepDirectory directory{files.path("out"), sweep, {}, Existing::resume, ""};
    };
    REQUIRE(has(refusal(open), "it was made by idlesim"));
}

TEST_CASE("a directory with something else is left alone", "[sweep]") {
    const SweepFiles files{kAxes};
    files.folder().write("out/precious.txt", "x");
    REQUIRE(has(refusal([&] { run(files, "out", resume()); }), "holds no sweep"));
    REQUIRE(files.read("out/precious.txt") == "x");
}

TEST_CASE("a sweep that grows runs only what is new", "[sweep]") {
    const SweepFiles files{"axes: { kernel.hz: [100], workload.interval: [20 us, 40 us] }\n"};
    run(files, "out");
    files.write(kAxes);
    const RunOutcome grown = run(files, "out", resume());
    REQUIRE(grown.reused == 2);
    REQUIRE(grown.run == 4);
    run(files, "fresh");
    REQUIRE(files.read("out/points.csv") == files.read("fresh/points.csv"));
}

TEST_CASE("replications are added until the interval is narrow, for any number of threads",
          "[sweep]") {
    const SweepFiles files{
        "axes: { workload.wakeups: [20, 4000] }\n"
        "until: { metric: wake_latency, stat: mean, arm: hlt, width: 0.4 %, at_least: 3, "
        "at_most: 17 }\n"
        "intervals: true\n"};
    run(files, "one", {.jobs = 1});
    run(files, "three", {.jobs = 3});
    const std::string text = files.read("one/points.csv");
    CAPTURE(text);
    REQUIRE(files.read("three/points.csv") == text);
    REQUIRE(has(text, ",20,17,"));
    REQUIRE_FALSE(has(text, ",4000,17,"));
}

TEST_CASE("shards that do not belong together are not merged", "[sweep]") {
    const SweepFiles files{kAxes};
    for (std::size_t i = 1; i <= 2; ++i) {
        run(files, "s" + std::to_string(i), {.shard = {i, 2}});
    }
    run(files, "third", {.shard = {3, 3}});
    run(files, "part", {.jobs = 1, .shard = {2, 2}, .stop_after = 1});
    files.write("axes: { kernel.hz: [100, 300], workload.interval: [20 us, 40 us, 80 us] }\n");
    run(files, "other", {.shard = {2, 2}});
    // What is not swept is the same for all shards.
    files.write(std::string{kAxes} + "seed: 7\n");
    run(files, "other_seed", {.shard = {2, 2}});
    files.write(std::string{kAxes} + "set: { workload.wakeups: 60 }\n");
    run(files, "other_set", {.shard = {2, 2}});
    const auto merge = [&](const std::vector<std::string>& names) {
        std::vector<std::filesystem::path> paths;
        for (const std::string& name : names) {
            paths.push_back(files.path(name));
        }
        return refusal([&] { merge_shards(paths, files.path("m"), {}, ""); });
    };
    REQUIRE(has(merge({"s1"}), "of 2 shards these are missing: 2"));
    REQUIRE(has(merge({"s1", "s1"}), "are the same shard, 1/2"));
    REQUIRE(has(merge({"s1", "other"}), "are not shards of one sweep"));
    REQUIRE(has(merge({"s1", "third"}), "are not shards of one sweep"));
    REQUIRE(has(merge({"s1", "other_seed"}), "are not shards of one sweep"));
    REQUIRE(has(merge({"s1", "other_set"}), "are not shards of one sweep"));
    REQUIRE(has(merge({"s1", "part"}), "part is not finished: 2 of its 3 points are missing"));
    REQUIRE(has(merge({"s1", "nowhere"}), "nowhere holds no sweep"));
    REQUIRE_FALSE(std::filesystem::exists(files.path("m")));
    REQUIRE(merge({"s2", "s1"}).empty());
}

TEST_CASE("compressed tables stand instead of the plain ones, and the other way round", "[sweep]") {
    const SweepFiles files{kAxes};
    run(files, "out", {.tidy = true, .zstd = true});
    const auto exists = [&](const char* name) {
        return std::filesystem::exists(files.path("out") / name);
    };
    REQUIRE((exists("points.csv.zst") && exists("points_tidy.csv.zst")));
    REQUIRE_FALSE((exists("points.csv") || exists("points_tidy.csv")));
    // A finished sweep is recognised by either.
    REQUIRE(run(files, "out", resume()).run == 0);
    REQUIRE(exists("points.csv"));
    REQUIRE_FALSE((exists("points.csv.zst") || exists("points_tidy.csv.zst")));
    run(files, "plain");
    REQUIRE(files.read("out/points.csv") == files.read("plain/points.csv"));
}
