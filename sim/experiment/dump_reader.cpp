// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump_reader.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/dump_builder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExpected =
    "expected lines of a sysfs cpuidle tree (path:value, values alone, ro|path|value, or a path "
    "and its value on lines of their own) or cpupower idle-info";

bool is_pepc(std::string_view line) {
    return line.starts_with("ro|") || line.starts_with("rw|") || line.starts_with("wo|");
}

bool is_headed(std::string_view line) {
    return line.starts_with("==> ") && line.ends_with(" <==");
}

/// A line that begins with the path of a file about CPUs.
bool has_path(std::string_view line) {
    const std::string_view path = line.substr(0, line.find(':'));
    if (path.size() == line.size() || path.find('/') == std::string_view::npos ||
        path.find(' ') != std::string_view::npos) {
        return false;
    }
    return path.find("cpuidle/") != std::string_view::npos ||
           path.find("/cpu") != std::string_view::npos || path.starts_with("cpu") ||
           number_after(path.substr(0, path.find('/')), "state") >= 0;
}

bool is_cpupower(std::string_view line) {
    constexpr std::array<std::string_view, 6> kBegin{"CPUidle driver:",
                                                     "CPUidle governor:",
                                                     "analyzing CPU ",
                                                     "Number of idle states:",
                                                     "Available idle states:",
                                                     "Could not determine cpuidle driver"};
    return std::any_of(kBegin.begin(), kBegin.end(), [line](std::string_view begin) {
        return line.starts_with(begin);
    });
}

std::optional<DumpFormat> format_of(const DumpLines& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (is_pepc(line)) {
            return DumpFormat::pepc;
        }
        if (is_headed(line)) {
            return DumpFormat::headed;
        }
        if (has_path(line)) {
            return line.ends_with(':') ? DumpFormat::stats_collect : DumpFormat::grep;
        }
        if (is_cpupower(line)) {
            return DumpFormat::cpupower;
        }
    }
    return std::nullopt;
}

// grep and cat say on standard error what they cannot read, and people paste that too.
bool is_remark(std::string_view line) {
    return line.empty() || line.starts_with('#') || line.starts_with("$ ");
}

/// "ro|path|value", "path:value".
void read_line(const DumpLines& lines, std::size_t i, DumpFormat format, DumpBuilder& builder) {
    std::string_view rest = lines[i];
    const char separator = format == DumpFormat::pepc ? '|' : ':';
    const bool known = format == DumpFormat::pepc ? is_pepc(rest) : has_path(rest);
    if (!known) {
        builder.add_ignored(static_cast<int>(i) + 1);
        return;
    }
    if (format == DumpFormat::pepc) {
        rest.remove_prefix(3);
    }
    const std::size_t end = rest.find(separator);
    if (end == std::string_view::npos) {
        lines.fail(i, rest, "expected ro|path|value; is the file cut off here?");
    }
    const std::string_view content = without_blanks(rest.substr(end + 1));
    const std::string error =
        builder.add_file(rest.substr(0, end), content, static_cast<int>(i) + 1);
    if (!error.empty()) {
        lines.fail(i, content, error);
    }
}

/// The path of a line that stands before its value; empty for other lines.
std::string_view heading(std::string_view line, DumpFormat format) {
    if (format == DumpFormat::headed) {
        return is_headed(line) ? without_blanks(line.substr(4, line.size() - 8))
                               : std::string_view{};
    }
    const bool is_heading =
        line.ends_with(':') && line.starts_with('/') && line.find(' ') == std::string_view::npos;
    return is_heading || (line.ends_with(':') && has_path(line)) ? line.substr(0, line.size() - 1)
                                                                 : std::string_view{};
}

/// A heading and the line behind it; returns how many lines that were.
std::size_t read_pair(const DumpLines& lines,
                      std::size_t i,
                      DumpFormat format,
                      DumpBuilder& builder) {
    const std::string_view path = heading(lines[i], format);
    if (path.empty()) {
        builder.add_ignored(static_cast<int>(i) + 1);
        return 1;
    }
    if (i + 1 == lines.size() || !heading(lines[i + 1], format).empty()) {
        if (i + 1 == lines.size()) {
            lines.fail(i, lines[i], "the value of this file is missing; is the dump cut off here?");
        }
        return 1;
    }
    const std::string_view content = lines[i + 1];
    const std::string error = builder.add_file(path, content, static_cast<int>(i) + 2);
    if (!error.empty()) {
        lines.fail(i + 1, content, error);
    }
    return 2;
}

/// The first line of a small file; nothing where it cannot be read, as for those of root.
std::optional<std::string> content_of(const fs::path& path) {
    std::ifstream file{path};
    std::string line;
    if (!file || !std::getline(file, line)) {
        return std::nullopt;
    }
    return line;
}

void add_tree_file(const fs::path& path, DumpBuilder& builder) {
    const std::optional<std::string> content = content_of(path);
    if (!content) {
        return;
    }
    const std::string error = builder.add_file(path.string(), *content, 0);
    if (!error.empty()) {
        throw config::ConfigError{fmt::format("{}: error: {}\n", path.string(), error)};
    }
}

void add_cpu_folder(const fs::path& folder, DumpBuilder& builder) {
    std::error_code ignored;
    add_tree_file(folder / "cpu_capacity", builder);
    for (const fs::directory_entry& state : fs::directory_iterator{folder / "cpuidle", ignored}) {
        if (number_after(state.path().filename().string(), "state") < 0) {
            continue;
        }
        for (const fs::directory_entry& file : fs::directory_iterator{state.path(), ignored}) {
            if (fs::is_regular_file(file.path(), ignored)) {
                add_tree_file(file.path(), builder);
            }
        }
    }
}

}  // namespace

Dump read_path_dump(const DumpLines& lines, DumpFormat format) {
    DumpBuilder builder{lines.path(), format};
    const bool pairs = format == DumpFormat::stats_collect || format == DumpFormat::headed;
    for (std::size_t i = 0; i < lines.size();) {
        if (is_remark(lines[i])) {
            ++i;
        } else if (pairs) {
            i += read_pair(lines, i, format, builder);
        } else {
            read_line(lines, i, format, builder);
            ++i;
        }
    }
    if (builder.is_empty()) {
        lines.fail("no line of it is about a CPU; expected paths like cpu0/cpuidle/state0/usage");
    }
    return builder.take();
}

Dump read_tree_dump(const std::string& folder) {
    DumpBuilder builder{folder, DumpFormat::tree};
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, error}) {
        const int cpu = number_after(entry.path().filename().string(), "cpu");
        if (cpu >= 0) {
            builder.add_cpu(cpu);
            add_cpu_folder(entry.path(), builder);
        }
    }
    if (error || builder.is_empty()) {
        throw config::ConfigError{fmt::format(
            "{}: error: {}\n",
            folder,
            error ? error.message()
                  : "no cpu0, cpu1, ... in this folder; expected /sys/devices/system/cpu or a copy "
                    "of it")};
    }
    for (const char* file : {"current_driver", "current_governor", "current_governor_ro"}) {
        add_tree_file(fs::path{folder} / "cpuidle" / file, builder);
    }
    for (const char* type : {"cpu_core", "cpu_atom", "cpu_lowpower"}) {
        add_tree_file(fs::path{folder} / ".." / ".." / type / "cpus", builder);
    }
    return builder.take();
}

Dump read_dump(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return read_tree_dump(path);
    }
    const DumpLines lines{path == "-" ? "/dev/stdin" : path};
    bool empty = true;
    for (std::size_t i = 0; i < lines.size() && empty; ++i) {
        empty = lines[i].empty();
    }
    if (empty) {
        lines.fail(fmt::format("the file is empty; {}", kExpected));
    }
    const std::optional<DumpFormat> format = format_of(lines);
    if (!format) {
        return read_bare_dump(lines);
    }
    return *format == DumpFormat::cpupower ? read_cpupower_dump(lines)
                                           : read_path_dump(lines, *format);
}

}  // namespace idlesim
