// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/cpuidle_diff.hpp"
#include "sim/experiment/cpuidle_import.hpp"
#include "sim/experiment/cpuidle_table.hpp"
#include "sim/experiment/dump_check.hpp"
#include "sim/experiment/dump_reader.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/output_error.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLiveTree = "/sys/devices/system/cpu";

void print_table(const Dump& dump, CpuidleSpan span, const Arguments& arguments) {
    if (arguments.csv) {
        fmt::print("{}", cpuidle_csv(dump));
    } else if (!arguments.quiet) {
        fmt::print("{}", cpuidle_text(dump, span));
    }
}

void print_warnings(const config::Diagnostics& diagnostics, const Arguments& arguments) {
    if (!arguments.quiet) {
        fmt::print(stderr, "{}", diagnostics.render());
    }
}

int show(const std::vector<std::string>& files, const Arguments& arguments) {
    if (files.size() > 1) {
        throw UsageError{"cpuidle show takes one dump: idlesim cpuidle show FILE"};
    }
    const Dump dump = read_dump(files.empty() ? kLiveTree : files.front());
    config::Diagnostics diagnostics;
    check_dump(dump, diagnostics);
    print_warnings(diagnostics, arguments);
    print_table(dump, CpuidleSpan::since_boot, arguments);
    return kSuccess;
}

int diff(const std::vector<std::string>& files, const Arguments& arguments) {
    if (files.size() != 2) {
        throw UsageError{"cpuidle diff takes two dumps: idlesim cpuidle diff BEFORE AFTER"};
    }
    const Dump before = read_dump(files.front());
    const Dump after = read_dump(files.back());
    config::Diagnostics diagnostics;
    const Dump between = difference(before, after, diagnostics);
    check_dump(after, diagnostics);
    print_warnings(diagnostics, arguments);
    print_table(between, CpuidleSpan::between_dumps, arguments);
    return kSuccess;
}

/// What somebody wrote by hand is not ours to replace.
void check_replaceable(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        return;
    }
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    if (!line.starts_with(kImportMark)) {
        throw OutputError{
            fmt::format("{} exists and was not written by import; name another file or remove it",
                        path.string())};
    }
}

int import_dump(const std::vector<std::string>& files, const Arguments& arguments) {
    if (files.size() != 1) {
        throw UsageError{
            "cpuidle import takes one dump: idlesim cpuidle import FILE --out PLATFORM.yaml"};
    }
    const fs::path out = arguments.out;
    const fs::path named_after = out.empty() ? fs::path{files.front()} : out;
    const std::string name = named_after.stem().string();
    const Dump dump = read_dump(files.front());
    config::Diagnostics diagnostics;
    check_dump(dump, diagnostics);
    const std::string text =
        imported_platform(dump, name.empty() || name == "-" ? "imported" : name, diagnostics);
    print_warnings(diagnostics, arguments);
    if (out.empty()) {
        fmt::print("{}", text);
        return kSuccess;
    }
    check_replaceable(out);
    write_file(out, text);
    return kSuccess;
}

int cpuidle(const Arguments& arguments) {
    const std::vector<std::string>& words = arguments.words;
    if (words.empty()) {
        throw UsageError{
            "cpuidle takes a word for what to do: idlesim cpuidle show|diff|import FILE ..."};
    }
    const std::vector<std::string> files{words.begin() + 1, words.end()};
    if (words.front() == "show") {
        return show(files, arguments);
    }
    if (words.front() == "diff") {
        return diff(files, arguments);
    }
    if (words.front() == "import") {
        return import_dump(files, arguments);
    }
    throw UsageError{
        fmt::format("cpuidle does not know '{}'{}",
                    words.front(),
                    config::suggestion_text(words.front(), "words", {"show", "diff", "import"}))};
}

}  // namespace

Verb cpuidle_verb() {
    return {"cpuidle",
            "show|diff|import FILE ...",
            "What people paste of /sys/devices/system/cpu: a table of idle states, or a platform.\n"
            "show [FILE] prints a dump, without FILE this machine; diff BEFORE AFTER what happened "
            "in\nbetween: too deep, too shallow; import FILE writes a platform file, with --out to "
            "a file.\nA dump is text of grep -r, cat, tail, pepc, stats-collect or cpupower "
            "idle-info, - for\nstandard input, or a folder like /sys/devices/system/cpu.",
            {"csv", "out", "quiet"},
            cpuidle};
}

}  // namespace idlesim
