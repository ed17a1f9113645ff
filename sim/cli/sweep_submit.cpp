// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/sweep_submit.hpp"

#include "sim/experiment/sweep_directory.hpp"
#include "sim/experiment/sweep_run.hpp"
#include "sim/experiment/sweep_slurm.hpp"
#include "sim/output/atomic_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> passed_on(const Arguments& arguments) {
    std::vector<std::string> words;
    for (const std::string& set : arguments.load.sets) {
        words.insert(words.end(), {"--set", set});
    }
    if (arguments.load.seed) {
        words.insert(words.end(), {"--seed", std::to_string(*arguments.load.seed)});
    }
    if (arguments.load.replications) {
        words.insert(words.end(), {"--replications", std::to_string(*arguments.load.replications)});
    }
    return words;
}

std::vector<std::size_t> all_points(const Sweep& sweep) {
    return points_of_shard(sweep, {});
}

Submission new_submission(const Sweep& sweep, const Arguments& arguments) {
    Submission submission;
    submission.directory = fs::absolute(arguments.out).lexically_normal();
    submission.program = fs::read_symlink("/proc/self/exe").string();
    submission.sweep = fs::absolute(sweep.path).lexically_normal();
    submission.arguments = passed_on(arguments);
    submission.points = sweep.points.count();
    submission.plan = manifest_of(sweep, {}).plan;
    return submission;
}

/// Whether tasks of the job wait or run.
bool in_queue(const std::string& job) {
    if (job.empty()) {
        return false;
    }
    try {
        return !run_slurm_command({"squeue", "--noheader", "--jobs", job, "--format", "%i"})
                    .empty();
    } catch (const std::runtime_error&) {
        return false;  // Slurm has forgotten the job: squeue fails.
    }
}

void check_resumable(const Submission& known, const Submission& wanted) {
    if (known.plan != wanted.plan) {
        throw config::ConfigError{
            fmt::format("idlesim: {} was submitted from another sweep file or by another version; "
                        "begin anew with --restart, or choose another place with --out\n",
                        known.directory.string())};
    }
    if (in_queue(known.array_job)) {
        throw UsageError{fmt::format("job {} is still in the queue: `idlesim sweep --status {}`",
                                     known.array_job,
                                     known.directory.string())};
    }
}

std::string sbatch(const fs::path& script, const std::vector<std::string>& options) {
    std::vector<std::string> words{"sbatch", "--parsable"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(script.string());
    const std::string answer = run_slurm_command(words);
    return answer.substr(0, answer.find(';'));  // "17;cluster"
}

}  // namespace

int submit_sweep(const Sweep& sweep, const Arguments& arguments) {
    if (arguments.sweep.submit != "slurm") {
        throw UsageError{"--submit: the only engine is slurm"};
    }
    if (arguments.out.empty()) {
        throw UsageError{"--submit needs --out DIR on a file system that every node sees"};
    }
    SlurmOptions options = arguments.sweep.slurm;
    options.tables = arguments.sweep.files;
    Submission submission = new_submission(sweep, arguments);
    std::optional<Submission> known;
    if (!arguments.sweep.restart) {
        known = read_submission(submission.directory);
    }
    if (known && !arguments.sweep.resume && !arguments.sweep.dry_run) {
        throw UsageError{
            fmt::format("{} holds a sweep that was submitted; --resume submits what is missing, "
                        "--restart begins anew",
                        submission.directory.string())};
    }
    if (known) {
        check_resumable(*known, submission);
        submission.shards = known->shards;
    } else {
        // A given number needs no probe.
        const double seconds = options.shards ? 0 : estimate(sweep, all_points(sweep)).high_seconds;
        submission.shards = shards_for(seconds, submission.points, options);
    }
    if (arguments.sweep.dry_run) {
        fmt::print(
            "# slurm/array.sh, submitted with --array\n{}\n# slurm/merge.sh, submitted with "
            "--dependency=afterany\n{}",
            array_script(submission, options),
            merge_script(submission, options));
        return kSuccess;
    }
    if (!known) {
        create_submission(submission, arguments.command);
    }
    const fs::path array = submission.directory / "slurm/array.sh";
    const fs::path merge = submission.directory / "slurm/merge.sh";
    write_file(array, array_script(submission, options));
    write_file(merge, merge_script(submission, options));
    const std::vector<std::size_t> missing = missing_shards(submission);
    std::vector<std::string> after;
    if (!missing.empty()) {
        submission.array_job = sbatch(array, {"--array=" + array_ranges(missing)});
        // A task whose points fail ends with status 1, and the merge shall show them.
        after.push_back("--dependency=afterany:" + submission.array_job);
    }
    submission.merge_job = sbatch(merge, after);
    save_submission(submission, arguments.command);
    if (!arguments.quiet) {
        fmt::print(
            "{} of {} shards submitted as job {}, merge as job {}; `idlesim sweep --status "
            "{}` tells how far they are\n",
            missing.size(),
            submission.shards,
            missing.empty() ? "-" : submission.array_job,
            submission.merge_job,
            submission.directory.string());
    }
    return kSuccess;
}

int print_status(const Arguments& arguments) {
    const fs::path directory = arguments.sweep.status;
    const std::optional<Submission> submission = read_submission(directory);
    if (!submission) {
        if (!read_manifest(directory)) {
            throw UsageError{fmt::format("{} holds no sweep", directory.string())};
        }
        const ShardStatus status = status_of(directory);
        fmt::print("{} of {} points finished, {} failed{}\n",
                   status.finished,
                   status.points,
                   status.failed,
                   status.complete ? "; complete" : "; --resume goes on");
        return status.complete ? kSuccess : kAnswerIsNo;
    }
    std::size_t finished = 0;
    std::size_t failed = 0;
    std::vector<std::size_t> partial;
    std::vector<std::size_t> absent;
    for (std::size_t shard = 1; shard <= submission->shards; ++shard) {
        const ShardStatus status = status_of(shard_directory(directory, shard));
        finished += status.finished;
        failed += status.failed;
        if (!status.complete) {
            (status.finished > 0 ? partial : absent).push_back(shard);
        }
    }
    const bool merged = status_of(directory / "result").complete;
    fmt::print("{} of {} points finished, {} failed; {} of {} shards complete\n",
               finished,
               submission->points,
               failed,
               submission->shards - partial.size() - absent.size(),
               submission->shards);
    if (!partial.empty()) {
        fmt::print("begun: {}\n", array_ranges(partial));
    }
    if (!absent.empty()) {
        fmt::print("nothing finished: {}\n", array_ranges(absent));
    }
    if (merged) {
        fmt::print("merged: {}\n", (directory / "result").string());
    } else if (in_queue(submission->array_job) || in_queue(submission->merge_job)) {
        fmt::print(
            "jobs {} and {} are in the queue\n", submission->array_job, submission->merge_job);
    } else {
        fmt::print("no job is in the queue; submit again with --resume\n");
    }
    return merged ? kSuccess : kAnswerIsNo;
}

}  // namespace idlesim
