// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace idlesim::test {

inline std::string content(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) {
        result.push_back(line);
    }
    return result;
}

/// Line by line: "-" what was expected, "+" what there is.
inline std::string difference(const std::string& expected, const std::string& actual) {
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

/// Holds what `diagnose` says of every file of the folder with that extension against the .expected
/// beside it; IDLESIM_ACCEPT=1 writes those anew. Returns how many files there were.
template <class Diagnose>
int check_folder(const std::filesystem::path& folder,
                 const std::string& extension,
                 Diagnose diagnose) {
    int cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        if (entry.path().extension() != extension) {
            continue;
        }
        ++cases;
        const std::string actual = diagnose(entry.path());
        const auto golden = std::filesystem::path{entry.path()}.replace_extension("expected");
        if (std::getenv("IDLESIM_ACCEPT") != nullptr) {
            std::ofstream{golden, std::ios::binary} << actual;
            continue;
        }
        INFO(golden.string() << "\n"
                             << difference(content(golden), actual)
                             << "IDLESIM_ACCEPT=1 makes the new text the expected one.");
        CHECK(content(golden) == actual);
    }
    return cases;
}

}  // namespace idlesim::test
