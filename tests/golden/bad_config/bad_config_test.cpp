// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "tests/catch.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace idlesim::config {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path{IDLESIM_SOURCE_DIR} / "tests" / "golden" / "bad_config";

std::string content(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) {
        result.push_back(line);
    }
    return result;
}

/// What a user would see for NAME.yaml, with each line of NAME.set as a --set.
std::string diagnose(const fs::path& yaml) {
    Diagnostics diagnostics;
    Node root = load_text(content(yaml), yaml.filename().string(), diagnostics);
    int index = 0;
    for (const std::string& assignment : lines(content(fs::path{yaml}.replace_extension("set")))) {
        apply_set(root, assignment, ++index, diagnostics);
    }
    demo::Demo demo;
    const bool good = read(root, parameters(&demo), demo, diagnostics);
    CHECK_FALSE((good && root.is_invalid()));
    CHECK(diagnostics.has_errors());
    return diagnostics.render();
}

std::string difference(const std::string& expected, const std::string& actual) {
    const std::vector<std::string> a = lines(expected);
    const std::vector<std::string> b = lines(actual);
    std::string result;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const bool same = i < a.size() && i < b.size() && a[i] == b[i];
        if (same) {
            result += "   " + a[i] + "\n";
            continue;
        }
        result += i < a.size() ? " - " + a[i] + "\n" : "";
        result += i < b.size() ? " + " + b[i] + "\n" : "";
    }
    return result;
}

TEST_CASE("bad configurations are diagnosed exactly as expected") {
    const bool accept = std::getenv("IDLESIM_ACCEPT") != nullptr;
    int cases = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator{kFolder}) {
        if (entry.path().extension() != ".yaml") {
            continue;
        }
        ++cases;
        const std::string actual = diagnose(entry.path());
        const fs::path golden = fs::path{entry.path()}.replace_extension("expected");
        if (accept) {
            std::ofstream{golden, std::ios::binary} << actual;
            continue;
        }
        INFO(golden.string() << "\n"
                             << difference(content(golden), actual)
                             << "IDLESIM_ACCEPT=1 makes the new text the expected one.");
        CHECK(content(golden) == actual);
    }
    CHECK(cases >= 25);
}

}  // namespace
}  // namespace idlesim::config
