// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"
#include "sim/experiment/sweep_merge.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

int merge_directories(const Arguments& arguments) {
    if (arguments.words.empty() || arguments.out.empty()) {
        throw UsageError{
            "merge takes the shards and a place: idlesim merge SHARD_DIR... --out DIR"};
    }
    const MergeResult result = merge_shards({arguments.words.begin(), arguments.words.end()},
                                            arguments.out,
                                            arguments.sweep.files,
                                            arguments.command);
    if (!arguments.quiet) {
        fmt::print("{} shards, {} points, {} failed; {}/points.csv{}\n",
                   arguments.words.size(),
                   result.points,
                   result.failures,
                   arguments.out,
                   arguments.sweep.files.suffix());
    }
    return result.failures == 0 ? kSuccess : kAnswerIsNo;
}

}  // namespace

Verb merge_verb() {
    return {"merge",
            "SHARD_DIR...",
            "Puts the shards of a sweep together. All of them must be there, finished, and of one "
            "sweep and version.",
            {"out", "tidy", "zstd", "quiet"},
            merge_directories};
}

}  // namespace idlesim
