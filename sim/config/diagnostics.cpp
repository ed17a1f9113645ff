// SPDX-License-Identifier: Apache-2.0
#include "sim/config/diagnostics.hpp"

#include "sim/config/excerpt.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

/// A file that is wrong throughout says so often enough.
constexpr std::size_t kMostShown = 50;

std::string counted(int number, std::string_view thing) {
    return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace

std::string to_text(const Location& location) {
    return location.line == 0
               ? location.file
               : fmt::format("{}:{}:{}", location.file, location.line, location.column);
}

bool Diagnostics::add_group(Severity severity, const Location& where, std::string text) {
    repeated_ = !seen_.insert(fmt::format("{}\n{}", to_text(where), text)).second;
    if (repeated_) {
        return false;
    }
    groups_.push_back({{severity, where, std::move(text)}, {}});
    return true;
}

void Diagnostics::error(const Location& where, std::string text) {
    errors_ += add_group(Severity::error, where, std::move(text)) ? 1 : 0;
}

void Diagnostics::warning(const Location& where, std::string text) {
    warnings_ += add_group(Severity::warning, where, std::move(text)) ? 1 : 0;
}

void Diagnostics::note(const Location& where, std::string text) {
    if (!groups_.empty() && !repeated_) {
        groups_.back().notes.push_back({Severity::note, where, std::move(text)});
    }
}

void Diagnostics::add_source(const std::string& name, std::string_view text) {
    if (sources_.insert_or_assign(name, std::string{text}).second) {
        file_order_.push_back(name);
    }
}

int Diagnostics::add_argument(int index, std::string_view text) {
    if (const auto known = argument_columns_.find(index); known != argument_columns_.end()) {
        return known->second;
    }
    const std::string name{kCommandLine};
    std::string line = sources_.contains(name) ? sources_[name] + " " : std::string{};
    line += "--set ";
    const int column = static_cast<int>(line.size()) + 1;
    // The command line is shown as one line, whatever an argument holds.
    for (const char c : text) {
        line += c == '\n' ? ' ' : c;
    }
    add_source(name, line);
    argument_columns_[index] = column;
    return column;
}

std::size_t Diagnostics::file_rank(const std::string& file) const {
    const auto place = std::find(file_order_.begin(), file_order_.end(), file);
    return static_cast<std::size_t>(place - file_order_.begin());
}

std::vector<const Diagnostics::Group*> Diagnostics::in_file_order() const {
    std::vector<const Group*> result;
    result.reserve(groups_.size());
    for (const Group& group : groups_) {
        result.push_back(&group);
    }
    std::stable_sort(result.begin(), result.end(), [this](const Group* a, const Group* b) {
        const auto place = [this](const Location& where) {
            return std::tuple{file_rank(where.file), where.line, where.column};
        };
        return place(a->head.where) < place(b->head.where);
    });
    return result;
}

void Diagnostics::render_message(std::string& out, const Message& message) const {
    std::string_view severity = "error";
    if (message.severity != Severity::error) {
        severity = message.severity == Severity::warning ? "warning" : "note";
    }
    out += fmt::format("{}: {}: {}\n", to_text(message.where), severity, message.text);
    const auto source = sources_.find(message.where.file);
    if (source == sources_.end() || message.where.line == 0) {
        return;
    }
    const std::string_view line = line_of(source->second, message.where.line);
    if (!line.empty()) {
        out += excerpt(line, message.where.line, message.where.column, message.where.length);
    }
}

std::string Diagnostics::totals() const {
    if (warnings_ == 0) {
        return counted(errors_, "error") + "\n";
    }
    if (errors_ == 0) {
        return counted(warnings_, "warning") + "\n";
    }
    return counted(errors_, "error") + ", " + counted(warnings_, "warning") + "\n";
}

std::string Diagnostics::render() const {
    if (groups_.empty()) {
        return {};
    }
    std::string out;
    const std::vector<const Group*> groups = in_file_order();
    const std::size_t shown = std::min(groups.size(), kMostShown);
    for (std::size_t i = 0; i < shown; ++i) {
        render_message(out, groups[i]->head);
        for (const Message& note : groups[i]->notes) {
            render_message(out, note);
        }
    }
    if (shown < groups.size()) {
        out += fmt::format("... and {} more\n", groups.size() - shown);
    }
    return out + totals();
}

void Diagnostics::throw_if_errors() const {
    if (has_errors()) {
        throw ConfigError(render());
    }
}

}  // namespace idlesim::config
