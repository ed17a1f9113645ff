// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_journal.hpp"

#include "sim/output/output_error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

using namespace idlesim;

namespace {

const SweepSpec kSpec{"0.1", "abc", "hlt.wake_latency.p50 mwait.wake_latency.p50", ""};

PointRecord record_of(const std::string& id) {
    return {id,
            0xfedcba9876543210ULL,
            3,
            "",
            {{"1.5", "1", "2", "ns", "1.5 1 2"}, {"-7", "", "", "%", ""}}};
}

}  // namespace

TEST_CASE("a record is read back as it was written, whatever is in it", "[sweep]") {
    REQUIRE(parse_journal_line(journal_line(record_of("a"))) == record_of("a"));
    PointRecord failed{"b", 1, 0, "line\tone\\n\nline two", {}};
    REQUIRE(parse_journal_line(journal_line(failed)) == failed);
}

TEST_CASE("a record that is torn or changed anywhere is no record", "[sweep]") {
    const std::string line = journal_line(record_of("0123456789abcdef"));
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        REQUIRE_FALSE(parse_journal_line(line.substr(0, i)));
        std::string changed = line;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        REQUIRE_FALSE(parse_journal_line(changed));
    }
}

TEST_CASE("of a journal that ends anywhere the whole records are kept", "[sweep]") {
    const ScratchFolder folder;
    const std::string head = journal_header(kSpec);
    const std::string first = journal_line(record_of("a"));
    const std::string whole = head + first + journal_line(record_of("b"));
    for (std::size_t size = head.size(); size <= whole.size(); ++size) {
        folder.write("journal", whole.substr(0, size));
        const JournalContents contents = read_journal(folder.path() / "journal");
        REQUIRE(contents.spec == kSpec);
        const std::size_t expected = size == whole.size()                 ? 2U
                                     : size >= head.size() + first.size() ? 1U
                                                                          : 0U;
        REQUIRE(contents.records.size() == expected);
        const bool at_boundary =
            size == head.size() || size == head.size() + first.size() || size == whole.size();
        REQUIRE(contents.damaged == !at_boundary);
    }
}

TEST_CASE("a journal that is absent, empty or of something else has no spec", "[sweep]") {
    const ScratchFolder folder;
    REQUIRE_FALSE(read_journal(folder.path() / "none").spec);
    folder.write("journal", "");
    REQUIRE_FALSE(read_journal(folder.path() / "journal").spec);
    folder.write("journal", journal_line(record_of("a")));
    REQUIRE_FALSE(read_journal(folder.path() / "journal").spec);
}

TEST_CASE("appended records follow each other", "[sweep]") {
    const ScratchFolder folder;
    folder.write("journal", journal_header(kSpec));
    {
        Journal journal{folder.path() / "journal"};
        journal.append(record_of("a"));
    }
    Journal journal{folder.path() / "journal"};
    journal.append(record_of("b"));
    const JournalContents contents = read_journal(folder.path() / "journal");
    REQUIRE(contents.records.at("a") == record_of("a"));
    REQUIRE(contents.records.at("b") == record_of("b"));
    REQUIRE_FALSE(contents.damaged);
    REQUIRE_THROWS_AS(Journal{folder.path() / "nowhere"}, OutputError);
}
