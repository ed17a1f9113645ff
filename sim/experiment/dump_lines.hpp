// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The lines of a text of moderate size, kept in memory: what kind of dump it is shows only after a
/// look at it, and a pipe cannot be read twice.
class DumpLines {
public:
    /// Dumps of a thousand CPUs are a tenth of it.
    static constexpr std::size_t kLargestDump = std::size_t{64} << 20U;

    /// Throws config::ConfigError for a file that cannot be read or is too large.
    explicit DumpLines(const std::string& path);

    [[nodiscard]] const std::string& path() const { return path_; }

    [[nodiscard]] std::size_t size() const { return ends_.size(); }

    /// Without spaces at both ends; from 0.
    [[nodiscard]] std::string_view operator[](std::size_t index) const;

    /// Throws config::ConfigError at a line, with a caret below `part` of it.
    [[noreturn]] void fail(std::size_t index, std::string_view part, std::string_view what) const;

    /// Throws config::ConfigError for the text as a whole.
    [[noreturn]] void fail(std::string_view what) const;

private:
    [[nodiscard]] std::string_view whole(std::size_t index) const;

    std::string path_;
    std::string text_;
    std::vector<std::size_t> ends_;
};

/// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view without_blanks(std::string_view text);

}  // namespace idlesim
