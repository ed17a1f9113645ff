// SPDX-License-Identifier: Apache-2.0
#include "sim/output/wult_result.hpp"

#include "sim/output/atomic_file.hpp"
#include "sim/output/csv.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string header(const WultPoints& points) {
    std::string text =
        "WakeLatency,SilentTime,IntrLatency,IntrOff,LDist,ReqCState,CC0%,CC1Derived%";
    for (const std::string& counter : points.counters()) {
        text += ',' + counter + '%';
    }
    return text + ",SMICnt,NMICnt\n";
}

// wult reads its files with pandas, to which these words are an empty cell (na_values of
// pandas.read_csv, 2.2); one empty cell makes the whole file unusable.
bool reads_as_missing(std::string_view name) {
    constexpr std::array<std::string_view, 10> kMissing{
        "", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"};
    return std::find(kMissing.begin(), kMissing.end(), name) != kMissing.end();
}

/// The names of the states as cells, by index.
std::vector<std::string> state_cells(const WultPoints& points) {
    std::vector<std::string> cells;
    for (const std::string& name : points.states()) {
        cells.push_back(reads_as_missing(name) ? fmt::format("state{}", cells.size())
                                               : csv_cell(name));
    }
    return cells;
}

void add_us(fmt::memory_buffer& row, Duration duration) {
    std::array<char, kLongestDecimal> digits{};
    row.append(digits.data(), write_us(digits.data(), duration.count()));
    row.push_back(',');
}

void add_percent(fmt::memory_buffer& row, WultPoints::Hundredths value) {
    fmt::format_to(std::back_inserter(row), "{}.{:02},", value / 100, value % 100);
}

// No system management interrupt is simulated, and points with an NMI are not kept.
void add_row(fmt::memory_buffer& row,
             const WultPoints& points,
             const std::vector<std::string>& states,
             std::size_t i) {
    add_us(row, points.wake_latency()[i]);
    add_us(row, points.silent_time()[i]);
    add_us(row, points.interrupt_latency()[i]);
    row.push_back(points.interrupts_off(i) ? '1' : '0');
    row.push_back(',');
    add_us(row, points.launch_distance()[i]);
    fmt::format_to(std::back_inserter(row), "{},", states[points.requested_state(i)]);
    add_percent(row, points.cc0()[i]);
    add_percent(row, points.cc1_derived()[i]);
    for (std::size_t counter = 0; counter < points.counters().size(); ++counter) {
        add_percent(row, points.residency(counter)[i]);
    }
    fmt::format_to(std::back_inserter(row), "0,0\n");
}

void write_datapoints(const std::filesystem::path& path, const WultPoints& points) {
    AtomicFile file{path};
    file.write(header(points));
    const std::vector<std::string> states = state_cells(points);
    fmt::memory_buffer row;
    for (std::size_t i = 0; i < points.count(); ++i) {
        row.clear();
        add_row(row, points, states, i);
        file.write({row.data(), row.size()});
    }
    file.commit();
}

/// A YAML string of one line, whatever is in it.
std::string yaml_string(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') {
            result += '\'';
        }
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '\'';
}

// The format version has to be a string: wult warns about the number 1.3.
std::string info_text(const WultInfo& info) {
    return fmt::format(
        "toolname: wult\ntoolver: {}\nformat_version: '1.3'\nreportid: {}\ndate: {}\ncpu: {}\n"
        "devid: {}\ndevdescr: {}\nresolution: {}\nduration: {}\n{}",
        yaml_string(info.tool_version),
        yaml_string(wult_report_id(info.report_id)),
        yaml_string(info.date),
        info.cpu,
        yaml_string(info.device_id),
        yaml_string(info.device_description),
        format_ns(info.resolution),
        yaml_string(to_text(info.duration)),
        info.more);
}

}  // namespace

std::string wult_report_id(std::string_view name) {
    constexpr std::string_view kAllowed =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.,_~:";
    std::string id{name.empty() ? "idlesim" : name};
    for (char& c : id) {
        if (kAllowed.find(c) == std::string_view::npos) {
            c = '-';
        }
    }
    return id;
}

bool write_wult_result(const std::filesystem::path& folder,
                       const WultPoints& points,
                       const WultInfo& info) {
    if (points.count() == 0) {
        return false;
    }
    write_datapoints(folder / "datapoints.csv", points);
    write_file(folder / "info.yml", info_text(info));
    return true;
}

}  // namespace idlesim
