// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"
#include "sim/experiment/html_report.hpp"
#include "sim/output/atomic_file.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

int report(const Arguments& arguments) {
    if (arguments.words.empty()) {
        throw UsageError{"report takes results: idlesim report DIR --out page.html"};
    }
    const std::string page = html_report({arguments.words.begin(), arguments.words.end()});
    if (arguments.out.empty()) {
        fmt::print("{}", page);
    } else {
        write_file(arguments.out, page);
    }
    return kSuccess;
}

}  // namespace

Verb report_verb() {
    return {
        "report",
        "DIR...",
        "One self-contained HTML page about results of `run` and `validate`, with --out into that "
        "file, else printed.",
        {"out"},
        report};
}

}  // namespace idlesim
