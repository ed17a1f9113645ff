// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_slurm.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/experiment/sweep_directory.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/output_error.hpp"
#include "sim/output/result_directory.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTasks = 1000;
constexpr double kSecondsPerMinute = 60;

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string{"'\\''"} : std::string{c};
    }
    return text + "'";
}

std::string quoted(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + quoted(word);
    }
    return text;
}

std::string directive(const char* option, const std::string& value) {
    return value.empty() ? "" : fmt::format("#SBATCH --{}={}\n", option, value);
}

std::string script_head(const Submission& submission,
                        const SlurmOptions& options,
                        const std::string& job,
                        const std::string& log) {
    return "#!/bin/bash\n" + directive("job-name", job) + directive("account", options.account) +
           directive("partition", options.partition) + directive("nodes", "1") +
           directive("chdir", submission.directory.string()) + directive("output", "slurm/" + log) +
           "#SBATCH --open-mode=append\n";
}

std::string info_of(const Submission& submission, const std::string& command) {
    std::string more = fmt::format(
        "submission: slurm\nsubmitted_sweep: {}\npoints: {}\nshards: {}\nplan: \"{}\"\n"
        "array_job: \"{}\"\nmerge_job: \"{}\"\n",
        config::write_scalar(submission.sweep.string(), true),
        submission.points,
        submission.shards,
        submission.plan,
        submission.array_job,
        submission.merge_job);
    return info_text(submission.sweep.stem().string(), command, more);
}

std::string text_in(const config::Node& root, const char* key) {
    const config::Node* node = root.find(key);
    return node == nullptr ? "" : node->text();
}

std::size_t number_in(const config::Node& root, const char* key) {
    const std::string text = text_in(root, key);
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

std::size_t shards_for(double thread_seconds, std::size_t points, const SlurmOptions& options) {
    if (options.shards) {
        return std::clamp<std::size_t>(*options.shards, 1, std::max<std::size_t>(points, 1));
    }
    const double of_a_task = kSecondsPerMinute * options.minutes * options.tasks_per_node;
    const double wanted = std::ceil(thread_seconds / of_a_task);
    const auto most = static_cast<double>(std::clamp<std::size_t>(points, 1, kMostTasks));
    return static_cast<std::size_t>(std::clamp(wanted, 1.0, most));
}

// Options with a sign of the user's wish only; what is not asked for is the cluster's to decide.
// `exec` lets the signal before the time limit reach idlesim, which then keeps what is finished.
std::string array_script(const Submission& submission, const SlurmOptions& options) {
    const std::string name = submission.sweep.stem().string();
    return script_head(submission, options, "idlesim-" + name, "%A_%a.log") +
           directive("time", options.time) + directive("mem", options.memory) +
           directive("ntasks-per-node", std::to_string(options.tasks_per_node)) +
           "#SBATCH --requeue\n#SBATCH --signal=B:TERM@30\n" +
           fmt::format(
               "exec {} sweep {}{}{} --shard \"$SLURM_ARRAY_TASK_ID/{}\" \\\n"
               "  --out \"shards/$SLURM_ARRAY_TASK_ID\" --resume --quiet "
               "--jobs \"${{SLURM_CPUS_ON_NODE:-{}}}\"\n",
               quoted(submission.program),
               quoted(submission.sweep.string()),
               submission.arguments.empty() ? "" : " ",
               quoted(submission.arguments),
               submission.shards,
               options.tasks_per_node);
}

std::string merge_script(const Submission& submission, const SlurmOptions& options) {
    const std::string name = submission.sweep.stem().string();
    return script_head(submission, options, "idlesim-merge-" + name, "merge_%j.log") +
           "#SBATCH --ntasks=1\n" +
           fmt::format("exec {} merge $(printf 'shards/%d ' $(seq 1 {})) --out result{}{}\n",
                       quoted(submission.program),
                       submission.shards,
                       options.tables.tidy ? " --tidy" : "",
                       options.tables.zstd ? " --zstd" : "");
}

std::string array_ranges(const std::vector<std::size_t>& shards) {
    std::vector<std::string> ranges;
    for (std::size_t i = 0; i < shards.size();) {
        std::size_t last = i;
        while (last + 1 < shards.size() && shards[last + 1] == shards[last] + 1) {
            ++last;
        }
        ranges.push_back(last == i ? std::to_string(shards[i])
                                   : fmt::format("{}-{}", shards[i], shards[last]));
        i = last + 1;
    }
    return fmt::format("{}", fmt::join(ranges, ","));
}

void create_submission(const Submission& submission, const std::string& command) {
    ResultDirectory directory{submission.directory};
    static_cast<void>(directory.make_folder("slurm"));
    static_cast<void>(directory.make_folder("shards"));
    write_file(directory.staging() / "info.yml", info_of(submission, command));
    directory.commit();
}

void save_submission(const Submission& submission, const std::string& command) {
    write_file(submission.directory / "info.yml", info_of(submission, command));
}

std::optional<Submission> read_submission(const fs::path& directory) {
    std::error_code ignored;
    if (!fs::is_regular_file(directory / "info.yml", ignored)) {
        return std::nullopt;
    }
    config::Diagnostics unheard;
    const config::Node root = config::load_file((directory / "info.yml").string(), unheard);
    if (!root.is_map() || root.find("submission") == nullptr) {
        return std::nullopt;
    }
    Submission submission;
    submission.directory = directory;
    submission.sweep = text_in(root, "submitted_sweep");
    submission.points = number_in(root, "points");
    submission.shards = number_in(root, "shards");
    submission.plan = text_in(root, "plan");
    submission.array_job = text_in(root, "array_job");
    submission.merge_job = text_in(root, "merge_job");
    return submission;
}

fs::path shard_directory(const fs::path& directory, std::size_t shard) {
    return directory / "shards" / std::to_string(shard);
}

ShardStatus status_of(const fs::path& directory) {
    ShardStatus status;
    const std::optional<SweepManifest> manifest = read_manifest(directory);
    if (!manifest || manifest->shard.count == 0) {
        return status;
    }
    const std::size_t before = manifest->shard.index - 1;
    status.points = (manifest->points + manifest->shard.count - 1 - before) / manifest->shard.count;
    const JournalContents journal = read_journal(directory / "journal");
    for (const auto& [id, record] : journal.records) {
        ++status.finished;
        status.failed += std::size_t{!record.error.empty()};
    }
    status.finished = std::min(status.finished, status.points);
    status.complete = has_points_table(directory);
    return status;
}

std::vector<std::size_t> missing_shards(const Submission& submission) {
    std::vector<std::size_t> missing;
    for (std::size_t shard = 1; shard <= submission.shards; ++shard) {
        if (!status_of(shard_directory(submission.directory, shard)).complete) {
            missing.push_back(shard);
        }
    }
    return missing;
}

std::string run_slurm_command(const std::vector<std::string>& words) {
    constexpr std::size_t kBlock = 4096;
    std::FILE* pipe = ::popen(quoted(words).c_str(), "re");
    if (pipe == nullptr) {
        throw OutputError{fmt::format("cannot run {}", words.front())};
    }
    std::string text;
    std::array<char, kBlock> block{};
    for (std::size_t size = 0; (size = std::fread(block.data(), 1, block.size(), pipe)) > 0;) {
        text.append(block.data(), size);
    }
    if (const int status = ::pclose(pipe); status != 0) {
        throw OutputError{
            fmt::format("{} failed; is this a machine from which Slurm takes jobs? "
                        "--dry-run only prints the scripts",
                        words.front())};
    }
    while (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

}  // namespace idlesim
