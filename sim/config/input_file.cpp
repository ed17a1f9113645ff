// SPDX-License-Identifier: Apache-2.0
#include "sim/config/input_file.hpp"

#include "sim/config/converter.hpp"
#include "sim/config/text_check.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Why a path cannot be opened as an ordinary file; empty: it can.
std::string refusal(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        return "no such file";
    }
    if (status.type() == fs::file_type::none) {
        return "cannot be read: " + error.message();
    }
    if (fs::is_directory(status)) {
        return "is a directory, not a file";
    }
    // Opening a FIFO waits for a writer, and a device may never end.
    return fs::is_regular_file(status) ? "" : "is not a regular file";
}

std::string resolved(const Node& node) {
    const std::string& file = node.location().file;
    const bool has_folder = file != kCommandLine && file != kDefault;
    const fs::path folder = has_folder ? fs::path{file}.parent_path() : fs::path{};
    return (folder / node.text()).lexically_normal().string();
}

}  // namespace

std::string too_large(std::size_t bytes, std::string_view what) {
    return fmt::format("larger than {} MB; is this a {}?", bytes >> 20U, what);
}

std::optional<std::string> read_text_file(const std::string& path,
                                          const FileLimit& limit,
                                          std::string& reason) {
    reason = refusal(path);
    if (!reason.empty()) {
        return std::nullopt;
    }
    errno = 0;
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        reason = "cannot be read: " + std::generic_category().message(errno);
        return std::nullopt;
    }
    // The size that the file system tells is not trusted (0 for everything in /proc).
    std::string content(limit.bytes + 1, '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(file.gcount()));
    if (file.bad()) {
        reason = "cannot be read: " + std::generic_category().message(errno);
        return std::nullopt;
    }
    if (content.size() > limit.bytes) {
        reason = too_large(limit.bytes, limit.what);
        return std::nullopt;
    }
    return content;
}

std::optional<InputFile> read_input_file(const Node& node,
                                         const FileLimit& limit,
                                         Diagnostics& diagnostics) {
    if (!expect_scalar(node, fmt::format("the path of a {}", limit.what), diagnostics)) {
        return std::nullopt;
    }
    InputFile file{resolved(node), {}};
    std::string reason;
    std::optional<std::string> content = read_text_file(file.name, limit, reason);
    if (!content) {
        report(node, fmt::format("file '{}': {}", file.name, reason), diagnostics);
        return std::nullopt;
    }
    file.text = std::move(*content);
    if (file.text.starts_with(kByteOrderMark)) {
        file.text.erase(0, kByteOrderMark.size());
    }
    diagnostics.add_source(file.name, file.text);
    if (const std::optional<TextProblem> problem = check_text(file.text)) {
        const Position at = position_of(file.text, problem->offset);
        diagnostics.error({file.name, at.line, at.column, 1}, problem->what);
        return std::nullopt;
    }
    return file;
}

}  // namespace idlesim::config
