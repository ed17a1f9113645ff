// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"

#include "sim/config/text_check.hpp"
#include "sim/config/yaml_tree.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string too_large() {
    return fmt::format("larger than {} MB; is this a configuration?", kLongestFile >> 20U);
}

/// The content, or nullopt and the reason why there is none.
std::optional<std::string> read_file(const std::string& path, std::string& reason) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        reason = "no such file";
        return std::nullopt;
    }
    if (status.type() == fs::file_type::none) {
        reason = "cannot be read: " + error.message();
        return std::nullopt;
    }
    if (fs::is_directory(status)) {
        reason = "is a directory, not a file";
        return std::nullopt;
    }
    // Opening a FIFO waits for a writer, and a device may never end.
    if (!fs::is_regular_file(status)) {
        reason = "is not a regular file";
        return std::nullopt;
    }
    errno = 0;
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        reason = "cannot be read: " + std::generic_category().message(errno);
        return std::nullopt;
    }
    // The size that the file system tells is not trusted (0 for everything in /proc).
    std::string content(kLongestFile + 1, '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(file.gcount()));
    if (file.bad()) {
        reason = "cannot be read: " + std::generic_category().message(errno);
        return std::nullopt;
    }
    if (content.size() > kLongestFile) {
        reason = too_large();
        return std::nullopt;
    }
    return content;
}

Node refuse(const std::string& name, std::string what, Diagnostics& diagnostics) {
    const Location whole{name, 0, 0, 1};
    diagnostics.error(whole, std::move(what));
    return Node::invalid(whole);
}

}  // namespace

Node load_text(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    if (text.size() > kLongestFile) {
        return refuse(name, too_large(), diagnostics);
    }
    diagnostics.add_source(name, text);
    if (const std::optional<TextProblem> problem = check_text(text)) {
        const Position at = position_of(text, problem->offset);
        const Location where{name, at.line, at.column, 1};
        diagnostics.error(where, problem->what);
        return Node::invalid(where);
    }
    return parse_yaml(text, {name}, diagnostics);
}

Node load_file(const std::string& path, Diagnostics& diagnostics) {
    std::string reason;
    const std::optional<std::string> content = read_file(path, reason);
    if (!content) {
        return refuse(path, std::move(reason), diagnostics);
    }
    return load_text(*content, path, diagnostics);
}

}  // namespace idlesim::config
