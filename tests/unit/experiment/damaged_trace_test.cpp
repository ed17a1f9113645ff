// SPDX-License-Identifier: Apache-2.0
// Traces that are damaged, cut off, empty or something else: which line, and what was expected.
#include "sim/config/diagnostics.hpp"
#include "sim/experiment/replay_report.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden_files.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <random>
#include <string>

using namespace idlesim;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kGood =
    test::content(std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/two_cpus.trace.txt");

/// What a reader of the trace is told, as an error or as warnings.
std::string told(const std::string& text) {
    const ScratchFolder folder;
    folder.write("trace", text);
    const std::string path = (folder.path() / "trace").string();
    try {
        const ReplayResult result = replay(path, {});
        config::Diagnostics diagnostics;
        check_replay(result, "trace", diagnostics);
        return diagnostics.render();
    } catch (const config::ConfigError& error) {
        return error.what();
    }
}

std::string with_line(int number, const std::string& line) {
    std::string text;
    int at = 0;
    for (const std::string& old : test::lines(kGood)) {
        text += (++at == number ? line : old) + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("a trace that is whole is read without a word", "[experiment]") {
    CHECK(told(kGood).empty());
}

TEST_CASE("an empty trace is told what was expected", "[experiment]") {
    CHECK_THAT(told(""), ContainsSubstring("no events; expected ftrace text like"));
}

TEST_CASE("a trace that was cut off names the line that it ends in", "[experiment]") {
    const std::size_t end = kGood.size() - 20;
    CHECK_THAT(told(kGood.substr(0, end)),
               ContainsSubstring("trace:23:1: warning: the trace ends within a line") &&
                   ContainsSubstring("expected a line feed"));
}

TEST_CASE("a damaged line is named, with what was expected, and left out", "[experiment]") {
    CHECK_THAT(told(with_line(9, std::string{"\x01garb\0age", 8})),
               ContainsSubstring("trace:9:1: warning: 1 line left out, no ftrace text; expected"));
    CHECK_THAT(told(with_line(5, "<idle>-0 [000] 1.0: cpu_idle: state=zz cpu_id=0")),
               ContainsSubstring("trace:5:1: warning: 1 cpu_idle event left out; expected"));
    CHECK_THAT(told(with_line(5, "<idle>-0 [000] 99999999999999999999.5: cpu_idle: state=1")),
               ContainsSubstring("trace:5:1: warning: 1 line left out"));
}

TEST_CASE("a huge line is refused with its number", "[experiment]") {
    const std::string text = told(kGood + std::string(200'000, 'x') + "\n");
    CHECK_THAT(text,
               ContainsSubstring(":24:1: error: a line of more than 65536 bytes") &&
                   ContainsSubstring("expected text"));
}

TEST_CASE("other formats are named", "[experiment]") {
    CHECK_THAT(told("PERFILE2" + std::string(100, '\0')),
               ContainsSubstring(":1: error: this is perf's own format; expected text"));
    CHECK_THAT(told("\x17\x08\x44tracing" + std::string(10, '\0')),
               ContainsSubstring(":1: error: this is trace-cmd's own format; expected text"));
    CHECK_THAT(told("\x1f\x8b\x08" + std::string(100, 'x')),
               ContainsSubstring(":1: error: this is a compressed file; expected text"));
    CHECK_THAT(told("a,b,c\n1,2,3\n"), ContainsSubstring(":2: error: no events; expected"));
    std::string novel;
    for (int i = 0; i < 2000; ++i) {
        novel += "It was a dark and stormy night.\n";
    }
    CHECK_THAT(told(novel), ContainsSubstring(":1000: error: no event in a thousand lines"));
}

TEST_CASE("no damage to a trace crashes the reader", "[experiment]") {
    std::mt19937 luck{1};
    for (int round = 0; round < 2000; ++round) {
        std::string text = kGood;
        const int changes = static_cast<int>(luck() % 20) + 1;
        for (int i = 0; i < changes; ++i) {
            const std::size_t at = luck() % text.size();
            switch (luck() % 3) {
                case 0:
                    text[at] = static_cast<char>(luck() % 256);
                    break;
                case 1:
                    text.erase(at, luck() % 40);
                    break;
                default:
                    text.insert(at, text.substr(luck() % text.size(), luck() % 60));
                    break;
            }
        }
        static_cast<void>(told(text));
    }
    SUCCEED("2000 damaged traces were read");
}
