// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/experiment.hpp"
#include "sim/experiment/simulate.hpp"

#include <filesystem>

namespace idlesim {

/// Files of an arm in the formats of other tools, where its workload and options give rise to them:
/// datapoints.csv and info.yml (wult), cyclictest.txt, cyclictest_histogram.txt and cyclictest.json
/// (cyclictest), sched_pipe.txt (perf bench sched pipe), trace.txt (ftrace) and idlestat.txt
/// (idlestat) of a run that was traced.
void write_tool_files(const std::filesystem::path& folder,
                      const Experiment& experiment,
                      const Arm& arm,
                      const ArmResult& result);

}  // namespace idlesim
