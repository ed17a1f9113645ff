// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/governor_verify.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

int verify(const std::vector<std::string>& files, bool quiet) {
    int status = kSuccess;
    for (const std::string& file : files) {
        const GovernorVerdict verdict = verify_governor(file);
        if (verdict.difference) {
            status = kAnswerIsNo;
        }
        if (!quiet) {
            fmt::print("{}", to_text(verdict, file));
        }
    }
    return status;
}

int governor(const Arguments& arguments) {
    const std::vector<std::string>& words = arguments.words;
    if (words.empty()) {
        throw UsageError{"governor takes a word for what to do: idlesim governor verify FILE.csv"};
    }
    if (words.front() != "verify") {
        throw UsageError{fmt::format("governor does not know '{}'{}",
                                     words.front(),
                                     config::suggestion_text(words.front(), "words", {"verify"}))};
    }
    if (words.size() == 1) {
        throw UsageError{"governor verify takes files: idlesim governor verify FILE.csv ..."};
    }
    return verify({words.begin() + 1, words.end()}, arguments.quiet);
}

}  // namespace

Verb governor_verb() {
    return {"governor",
            "verify VECTORS.csv ...",
            "Holds a governor against the kernel's own decisions: counts the equal ones, "
            "or shows the first that differs.",
            {"quiet"},
            governor};
}

}  // namespace idlesim
