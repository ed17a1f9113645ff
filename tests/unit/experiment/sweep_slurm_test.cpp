// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_slurm.hpp"

#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

using namespace idlesim;

namespace {

Submission submission_in(const std::filesystem::path& directory) {
    Submission submission;
    submission.directory = directory;
    submission.program = "/opt/idle sim/idlesim";
    submission.sweep = "/data/it's/s.yaml";
    submission.arguments = {"--set", "kernel.hz=250"};
    submission.points = 100;
    submission.shards = 7;
    submission.plan = "0123456789abcdef";
    return submission;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("tasks are sized by minutes, not by points", "[sweep]") {
    SlurmOptions options;
    REQUIRE(shards_for(60, 10'000, options) == 1);
    REQUIRE(shards_for(6000, 10'000, options) == 10);
    options.tasks_per_node = 4;
    REQUIRE(shards_for(6000, 10'000, options) == 3);
    REQUIRE(shards_for(1e9, 10'000, options) == 1000);
    REQUIRE(shards_for(1e9, 20, options) == 20);
    options.shards = 6;
    REQUIRE(shards_for(0, 100, options) == 6);
    REQUIRE(shards_for(0, 3, options) == 3);
}

TEST_CASE("the array's script asks for what the user asked for, and quotes", "[sweep]") {
    SlurmOptions options;
    options.partition = "fast";
    options.time = "00:30:00";
    const std::string script = array_script(submission_in("/data/out"), options);
    REQUIRE(script.starts_with("#!/bin/bash\n#SBATCH --job-name=idlesim-s\n"));
    REQUIRE(has(script, "#SBATCH --partition=fast\n"));
    REQUIRE(has(script, "#SBATCH --time=00:30:00\n"));
    REQUIRE(has(script, "#SBATCH --requeue\n"));
    REQUIRE_FALSE(has(script, "--account"));
    REQUIRE_FALSE(has(script, "--mem"));
    REQUIRE(
        has(script,
            "exec '/opt/idle sim/idlesim' sweep '/data/it'\\''s/s.yaml' '--set' 'kernel.hz=250'"));
    REQUIRE(has(script, "--shard \"$SLURM_ARRAY_TASK_ID/7\""));
    REQUIRE(has(script, "--resume"));
}

TEST_CASE("shards that are missing become ranges", "[sweep]") {
    REQUIRE(array_ranges({1, 2, 3, 7, 9, 10}) == "1-3,7,9-10");
    REQUIRE(array_ranges({4}) == "4");
}

TEST_CASE("a submission is found again, with the numbers of its jobs", "[sweep]") {
    const ScratchFolder folder;
    Submission submission = submission_in(folder.path() / "out");
    create_submission(submission, "idlesim");
    submission.array_job = "17";
    submission.merge_job = "18";
    save_submission(submission, "idlesim");
    const auto read = read_submission(folder.path() / "out");
    REQUIRE(read);
    REQUIRE(read->sweep == submission.sweep);
    REQUIRE(read->shards == 7);
    REQUIRE(read->points == 100);
    REQUIRE(read->plan == submission.plan);
    REQUIRE(read->array_job == "17");
    REQUIRE(read->merge_job == "18");
    REQUIRE(missing_shards(*read).size() == 7);
    REQUIRE_FALSE(read_submission(folder.path()));
}
