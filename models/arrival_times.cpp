// SPDX-License-Identifier: Apache-2.0
#include "models/arrival_times.hpp"

#include "sim/config/input_file.hpp"
#include "sim/config/quantity.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr int kMostErrors = 10;

/// A cell of a line, without the space around it.
struct Cell {
    std::string_view text;
    int column = 1;
};

Cell cell(std::string_view line, std::size_t index) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < index && begin != std::string_view::npos; ++i) {
        begin = line.find(',', begin);
        begin += begin == std::string_view::npos ? 0 : 1;
    }
    if (begin == std::string_view::npos) {
        return {{}, static_cast<int>(line.size()) + 1};
    }
    constexpr std::string_view kSpace = " \t\r";
    std::string_view text = line.substr(begin, line.find(',', begin) - begin);
    const std::size_t space = std::min(text.find_first_not_of(kSpace), text.size());
    text.remove_prefix(space);
    text = text.substr(0, text.find_last_not_of(kSpace) + 1);
    return {text, static_cast<int>(begin + space) + 1};
}

class Reader {
public:
    Reader(const std::string& name, config::Diagnostics& diagnostics)
        : name_{name}, diagnostics_{diagnostics} {}

    std::optional<std::vector<Duration>> read(std::string_view text);

private:
    void read_line(std::string_view line);
    void read_header(std::string_view line);
    bool take_column(std::string_view title);
    void read_value(const Cell& cell);
    void error(int column, std::size_t length, std::string what);

    const std::string& name_;
    config::Diagnostics& diagnostics_;
    int line_ = 0;
    int errors_ = 0;
    bool has_header_ = false;
    std::size_t column_ = 0;
    std::string unit_;
    bool is_absolute_ = false;
    std::optional<Duration> before_;
    std::vector<Duration> gaps_;
};

std::optional<std::vector<Duration>> Reader::read(std::string_view text) {
    while (!text.empty() && errors_ < kMostErrors) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        ++line_;
        read_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const bool all_at_once = std::all_of(
        gaps_.begin(), gaps_.end(), [](Duration gap) { return gap == Duration::zero(); });
    if (errors_ == 0 && all_at_once) {
        line_ = 0;
        error(0, 1, gaps_.empty() ? "holds no arrivals" : "all arrivals are at the same time");
    }
    return errors_ == 0 ? std::optional{std::move(gaps_)} : std::nullopt;
}

void Reader::read_line(std::string_view line) {
    const std::string_view first = cell(line, 0).text;
    if (first.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos) {
        return;
    }
    if (has_header_) {
        read_value(cell(line, column_));
    } else {
        read_header(line);
    }
}

void Reader::read_header(std::string_view line) {
    has_header_ = true;
    const auto columns = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
    for (column_ = 0; column_ < columns; ++column_) {
        if (take_column(cell(line, column_).text)) {
            return;
        }
    }
    error(1,
          line.size(),
          "expected a header with a column interarrival_us or arrival_us (or _ns, _ms, _s)");
    errors_ = kMostErrors;
}

bool Reader::take_column(std::string_view title) {
    for (const std::string_view unit : {"ns", "us", "ms", "s"}) {
        for (const std::string_view name : {"interarrival", "arrival"}) {
            if (title == fmt::format("{}_{}", name, unit)) {
                unit_ = unit;
                is_absolute_ = name == "arrival";
                return true;
            }
        }
    }
    return false;
}

void Reader::read_value(const Cell& cell) {
    const auto parsed = config::parse_duration(fmt::format("{} {}", cell.text, unit_));
    const auto* value = std::get_if<Duration>(&parsed);
    if (value == nullptr) {
        error(cell.column,
              cell.text.size(),
              fmt::format("expected a number of {}, not '{}'", unit_, cell.text));
        return;
    }
    const Duration gap = is_absolute_ ? *value - before_.value_or(*value) : *value;
    if (gap < Duration::zero()) {
        error(cell.column,
              cell.text.size(),
              is_absolute_ ? "earlier than the arrival before it" : "must not be negative");
        return;
    }
    if (!is_absolute_ || before_) {
        gaps_.push_back(gap);
    }
    before_ = *value;
}

void Reader::error(int column, std::size_t length, std::string what) {
    ++errors_;
    diagnostics_.error({name_, line_, column, static_cast<int>(std::max<std::size_t>(length, 1))},
                       std::move(what));
}

}  // namespace

std::optional<std::vector<Duration>> parse_arrivals(std::string_view text,
                                                    const std::string& name,
                                                    config::Diagnostics& diagnostics) {
    return Reader{name, diagnostics}.read(text);
}

namespace config {

bool Converter<ArrivalTimes>::read(const Node& node, ArrivalTimes& out, Diagnostics& diagnostics) {
    const auto file = read_input_file(node, {kMostBytes, "list of arrivals"}, diagnostics);
    if (!file) {
        return false;
    }
    auto gaps = parse_arrivals(file->text, file->name, diagnostics);
    if (!gaps) {
        return false;
    }
    out.path = node.text();
    out.gaps = std::make_shared<const std::vector<Duration>>(std::move(*gaps));
    return true;
}

std::string Converter<ArrivalTimes>::write(const ArrivalTimes& value) {
    return Converter<std::string>::write(value.path);
}

std::optional<Node> Converter<ArrivalTimes>::to_node(const ArrivalTimes& /*value*/) {
    return std::nullopt;
}

TypeDescription Converter<ArrivalTimes>::describe(int /*depth*/) {
    TypeDescription description;
    description.form = TypeDescription::Form::string;
    description.name = "path";
    return description;
}

}  // namespace config
}  // namespace idlesim
