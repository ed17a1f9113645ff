// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/repo/source_files.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <string>

namespace idlesim::repo {
namespace {

bool is_cpp(const SourceFile& file) {
    return file.has_extension(".cpp") || file.has_extension(".hpp");
}

bool is_script(const SourceFile& file) {
    return file.path == "bootstrap" || file.path.starts_with(".ci/") ||
           file.has_extension(".cmake") || file.path.ends_with("CMakeLists.txt");
}

TEST_CASE("every source names its licence at the top") {
    for (const SourceFile& file : files()) {
        if (is_cpp(file)) {
            INFO(file.path);
            REQUIRE_FALSE(file.lines.empty());
            CHECK(file.lines.front() == "// SPDX-License-Identifier: Apache-2.0");
        } else if (is_script(file)) {
            INFO(file.path);
            const auto top =
                file.lines.begin() + std::min<std::ptrdiff_t>(2, std::ssize(file.lines));
            CHECK(std::count(file.lines.begin(), top, "# SPDX-License-Identifier: Apache-2.0") ==
                  1);
        }
    }
}

TEST_CASE("every header is guarded by pragma once") {
    for (const SourceFile& file : files()) {
        if (file.has_extension(".hpp")) {
            INFO(file.path);
            CHECK(std::count(file.lines.begin(), file.lines.end(), "#pragma once") == 1);
        }
    }
}

TEST_CASE("no file names a path of a developer's machine") {
    // In pieces, or this file would name them.
    const std::regex machine_path{std::string{"(^|[^A-Za-z0-9_.~-])/"} + "(work|root|home|Users)/"};
    for (const SourceFile& file : files()) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            if (file.lines[i].size() < 2000 && std::regex_search(file.lines[i], machine_path)) {
                FAIL_CHECK(place(file, i) << ": " << file.lines[i]);
            }
        }
    }
}

TEST_CASE("no source holds unfinished work") {
    const std::array<std::string, 4> marks{std::string{"TO"} + "DO",
                                           std::string{"FIX"} + "ME",
                                           std::string{"XX"} + "X:",
                                           std::string{"HA"} + "CK:"};
    for (const SourceFile& file : files()) {
        if (!is_cpp(file) && !is_script(file)) {
            continue;
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            for (const std::string& mark : marks) {
                if (file.lines[i].find(mark) != std::string::npos) {
                    FAIL_CHECK(place(file, i) << ": " << file.lines[i]);
                }
            }
        }
    }
}

TEST_CASE("tests compile with both versions of Catch2") {
    // In pieces, as above.
    const std::regex only_one_version{std::string{"#include <catch"} +
                                      "2/|Matchers:" + ":Contains\\("};
    for (const SourceFile& file : files_below("tests/")) {
        if (!is_cpp(file) || file.path == "tests/catch.hpp") {
            continue;
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            if (std::regex_search(file.lines[i], only_one_version)) {
                FAIL_CHECK(place(file, i) << ": use tests/catch.hpp and the spelling of v3");
            }
        }
    }
}

TEST_CASE("a source file can be read in one sitting") {
    for (const SourceFile& file : files()) {
        if (is_cpp(file)) {
            INFO(file.path);
            CHECK(file.lines.size() < 600);
        }
    }
}

TEST_CASE("no platform that is shipped replays a distribution") {
    // A latency has to come out of steps and costs; a stored result would prove nothing.
    const auto platforms = files_below("configs/platforms/");
    CHECK_FALSE(platforms.empty());
    for (const SourceFile& file : platforms) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string value = file.lines[i].substr(0, file.lines[i].find('#'));
            INFO(place(file, i));
            CHECK(value.find("empirical") == std::string::npos);
        }
    }
}

TEST_CASE("what nobody has measured stays out of the ledger") {
    for (const SourceFile& file : files_below("experiments/")) {
        if (file.path.find("/predictions/") != std::string::npos) {
            continue;
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            INFO(place(file, i));
            CHECK(file.lines[i].find("use: prediction") == std::string::npos);
        }
    }
}

}  // namespace
}  // namespace idlesim::repo
