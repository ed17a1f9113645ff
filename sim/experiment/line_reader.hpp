// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// Reads a text file of any size line by line in fixed memory.
///
/// Errors are config::ConfigError with the place and the text of the line.
class LineReader {
public:
    /// Longest line that is taken for one.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 16U;

    explicit LineReader(std::string path);

    /// Moves to the next line; false at the end of the file. The text is valid until the next call.
    [[nodiscard]] bool next();

    /// The present line without its end, LF or CR LF.
    [[nodiscard]] std::string_view line() const { return line_; }

    /// The file ends within the present line: it was cut off, or written without care.
    [[nodiscard]] bool is_cut() const { return is_cut_; }

    /// From 1.
    [[nodiscard]] int number() const { return number_; }

    [[nodiscard]] const std::string& path() const { return path_; }

    /// Throws the error with the present line and a caret below `part`, which is a part of it.
    [[noreturn]] void fail(std::string_view part, std::string_view what) const;

    /// Throws the error for the file as a whole, at the line that was read last.
    [[noreturn]] void fail(std::string_view what) const;

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    bool refill();

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::string_view line_;
    int number_ = 0;
    bool is_cut_ = false;
};

}  // namespace idlesim
