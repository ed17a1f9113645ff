// SPDX-License-Identifier: Apache-2.0
#include "sim/config/diagnostics.hpp"
#include "sim/experiment/governor_verify.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

using namespace idlesim;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<std::filesystem::path> recordings() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{
             std::filesystem::path{IDLESIM_SOURCE_DIR} / "tests/data/governors"}) {
        if (entry.path().extension() == ".csv") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

const std::string kHead =
    "# format: governor decision vectors 1\n"
    "# governor: menu\n"
    "# version: 7.0\n"
    "# hz: 250\n"
    "# tick_ns: 4000000\n"
    "# state: index=0 name=POLL latency_ns=0 residency_ns=0 polling=1 disabled=0\n"
    "# state: index=1 name=C1 latency_ns=2000 residency_ns=2000 polling=0 disabled=0\n";
const std::string kColumns =
    "step,sleep_length_ns,delta_next_ns,tick_stopped,latency_req_ns,nr_iowait,util,disabled_mask,"
    "last_residency_ns,tick_wakeup,poll_limit_hit,expected_state,expected_stop_tick,"
    "queried_sleep_length,expected_predicted_ns\n";
const std::string kRow = "0,100000,100000,0,2000000000000,0,0,0,50000,0,0,1,0,1,100000\n";

/// What verifying the text says, also when it is refused.
std::string answer(const std::string& text) {
    const ScratchFolder folder;
    folder.write("v.csv", text);
    const std::string path = (folder.path() / "v.csv").string();
    try {
        std::string result = to_text(verify_governor(path), path);
        return result.substr(folder.path().string().size() + 1);
    } catch (const config::ConfigError& error) {
        return std::string{error.what()}.substr(folder.path().string().size() + 1);
    }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("every recorded decision of the kernel is reproduced", "[governor]") {
    std::set<std::string> governors;
    fmt::print("{:<14} {:<46} {:>5} {:>5}\n", "governor", "file", "rows", "equal");
    for (const std::filesystem::path& file : recordings()) {
        const GovernorVerdict verdict = verify_governor(file.string());
        const std::int64_t rows = verdict.head.rows.value();
        fmt::print("{:<14} {:<46} {:>5} {:>5}\n",
                   verdict.head.governor,
                   file.filename().string(),
                   rows,
                   verdict.equal);
        INFO(to_text(verdict, file.string()));
        CHECK(verdict.equal == rows);
        governors.insert(verdict.head.governor);
    }
    for (const std::string& kind : Registry<Governor>::names()) {
        INFO(kind);
        CHECK((governors.contains(kind) || kind == "fixed" || kind == "oracle"));
    }
}

TEST_CASE("the first decision that differs is shown with its reason", "[governor]") {
    REQUIRE(answer(kHead + kColumns + kRow) == "v.csv: all 1 decisions of menu@7.0 are equal\n");
    const std::string text =
        answer(kHead + kColumns + kRow + "1,1000,1000,0,2000000000000,0,0,0,-1,0,0,1,1,0,7\n");
    REQUIRE_THAT(text,
                 ContainsSubstring("v.csv:10: menu@7.0 decides otherwise in step 1; the 1 "
                                   "decisions before are equal\n  inputs:   step=1 "
                                   "sleep_length_ns=1000"));
    REQUIRE_THAT(text,
                 ContainsSubstring("expected: state 1 (C1), tick may stop, did not ask for the "
                                   "sleep length, predicted 7 ns"));
    REQUIRE_THAT(text,
                 ContainsSubstring("got:      state 1 (C1), tick goes on, did not ask for the "
                                   "sleep length, predicted 6000 ns"));
    REQUIRE_THAT(text, ContainsSubstring("typical interval 6 us from the last idle times"));
}

TEST_CASE("columns may stand in any order, lines may end as on Windows", "[governor]") {
    const std::string columns = replaced(kColumns, "step,sleep_length_ns", "sleep_length_ns,step");
    REQUIRE_THAT(answer(kHead + columns + replaced(kRow, "0,100000,", "100000,0,")),
                 ContainsSubstring("all 1 decisions"));
    std::string text;
    for (const char c : kHead + kColumns + kRow) {
        text += c == '\n' ? std::string{"\r\n"} : std::string{c};
    }
    REQUIRE_THAT(answer(text), ContainsSubstring("all 1 decisions"));
}

TEST_CASE("a malformed head is refused with its place", "[governor]") {
    const auto head = [](const std::string& from, const std::string& to) {
        return answer(replaced(kHead, from, to) + kColumns + kRow);
    };
    REQUIRE_THAT(answer(""), ContainsSubstring("v.csv: error: the file is empty"));
    REQUIRE_THAT(answer(kHead), ContainsSubstring("ends before the line of column names"));
    REQUIRE_THAT(answer("a,b\n1,2\n"),
                 ContainsSubstring("v.csv:1:1: error: expected '# format: gov"));
    REQUIRE_THAT(head("vectors 1", "vectors 2"),
                 ContainsSubstring("v.csv:1:11: error: unknown format"));
    REQUIRE_THAT(head("# format: governor decision vectors 1\n", ""),
                 ContainsSubstring("expected '# format: governor decision vectors 1' first"));
    REQUIRE_THAT(head("version: 7.0", "version: 7.2"),
                 ContainsSubstring("v.csv:3:12: error: there is no governor 'menu@7.2'"));
    REQUIRE_THAT(head("# version: 7.0\n", ""), ContainsSubstring("without '# version: ...'"));
    REQUIRE_THAT(head("# tick_ns: 4000000\n", ""), ContainsSubstring("without '# tick_ns: ...'"));
    REQUIRE_THAT(head("4000000", "4000001"), ContainsSubstring("that is no tick of 250 Hz"));
    REQUIRE_THAT(head("index=1", "index=2"),
                 ContainsSubstring("v.csv:7:16: error: index: must be"));
    REQUIRE_THAT(head("latency_ns=2000", "latency_ns=2us"),
                 ContainsSubstring("latency_ns: expected a whole number, not '2us'"));
    REQUIRE_THAT(head(" polling=0", ""), ContainsSubstring("expected 'polling=...'"));
    REQUIRE_THAT(head("# hz: 250", "# hz 250"), ContainsSubstring("expected '# key: value'"));
    REQUIRE_THAT(head("name=POLL", "name="), ContainsSubstring("expected 'name=...'"));
    const std::string polling = kHead.substr(0, kHead.find("# state: index=1"));
    REQUIRE_THAT(
        answer(replaced(replaced(polling, "menu", "ladder"), "7.0", "6.3") + kColumns),
        ContainsSubstring("v.csv:7: error: governor ladder needs a state behind the polling one"));
}

TEST_CASE("malformed columns and rows are refused with their place", "[governor]") {
    const auto rows = [](const std::string& text) { return answer(kHead + kColumns + text); };
    const auto columns = [](const std::string& from, const std::string& to) {
        return answer(kHead + replaced(kColumns, from, to) + kRow);
    };
    REQUIRE_THAT(columns("nr_iowait", "nr_iowat"),
                 ContainsSubstring("unknown column 'nr_iowat'; did you mean 'nr_iowait'?"));
    REQUIRE_THAT(columns("util,", ""), ContainsSubstring("the column 'util' is missing"));
    REQUIRE_THAT(columns("util,", "step,"), ContainsSubstring("the column is there twice"));
    REQUIRE_THAT(rows("0,100\n"),
                 ContainsSubstring("v.csv:9:6: error: the row ends after 2 of 15 values"));
    REQUIRE_THAT(rows(replaced(kRow, "100000\n", "100000,4\n")),
                 ContainsSubstring("more than 15 values"));
    REQUIRE_THAT(rows(replaced(kRow, "50000", "5e4")),
                 ContainsSubstring("last_residency_ns: expected a whole number, not '5e4'"));
    REQUIRE_THAT(rows(replaced(kRow, "50000", "-2")),
                 ContainsSubstring("last_residency_ns: must be at least -1"));
    REQUIRE_THAT(rows(replaced(kRow, "50000", "99999999999999999999")),
                 ContainsSubstring("does not fit into 64 bits"));
    REQUIRE_THAT(rows(replaced(kRow, "0,0,1,0,1", "0,0,2,0,1")),
                 ContainsSubstring("expected_state: the table has 2 states"));
    REQUIRE_THAT(rows(replaced(kRow, "0,0,0,50000", "0,0,4,50000")),
                 ContainsSubstring("disabled_mask: the table has 2 states"));
    REQUIRE_THAT(rows(replaced(kRow, "0,2000000000000", "2,2000000000000")),
                 ContainsSubstring("tick_stopped: must be 0 to 1"));
    REQUIRE_THAT(rows(kRow + kRow), ContainsSubstring("step: expected 1"));
    REQUIRE_THAT(rows(kRow + "\n"), ContainsSubstring("v.csv:10:1: error: "));
    REQUIRE_THAT(rows(std::string(100'000, '7')), ContainsSubstring("a line of more than 65536"));
    REQUIRE_THAT(
        answer(kHead + "# rows: 2\n" + kColumns + kRow),
        ContainsSubstring("v.csv:10: error: the file ends after 1 rows, its head promises 2"));
    REQUIRE_THAT(answer(kHead + "# rows: 0\n" + kColumns + kRow),
                 ContainsSubstring("more than the 0 rows of the head"));
}

TEST_CASE("a file that cannot be read is refused", "[governor]") {
    REQUIRE_THROWS_AS(verify_governor("/no/such/file.csv"), config::ConfigError);
    REQUIRE_THROWS_AS(verify_governor("/tmp"), config::ConfigError);
}

TEST_CASE("no damage to a recording crashes the reader", "[governor]") {
    const std::string whole = kHead + kColumns + kRow + kRow;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        static_cast<void>(answer(whole.substr(0, i)));
        for (const char c : {'\0', ',', '\n', '9', '-', '\xff'}) {
            std::string damaged = whole;
            damaged[i] = c;
            static_cast<void>(answer(damaged));
        }
    }
}
