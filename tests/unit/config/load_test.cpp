// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"

#include "tests/catch.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace idlesim::config {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A folder of its own for each test, gone at the end.
class ScratchFolder {
public:
    ScratchFolder() {
        std::string name = (fs::temp_directory_path() / "idlesim_load_XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }

    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

private:
    fs::path path_;
};

std::string complaint(std::string_view text) {
    Diagnostics diagnostics;
    load_text(text, "f", diagnostics);
    const std::string all = diagnostics.render();
    return all.substr(0, all.find('\n'));
}

std::string file_complaint(const std::string& path) {
    Diagnostics diagnostics;
    CHECK(load_file(path, diagnostics).is_invalid());
    return diagnostics.render();
}

/// Processor time so far: a busy machine does not make it longer.
std::chrono::milliseconds processor_time() {
    return std::chrono::milliseconds{1000 * std::clock() / CLOCKS_PER_SEC};
}

/// Loads the text and tells how much processor time that took. The limits below tell a loader that
/// hangs or grows with the square from one that does not; they are no benchmark.
std::chrono::milliseconds time_to_load(const std::string& text) {
    const auto begin = processor_time();
    Diagnostics diagnostics;
    load_text(text, "f", diagnostics);
    const std::string rendered = diagnostics.render();
    CHECK(rendered.size() < 100'000);
    return processor_time() - begin;
}

std::string repeated(std::string_view part, std::size_t times) {
    std::string result;
    result.reserve(part.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        result += part;
    }
    return result;
}

TEST_CASE("values keep their kind, quotes and place") {
    Diagnostics diagnostics;
    const Node root =
        load_text("a: 1\nb: \"2\"\nlist:\n  - x y\n  - ~\nµ_no: {k: |\n", "f", diagnostics);
    CHECK(diagnostics.has_errors());  // µ is no word, and the brace is open

    Diagnostics none;
    const Node good = load_text(
        "a: 1\nb: \"2\"\nlist:\n  - x y\n  - ~\nm: { k: v }\ntext: |\n  two\n  lines\n", "f", none);
    INFO(none.render());
    REQUIRE_FALSE(none.has_errors());
    CHECK(good.find("a")->text() == "1");
    CHECK_FALSE(good.find("a")->quoted());
    CHECK(good.find("a")->location() == Location{"f", 1, 4, 1});
    CHECK(good.find("b")->quoted());
    CHECK(good.find("b")->location() == Location{"f", 2, 4, 3});
    const Node& list = *good.find("list");
    CHECK(list.key_location() == Location{"f", 3, 1, 4});
    CHECK(list.children().at(0).text() == "x y");
    CHECK(list.children().at(0).location() == Location{"f", 4, 5, 3});
    CHECK(list.children().at(1).is_null());
    CHECK(good.find("m")->find("k")->location() == Location{"f", 6, 9, 1});
    CHECK(good.find("text")->text() == "two\nlines\n");
    CHECK(good.find("text")->quoted());
}

TEST_CASE("carriage returns and a byte order mark are no part of the text") {
    Diagnostics diagnostics;
    const Node root = load_text(
        "\xEF\xBB\xBF"
        "a: 1\r\nb: x\r\n",
        "f",
        diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    CHECK(root.find("a")->location().column == 4);
    CHECK(root.find("b")->text() == "x");
    CHECK(complaint("a: 1\rb: 2") == "f:1:5: error: not a text file: control character 0x0D");
}

TEST_CASE("an absent value is placed at its key, a key named null included") {
    Diagnostics diagnostics;
    const Node root = load_text("a:\n\n\nb: 1\n", "f", diagnostics);
    CHECK(root.find("a")->is_null());
    CHECK(root.find("a")->location() == Location{"f", 1, 1, 1});
    CHECK(root.find("a")->text().empty());
    CHECK(load_text("a:\nnullable: 1", "f", diagnostics).find("a")->location().line == 1);
    CHECK(complaint("a:\nnull: 1").starts_with("f:2:1: error: a key must be a word"));
}

TEST_CASE("a lone comma ends instead of repeating empty documents for ever") {
    CHECK(complaint(",") == "f:1:1: error: unexpected ','");
    CHECK(complaint("# x\n , a: 1") == "f:2:2: error: unexpected ','");
    CHECK(time_to_load(repeated(",", 1'000'000)) < 5s);
}

TEST_CASE("hostile texts are refused in time") {
    CHECK(complaint("a: " + std::string(20'000, '[')).ends_with("nested deeper than 64 levels"));
    CHECK(time_to_load("a: " + std::string(20'000, '[')) < 5s);
    CHECK(time_to_load(std::string(20'000, '{')) < 5s);
    CHECK(time_to_load(repeated("- ", 100'000)) < 5s);
    CHECK(time_to_load(repeated("? ", 100'000)) < 5s);
    CHECK(time_to_load(repeated("a: ", 100'000)) < 5s);
    CHECK(time_to_load(repeated("*a ", 100'000)) < 5s);
    CHECK(time_to_load("[" + repeated("a, ", 120'000)) < 10s);
    CHECK(time_to_load("a: \"" + std::string(1'000'000, 'x')) < 10s);
    CHECK(time_to_load(repeated("a: &a 1\n", 20'000)) < 10s);
    CHECK(time_to_load(repeated("- !t 1\n", 20'000)) < 10s);
    std::string keys;
    for (int i = 0; i < 50'000; ++i) {
        keys += "k" + std::to_string(i) + ": 1\n";
    }
    CHECK(time_to_load(keys) < 10s);
}

TEST_CASE("what is too large is refused without reading it") {
    CHECK(complaint(std::string(kLongestFile + 1, ' ')) ==
          "f: error: larger than 4 MB; is this a configuration?");
    const ScratchFolder scratch;
    const std::string path = scratch.file("large.yaml");
    std::ofstream{path} << "a: 1\n";
    fs::resize_file(path, 100U << 20U);
    const auto begin = processor_time();
    CHECK(file_complaint(path) ==
          path + ": error: larger than 4 MB; is this a configuration?\n1 error\n");
    CHECK(processor_time() - begin < 1s);
}

TEST_CASE("what is no readable file is refused without waiting") {
    const ScratchFolder scratch;
    CHECK(file_complaint(scratch.file("none.yaml")) ==
          scratch.file("none.yaml") + ": error: no such file\n1 error\n");
    fs::create_directory(scratch.file("folder.yaml"));
    CHECK(file_complaint(scratch.file("folder.yaml")) ==
          scratch.file("folder.yaml") + ": error: is a directory, not a file\n1 error\n");
    REQUIRE(mkfifo(scratch.file("pipe.yaml").c_str(), 0600) == 0);
    CHECK(file_complaint(scratch.file("pipe.yaml")) ==
          scratch.file("pipe.yaml") + ": error: is not a regular file\n1 error\n");
    CHECK(file_complaint("/dev/zero") == "/dev/zero: error: is not a regular file\n1 error\n");
    std::ofstream{scratch.file("file.yaml")} << "a: 1\n";
    CHECK(file_complaint(scratch.file("file.yaml/below.yaml")).find(": error: ") !=
          std::string::npos);
    if (geteuid() != 0) {
        fs::permissions(scratch.file("file.yaml"), fs::perms::none);
        CHECK(file_complaint(scratch.file("file.yaml")) ==
              scratch.file("file.yaml") + ": error: cannot be read: Permission denied\n1 error\n");
    }
}

TEST_CASE("a good file is read") {
    const ScratchFolder scratch;
    std::ofstream{scratch.file("good.yaml")} << "a: 1\n";
    Diagnostics diagnostics;
    CHECK(load_file(scratch.file("good.yaml"), diagnostics).find("a")->text() == "1");
    CHECK_FALSE(diagnostics.has_errors());
}

}  // namespace
}  // namespace idlesim::config
