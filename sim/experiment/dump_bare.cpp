// SPDX-License-Identifier: Apache-2.0
#include "sim/config/excerpt.hpp"
#include "sim/experiment/dump_builder.hpp"
#include "sim/experiment/dump_reader.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// The files of a state in the order of a shell's `*`, by age of the kernel: `residency` came in
/// 4.x, `above` and `below` in 5.1, `default_status` in 5.6, `rejected` in 5.10. Newest first.
constexpr std::array kFiles5_10{"above",
                                "below",
                                "default_status",
                                "desc",
                                "disable",
                                "latency",
                                "name",
                                "power",
                                "rejected",
                                "residency",
                                "time",
                                "usage"};
constexpr std::array kFiles5_6{"above",
                               "below",
                               "default_status",
                               "desc",
                               "disable",
                               "latency",
                               "name",
                               "power",
                               "residency",
                               "time",
                               "usage"};
constexpr std::array kFiles5_1{
    "above", "below", "desc", "disable", "latency", "name", "power", "residency", "time", "usage"};
constexpr std::array kFiles4{
    "desc", "disable", "latency", "name", "power", "residency", "time", "usage"};
constexpr std::array kFiles3{"desc", "disable", "latency", "name", "power", "time", "usage"};

using Layout = std::span<const char* const>;

constexpr std::array<Layout, 5> kLayouts{kFiles5_10, kFiles5_6, kFiles5_1, kFiles4, kFiles3};

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool fits(std::string_view file, std::string_view content) {
    if (file == "default_status") {
        return content == "enabled" || content == "disabled";
    }
    if (file == "name" || file == "desc") {
        return !is_number(content);
    }
    return is_number(content);
}

/// The lines that hold values.
std::vector<std::size_t> values_of(const DumpLines& lines, DumpBuilder& builder) {
    std::vector<std::size_t> values;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // "cat: state1/s2idle: Is a directory"
        if (lines[i].empty() || lines[i].starts_with('#') || lines[i].starts_with("cat: ") ||
            lines[i].starts_with("$ ")) {
            if (!lines[i].empty()) {
                builder.add_ignored(static_cast<int>(i) + 1);
            }
            continue;
        }
        values.push_back(i);
    }
    return values;
}

/// How many values from the start on are what the layout says.
std::size_t fitting(const DumpLines& lines, const std::vector<std::size_t>& values, Layout layout) {
    std::size_t count = 0;
    while (count < values.size() && fits(layout[count % layout.size()], lines[values[count]])) {
        ++count;
    }
    return count;
}

Layout layout_of(const DumpLines& lines, const std::vector<std::size_t>& values) {
    Layout best = kLayouts.front();
    std::size_t most = 0;
    for (const Layout layout : kLayouts) {
        const std::size_t count = fitting(lines, values, layout);
        if (count == values.size() && count % layout.size() == 0) {
            return layout;
        }
        if (count > most) {
            most = count;
            best = layout;
        }
    }
    if (most < best.size()) {
        const std::size_t line = values[std::min(most, values.size() - 1)];
        lines.fail(line,
                   lines[line],
                   fmt::format("expected a dump of cpuidle: values without paths, of which {} "
                               "would be `{}` of the first state, or lines like "
                               "cpu0/cpuidle/state0/usage:17",
                               most < values.size() ? "this" : "the next",
                               best[most]));
    }
    const std::size_t state = most / best.size() + 1;
    if (most < values.size()) {
        lines.fail(values[most],
                   lines[values[most]],
                   fmt::format("expected `{}`, value {} of the {} of state {} in the file",
                               best[most % best.size()],
                               most % best.size() + 1,
                               best.size(),
                               state));
    }
    lines.fail(
        values.back(),
        lines[values.back()],
        fmt::format("the file ends after {} of the {} values of its state {}; is it cut off?",
                    most % best.size(),
                    best.size(),
                    state));
}

}  // namespace

Dump read_bare_dump(const DumpLines& lines) {
    DumpBuilder builder{lines.path(), DumpFormat::bare};
    builder.set_unnumbered();
    const std::vector<std::size_t> values = values_of(lines, builder);
    const Layout layout = layout_of(lines, values);
    const auto name = static_cast<std::size_t>(
        std::find(layout.begin(), layout.end(), std::string_view{"name"}) - layout.begin());
    std::string_view first;
    int cpu = -1;
    int state = 0;
    for (std::size_t begin = 0; begin < values.size(); begin += layout.size()) {
        const std::string_view own_name = lines[values[begin + name]];
        // Names are unique in a table, so the first one again begins another CPU.
        if (cpu < 0 || own_name == first) {
            first = own_name;
            ++cpu;
            state = 0;
        }
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const std::size_t line = values[begin + i];
            const std::string error =
                builder.add_value(cpu, state, layout[i], lines[line], static_cast<int>(line) + 1);
            if (!error.empty()) {
                lines.fail(line, lines[line], error);
            }
        }
        ++state;
    }
    return builder.take();
}

}  // namespace idlesim
