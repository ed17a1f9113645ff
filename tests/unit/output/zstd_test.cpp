// SPDX-License-Identifier: Apache-2.0
#include "sim/output/atomic_file.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <string>

using namespace idlesim;

namespace {

/// The magic number of a Zstandard frame (RFC 8878, 3.1.1).
const std::string kMagic{"\x28\xb5\x2f\xfd", 4};

std::string table_text(int rows) {
    std::string text = "id,value\n";
    for (int i = 0; i < rows; ++i) {
        text += std::to_string(i) + ',' + std::to_string(i % 10007 * 7919 % 10007) + '\n';
    }
    return text;
}

}  // namespace

TEST_CASE("a file named .zst is one frame that zstdcat reads", "[output]") {
    if (std::system("command -v zstdcat >/dev/null") != 0) {
        WARN("no zstdcat here: only the frame's beginning is looked at");
    }
    const ScratchFolder folder;
    // Nothing, less than a buffer of the file, more than several.
    for (const int rows : {0, 10, 300'000}) {
        const std::string text = rows == 0 ? "" : table_text(rows);
        write_file(folder.path() / "t.csv.zst", text);
        const std::string frame = folder.read("t.csv.zst");
        REQUIRE(frame.substr(0, kMagic.size()) == kMagic);
        REQUIRE((rows < 1000 || frame.size() < text.size() / 2));
        write_file(folder.path() / "u.csv.zst", text);
        REQUIRE((folder.read("u.csv.zst") == frame));
        if (std::system("command -v zstdcat >/dev/null") == 0) {
            const std::string command =
                "cd '" + folder.path().string() + "' && zstdcat t.csv.zst >t.csv";
            REQUIRE(std::system(command.c_str()) == 0);
            REQUIRE((folder.read("t.csv") == text));
        }
    }
}
