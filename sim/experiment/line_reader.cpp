// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/line_reader.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/config/excerpt.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace idlesim {

LineReader::LineReader(std::string path)
    : path_{std::move(path)}, file_{std::fopen(path_.c_str(), "rb")}, buffer_(4 * kLongestLine) {
    if (file_ == nullptr) {
        fail(fmt::format("cannot open: {}", std::strerror(errno)));
    }
}

bool LineReader::refill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t got =
        std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0) {
        fail(fmt::format("cannot read: {}", std::strerror(errno)));
    }
    end_ += got;
    return got != 0;
}

bool LineReader::next() {
    std::size_t searched = 0;
    for (;;) {
        const std::size_t size = end_ - begin_;
        const char* begin = buffer_.data() + begin_;
        const auto* found =
            static_cast<const char*>(std::memchr(begin + searched, '\n', size - searched));
        if (found != nullptr) {
            line_ = {begin, static_cast<std::size_t>(found - begin)};
            begin_ += line_.size() + 1;
            break;
        }
        searched = size;
        if (size > kLongestLine || !refill()) {
            line_ = {buffer_.data() + begin_, size};
            begin_ = end_;
            is_cut_ = size != 0;
            if (size == 0) {
                return false;
            }
            break;
        }
    }
    ++number_;
    if (line_.size() > kLongestLine) {
        fail(
            line_.substr(0, 1),
            fmt::format("a line of more than {} bytes: this is another kind of file; expected text",
                        kLongestLine));
    }
    if (line_.ends_with('\r')) {
        line_.remove_suffix(1);
    }
    return true;
}

void LineReader::fail(std::string_view part, std::string_view what) const {
    const int column = static_cast<int>(part.data() - line_.data()) + 1;
    const int length = part.empty() ? 1 : static_cast<int>(part.size());
    std::string text = fmt::format("{}:{}:{}: error: {}\n", path_, number_, column, what);
    text += config::excerpt(line_, number_, column, length);
    if (!text.ends_with('\n')) {
        text += '\n';
    }
    throw config::ConfigError{text};
}

void LineReader::fail(std::string_view what) const {
    throw config::ConfigError{number_ == 0
                                  ? fmt::format("{}: error: {}\n", path_, what)
                                  : fmt::format("{}:{}: error: {}\n", path_, number_, what)};
}

}  // namespace idlesim
