// SPDX-License-Identifier: Apache-2.0
#include "sim/output/result_directory.hpp"

#include "sim/output/atomic_file.hpp"
#include "sim/output/output_error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

using namespace idlesim;

namespace {

const std::string kInfo = "toolname: idlesim\n";

void write_result(const std::filesystem::path& target, const std::string& text) {
    ResultDirectory result{target};
    write_file(result.staging() / "summary.csv", text);
    write_file(result.staging() / "info.yml", kInfo);
    write_file(result.make_folder("arm") / "samples.csv", "x\n");
    result.commit();
}

}  // namespace

TEST_CASE("a file appears only when it is committed", "[output]") {
    const ScratchFolder folder;
    {
        AtomicFile file{folder.path() / "a.csv"};
        file.write("half");
    }
    REQUIRE(folder.entries() == 0);
    AtomicFile file{folder.path() / "a.csv"};
    file.write("whole");
    REQUIRE_FALSE(std::filesystem::exists(folder.path() / "a.csv"));
    file.commit();
    REQUIRE(folder.read("a.csv") == "whole");
    REQUIRE(folder.entries() == 1);
}

TEST_CASE("a file that cannot be written names path and reason", "[output]") {
    const ScratchFolder folder;
    REQUIRE_THROWS_WITH(
        write_file(folder.path() / "none" / "a.csv", "x"),
        Catch::Matchers::ContainsSubstring("none/a.csv: No such file or directory"));
}

TEST_CASE("a result appears whole, parents included", "[output]") {
    const ScratchFolder folder;
    write_result(folder.path() / "a" / "b" / "out", "1\n");
    REQUIRE(folder.read("a/b/out/summary.csv") == "1\n");
    REQUIRE(folder.read("a/b/out/arm/samples.csv") == "x\n");
    REQUIRE(folder.entries("a/b") == 1);
}

TEST_CASE("a result that is not committed leaves nothing", "[output]") {
    const ScratchFolder folder;
    {
        const ResultDirectory result{folder.path() / "a" / "b" / "out"};
        write_file(result.staging() / "summary.csv", "1\n");
    }
    REQUIRE(folder.entries() == 0);
}

TEST_CASE("an own result is replaced as a whole", "[output]") {
    const ScratchFolder folder;
    write_result(folder.path() / "out", "1\n");
    folder.write("out/old_arm/samples.csv", "old\n");
    write_result(folder.path() / "out", "2\n");
    REQUIRE(folder.read("out/summary.csv") == "2\n");
    REQUIRE_FALSE(std::filesystem::exists(folder.path() / "out/old_arm"));
    REQUIRE(folder.entries() == 1);
}

TEST_CASE("an empty directory and a trailing slash are fine", "[output]") {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "out");
    write_result(folder.path() / "out" / "", "1\n");
    REQUIRE(folder.read("out/summary.csv") == "1\n");
}

TEST_CASE("a link to a directory stays a link", "[output]") {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "real");
    std::filesystem::create_directory_symlink("real", folder.path() / "out");
    write_result(folder.path() / "out", "1\n");
    REQUIRE(std::filesystem::is_symlink(folder.path() / "out"));
    REQUIRE(folder.read("real/summary.csv") == "1\n");
}

TEST_CASE("somebody else's files are never replaced", "[output]") {
    const ScratchFolder folder;
    folder.write("photos/cat.jpg", "meow");
    REQUIRE_THROWS_WITH(ResultDirectory{folder.path() / "photos"},
                        Catch::Matchers::ContainsSubstring("idlesim did not write"));
    folder.write("wult/info.yml", "toolname: wult\n");
    REQUIRE_THROWS_AS(ResultDirectory{folder.path() / "wult"}, OutputError);
    folder.write("file", "x");
    REQUIRE_THROWS_WITH(ResultDirectory{folder.path() / "file"},
                        Catch::Matchers::ContainsSubstring("not a directory"));
    REQUIRE_THROWS_AS(ResultDirectory{folder.path() / "file" / "below"}, OutputError);
    REQUIRE(folder.entries("photos") == 1);
}
