// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump_builder.hpp"

#include "models/cstate/idle_state.hpp"
#include "sim/config/excerpt.hpp"
#include "sim/experiment/dump_lines.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace idlesim {
namespace {

// More than any Linux supports (NR_CPUS, 8192 on x86).
constexpr int kMostCpus = 65536;

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end != 0) {
            parts.push_back(path.substr(0, end));
        }
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

/// Calls visit(first, last) for each range of "0-3,8"; false where the text is no such list.
template <class Visit>
bool for_each_range(std::string_view list, const Visit& visit) {
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(item.size() + 1, list.size()));
        const std::size_t dash = item.find('-');
        const int first = number_after(item.substr(0, dash), "");
        const int last =
            dash == std::string_view::npos ? first : number_after(item.substr(dash + 1), "");
        if (first < 0 || last < first) {
            return false;
        }
        visit(first, last);
    }
    return true;
}

std::string set_text(std::string& text, std::string_view content) {
    if (!text.empty() && text != content) {
        return fmt::format("'{}' here and '{}' before: is this more than one dump?",
                           config::printable(content),
                           config::printable(text));
    }
    text = content;
    return {};
}

std::string set_number(std::optional<std::uint64_t>& number,
                       std::string_view file,
                       std::string_view content) {
    std::uint64_t value = 0;
    const char* end = content.data() + content.size();
    const auto parsed = std::from_chars(content.data(), end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end || value > kLargestDumpValue) {
        return fmt::format(
            "`{}`: expected a whole number up to 2^53, not '{}'", file, config::printable(content));
    }
    if (number && *number != value) {
        return fmt::format(
            "`{}` is {} here and {} before: is this more than one dump?", file, value, *number);
    }
    number = value;
    return {};
}

}  // namespace

int number_after(std::string_view text, std::string_view prefix) {
    if (!text.starts_with(prefix) || text.size() == prefix.size()) {
        return -1;
    }
    int number = -1;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + prefix.size(), end, number);
    return parsed.ec == std::errc{} && parsed.ptr == end && number >= 0 && number < kMostCpus
               ? number
               : -1;
}

DumpBuilder::DumpBuilder(std::string path, DumpFormat format) {
    dump_.path = std::move(path);
    dump_.format = format;
}

std::string DumpBuilder::add_value(
    int cpu, int state, std::string_view file, std::string_view content, int line) {
    if (state >= kMaxIdleStates) {
        return fmt::format("state {}: the kernel has at most {} states", state, kMaxIdleStates);
    }
    named_.insert(cpu);
    auto& states = states_[cpu];
    const auto [place, is_new] = states.try_emplace(state);
    DumpState& target = place->second;
    if (is_new) {
        target.index = state;
        target.line = line;
    }
    if (file == "name") {
        return set_text(target.name, content);
    }
    if (file == "desc") {
        return set_text(target.desc, content);
    }
    if (file == "default_status") {
        if (content != "enabled" && content != "disabled") {
            return fmt::format("`default_status`: expected enabled or disabled, not '{}'",
                               config::printable(content));
        }
        return set_text(target.default_status, content);
    }
    for (std::size_t i = 0; i < kDumpValueNames.size(); ++i) {
        if (file == kDumpValueNames[i]) {
            return set_number(target.values[i], file, content);
        }
    }
    // Whatever a newer kernel adds.
    return {};
}

void DumpBuilder::add_ignored(int line) {
    if (dump_.ignored_lines++ == 0) {
        dump_.first_ignored_line = line;
    }
}

std::string DumpBuilder::add_core_type(std::string_view type, std::string_view list) {
    const bool is_list = for_each_range(list, [&](int first, int last) {
        for (int cpu = first; cpu <= last; ++cpu) {
            core_types_[cpu] = type;
        }
    });
    return is_list
               ? ""
               : fmt::format("expected a list of CPUs like 0-7, not '{}'", config::printable(list));
}

void DumpBuilder::add_global(std::string_view file, std::string_view content) {
    if (file == "current_driver") {
        set_driver(content);
    } else if (file == "current_governor" ||
               (file == "current_governor_ro" && dump_.governor.empty())) {
        set_governor(content);
    }
}

std::string DumpBuilder::add_file(std::string_view path, std::string_view content, int line) {
    const std::vector<std::string_view> parts = parts_of(path);
    content = without_blanks(content);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t behind = parts.size() - i - 1;
        if (const int state = number_after(parts[i], "state"); state >= 0 && behind > 0) {
            const bool in_cpu = i >= 2 && parts[i - 1] == "cpuidle";
            const int cpu = in_cpu ? number_after(parts[i - 2], "cpu") : -1;
            if (cpu < 0 && i > 1 && parts[i - 1] != "cpuidle") {
                continue;
            }
            if (cpu < 0) {
                set_unnumbered();
            }
            // s2idle/usage and s2idle/time are of another kind of sleep.
            return behind == 1 ? add_value(std::max(cpu, 0), state, parts[i + 1], content, line)
                               : "";
        }
        if (parts[i] == "cpuidle" && behind == 1 && number_after(parts[i + 1], "state") < 0) {
            add_global(parts[i + 1], content);
            return {};
        }
        if (parts[i].starts_with("cpu_") && behind == 1 && parts[i + 1] == "cpus") {
            return add_core_type(parts[i], content);
        }
        if (const int cpu = number_after(parts[i], "cpu"); cpu >= 0) {
            named_.insert(cpu);
            if (behind == 1 && parts[i + 1] == "cpu_capacity") {
                core_types_[cpu] = fmt::format("capacity {}", content);
            }
        }
    }
    return {};
}

Dump DumpBuilder::take() {
    for (const int cpu : named_) {
        const auto states = states_.find(cpu);
        if (states == states_.end()) {
            dump_.cpus_without_cpuidle.push_back(cpu);
            continue;
        }
        const auto type = core_types_.find(cpu);
        DumpCpu& added = dump_.cpus.emplace_back();
        added.number = cpu;
        added.core_type = type == core_types_.end() ? "" : type->second;
        for (auto& entry : states->second) {
            added.states.push_back(std::move(entry.second));
        }
    }
    return std::move(dump_);
}

}  // namespace idlesim
