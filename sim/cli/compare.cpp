// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/compare.hpp"

#include "sim/cli/verbs.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/result_directory.hpp"

#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

namespace idlesim {
namespace {

int run_compare(const Arguments& arguments) {
    if (arguments.words.size() < 2) {
        throw UsageError{"compare takes two results or more: idlesim compare BASELINE_DIR DIR ..."};
    }
    for (const std::string& word : arguments.words) {
        std::error_code ignored;
        if (!arguments.out.empty() && std::filesystem::equivalent(word, arguments.out, ignored)) {
            throw UsageError{fmt::format("--out: {} is one of the results to compare", word)};
        }
    }
    std::unique_ptr<ResultDirectory> directory;
    if (!arguments.out.empty()) {
        directory = std::make_unique<ResultDirectory>(arguments.out);
    }
    const StoredResult baseline = read_stored_result(arguments.words.front());
    std::vector<Comparison> comparisons;
    for (std::size_t i = 1; i < arguments.words.size(); ++i) {
        comparisons.push_back(compare(baseline, read_stored_result(arguments.words[i])));
    }
    if (directory) {
        write_file(directory->staging() / "compare.csv", comparisons_csv(comparisons));
        write_file(directory->staging() / "info.yml",
                   info_text("compare-" + baseline.name, arguments.command, ""));
        directory->commit();
    }
    if (arguments.csv) {
        fmt::print("{}", comparisons_csv(comparisons));
    } else if (!arguments.quiet) {
        for (std::size_t i = 0; i < comparisons.size(); ++i) {
            fmt::print("{}{}", i == 0 ? "" : "\n", comparison_text(comparisons[i]));
        }
    }
    return kSuccess;
}

}  // namespace

Verb compare_verb() {
    return {"compare",
            "DIR DIR...",
            "Compares results with the first one: directories that `run --out` or `sweep --out` "
            "wrote. What\nboth hold is compared arm by arm or point by point, in pairs of "
            "replications where the seeds match\n(which makes small differences visible), else "
            "with Welch's interval. With --out DIR it writes\ncompare.csv, one row per statistic.",
            {"csv", "out", "quiet"},
            run_compare};
}

}  // namespace idlesim
