// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/sweep_directory.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// What the user wants of the cluster; empty texts are left to Slurm's defaults.
struct SlurmOptions {
    std::string account;
    std::string partition;
    std::string time;    ///< limit of a task, as sbatch takes it
    std::string memory;  ///< of a task
    int tasks_per_node = 1;
    int minutes = 10;  ///< that a task shall take
    std::optional<std::size_t> shards;
    TableFiles tables;  ///< of the merged result
};

/// A sweep that is divided among the tasks of a job array. Its directory has
///
///     info.yml       what this is, and the numbers of the jobs
///     slurm/         the scripts, and what the tasks say
///     shards/<i>/    a directory of its own for each task; nothing else is shared
///     result/        what the merge job makes of them
struct Submission {
    std::filesystem::path directory;
    std::string program;  ///< absolute path of idlesim
    std::filesystem::path sweep;
    std::vector<std::string> arguments;  ///< --set and the like, passed on
    std::size_t points = 0;
    std::size_t shards = 1;
    std::string plan;  ///< hash of the sweep's points
    std::string array_job;
    std::string merge_job;
};

/// Tasks for this much work: minutes each, since every task costs the scheduler a second or two;
/// no more than there are points, and than Slurm takes by default in an array (1000).
[[nodiscard]] std::size_t shards_for(double thread_seconds,
                                     std::size_t points,
                                     const SlurmOptions& options);

/// The batch script of the array: one task, one shard. A task that is run again, by Slurm after the
/// death of a node or by the user, goes on where it was.
[[nodiscard]] std::string array_script(const Submission& submission, const SlurmOptions& options);
/// The batch script that merges the shards.
[[nodiscard]] std::string merge_script(const Submission& submission, const SlurmOptions& options);

/// "1-3,7" for {1, 2, 3, 7}.
[[nodiscard]] std::string array_ranges(const std::vector<std::size_t>& shards);

/// Makes the directory of a new submission. Throws OutputError as ResultDirectory does.
void create_submission(const Submission& submission, const std::string& command);
/// Renews info.yml, when the numbers of the jobs are known.
void save_submission(const Submission& submission, const std::string& command);
/// What info.yml says of a submission; nullopt when the directory holds none.
[[nodiscard]] std::optional<Submission> read_submission(const std::filesystem::path& directory);

[[nodiscard]] std::filesystem::path shard_directory(const std::filesystem::path& directory,
                                                    std::size_t shard);

/// How far a directory of a sweep or one of its shards is.
struct ShardStatus {
    std::size_t points = 0;
    std::size_t finished = 0;
    std::size_t failed = 0;  ///< of the finished
    bool complete = false;   ///< its table is in place
};

[[nodiscard]] ShardStatus status_of(const std::filesystem::path& directory);

/// Shards of the submission whose tables are not in place.
[[nodiscard]] std::vector<std::size_t> missing_shards(const Submission& submission);

/// Runs a command of Slurm and returns what it prints, without the line end. Throws OutputError
/// when it cannot be run or fails.
[[nodiscard]] std::string run_slurm_command(const std::vector<std::string>& words);

}  // namespace idlesim
