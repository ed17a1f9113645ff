// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <string>

#include <sys/wait.h>

namespace idlesim {
namespace {

const std::string kExample =
    std::string{IDLESIM_SOURCE_DIR} + "/experiments/examples/own_strategy.yaml";

// Without it a waker's store in front of MONITOR goes unseen.
const std::string kNoSecondTest = " --set 'arms.own.idle.operations[3]=cli'";

int run(const ScratchFolder& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && IDLESIM_DATA='" +
                                IDLESIM_SOURCE_DIR + "' '" + IDLESIM_BINARY + "' " + arguments +
                                " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("check tries the programs of an experiment, run only runs them", "[cli]") {
    const ScratchFolder folder;
    CHECK(run(folder, "check '" + kExample + "'") == 0);
    CHECK(run(folder, "check '" + kExample + "'" + kNoSecondTest) == 2);
    const std::string errors = folder.read("err");
    INFO(errors);
    CHECK(errors.find("own_strategy.yaml:22:5: error: this program loses a wake-up (wake-up by "
                      "another CPU): set_polling; test_need_resched (clear); >>> another CPU wakes "
                      "the task: NEED_RESCHED set; POLLING is set, so no interrupt is sent; "
                      "monitor; cli; mwait: asleep with NEED_RESCHED set\n") != std::string::npos);
    CHECK(errors.find("1 error\n") != std::string::npos);
    CHECK(run(folder,
              "run --quiet --replications 1 --set workload.wakeups=200 '" + kExample + "'" +
                  kNoSecondTest) == 0);
}

}  // namespace idlesim
