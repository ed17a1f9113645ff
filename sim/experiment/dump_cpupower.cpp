// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump_builder.hpp"
#include "sim/experiment/dump_reader.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// What stands behind the prefix, or nothing for another line.
std::optional<std::string_view> after(std::string_view line, std::string_view prefix) {
    if (!line.starts_with(prefix)) {
        return std::nullopt;
    }
    return without_blanks(line.substr(prefix.size()));
}

/// The order of the lines is that of tools/power/cpupower/utils/cpuidle-info.c (6.1): the driver,
/// then for each CPU its number, the number of states, their names, and four lines a state behind
/// its name.
class CpupowerReader {
public:
    explicit CpupowerReader(const DumpLines& lines)
        : lines_{lines}, builder_{lines.path(), DumpFormat::cpupower} {}

    Dump read() {
        for (line_ = 0; line_ < lines_.size(); ++line_) {
            const std::string_view line = lines_[line_];
            if (!line.empty() && !read_head(line) && !read_value(line) && !read_name(line)) {
                builder_.add_ignored(number());
            }
        }
        finish_cpu();
        if (builder_.is_empty() && !says_none_) {
            lines_.fail("no idle states in it; expected what `cpupower idle-info` prints");
        }
        return builder_.take();
    }

private:
    struct Entry {
        std::string_view label;
        const char* file;
    };

    static constexpr std::array<Entry, 4> kEntries{{{"Flags/Description:", "desc"},
                                                    {"Latency:", "latency"},
                                                    {"Usage:", "usage"},
                                                    {"Duration:", "time"}}};

    [[nodiscard]] int number() const { return static_cast<int>(line_) + 1; }

    bool read_head(std::string_view line) {
        if (const auto driver = after(line, "CPUidle driver:")) {
            builder_.set_driver(*driver);
            return true;
        }
        if (const auto governor = after(line, "CPUidle governor:")) {
            builder_.set_governor(*governor);
            return true;
        }
        if (const auto cpu = after(line, "analyzing CPU ")) {
            begin_cpu(number_after(cpu->substr(0, cpu->find(':')), ""));
            return true;
        }
        if (line.starts_with("Could not determine cpuidle driver") ||
            line.find("No idle states") != std::string_view::npos) {
            says_none_ = true;
            if (const auto cpu = after(line, "CPU ")) {
                begin_cpu(number_after(cpu->substr(0, cpu->find(':')), ""));
            }
            builder_.add_cpu(cpu_);
            return true;
        }
        if (const auto count = after(line, "Number of idle states:")) {
            expected_ = number_after(*count, "");
            return true;
        }
        return line.starts_with("Available idle states:");
    }

    bool read_value(std::string_view line) {
        for (const Entry& entry : kEntries) {
            const auto content = after(line, entry.label);
            if (!content) {
                continue;
            }
            if (state_ < 0) {
                lines_.fail(line_, line, "no name of a state before; expected a line like \"C1:\"");
            }
            add(entry.file, *content);
            return true;
        }
        return false;
    }

    bool read_name(std::string_view line) {
        if (!line.ends_with(':')) {
            return false;
        }
        std::string_view name = without_blanks(line.substr(0, line.size() - 1));
        constexpr std::string_view kDisabled = "(DISABLED)";
        const bool disabled = name.ends_with(kDisabled);
        if (disabled) {
            name = without_blanks(name.substr(0, name.size() - kDisabled.size()));
        }
        ++state_;
        add("name", name);
        add("disable", disabled ? "1" : "0");
        return true;
    }

    void begin_cpu(int cpu) {
        finish_cpu();
        if (cpu < 0) {
            lines_.fail(line_, lines_[line_], "expected the number of a CPU");
        }
        cpu_ = cpu;
        has_cpu_ = true;
        builder_.add_cpu(cpu);
    }

    void finish_cpu() {
        if (expected_ >= 0 && state_ + 1 != expected_) {
            lines_.fail(
                fmt::format("CPU {} should have {} idle states, {} are there; is the text cut off?",
                            cpu_,
                            expected_,
                            state_ + 1));
        }
        expected_ = -1;
        state_ = -1;
    }

    void add(const char* file, std::string_view content) {
        if (!has_cpu_) {
            builder_.set_unnumbered();
        }
        const std::string error = builder_.add_value(cpu_, state_, file, content, number());
        if (!error.empty()) {
            lines_.fail(line_, content, error);
        }
    }

    const DumpLines& lines_;
    DumpBuilder builder_;
    std::size_t line_ = 0;
    int cpu_ = 0;
    bool has_cpu_ = false;
    int state_ = -1;
    int expected_ = -1;
    bool says_none_ = false;
};

}  // namespace

Dump read_cpupower_dump(const DumpLines& lines) {
    return CpupowerReader{lines}.read();
}

}  // namespace idlesim
