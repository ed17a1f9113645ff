// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/html_report.hpp"

#include "sim/experiment/html_text.hpp"
#include "sim/experiment/result_reader.hpp"
#include "sim/experiment/text_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kStats{"p50", "p90", "p99", "p99.9", "mean", "max"};
constexpr std::size_t kMostFindings = 20;

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>idlesim report</title><style>
body { font: 15px/1.45 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #111 }
table { border-collapse: collapse; margin: .6em 0 1.4em } th, td { padding: .15em .7em; text-align: left }
th { border-bottom: 2px solid #111 } td { border-bottom: 1px solid #ddd } td.n { text-align: right }
code { background: #f2f2f2; padding: .1em .3em } .missed { color: #b03a00; font-weight: bold }
.pass { color: #00664a } h2 { border-top: 1px solid #999; padding-top: 1em } svg { display: block }
</style></head><body>
<h1>idlesim report</h1>
)";

std::string number_text(double value) {
    return std::isnan(value) ? "" : rounded_text(value);
}

std::string info_of(const ResultInfo& info, const fs::path& folder) {
    HtmlTable table{{"", ""}};
    table.row({"folder", folder.string()});
    table.row({"command", info.command});
    table.row({"seed, replications", fmt::format("{}, {}", info.seed, info.replications)});
    table.row({"version", fmt::format("{} {}", info.version, info.commit)});
    table.row({"date", info.date});
    return table.text();
}

std::string targets_of(const fs::path& file) {
    const ResultTable targets{file};
    if (targets.rows() == 0) {
        return "<p>No targets.</p>\n";
    }
    HtmlTable table{{"experiment",
                     "arm",
                     "metric",
                     "stat",
                     "documented",
                     "simulated",
                     "unit",
                     "error %",
                     "use",
                     "verdict"}};
    for (std::size_t i = 0; i < targets.rows(); ++i) {
        table.row({targets.at(i, "experiment"),
                   targets.at(i, "arm"),
                   targets.at(i, "metric"),
                   targets.at(i, "stat"),
                   targets.at(i, "documented"),
                   number_text(targets.number(i, "simulated")),
                   targets.at(i, "unit"),
                   number_text(targets.number(i, "error_percent")),
                   targets.at(i, "use"),
                   targets.at(i, "verdict")});
    }
    return "<h3>Documented against simulated</h3>\n" + table.text();
}

/// Values of summary.csv over all replications (of the only one where there is one).
std::string metrics_of(const ResultTable& summary, const std::string& replications) {
    const std::string wanted = replications == "1" ? "1" : "all";
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::map<std::string, double>> values;
    std::map<std::pair<std::string, std::string>, std::string> units;
    for (std::size_t i = 0; i < summary.rows(); ++i) {
        if (summary.at(i, "replication") != wanted) {
            continue;
        }
        const std::pair key{summary.at(i, "metric"), summary.at(i, "arm")};
        if (!values.contains(key)) {
            order.push_back(key);
        }
        values[key][summary.at(i, "stat")] = summary.number(i, "value");
        if (!summary.at(i, "unit").empty()) {
            units[key] = summary.at(i, "unit");
        }
    }
    std::vector<std::string> header{"metric", "arm"};
    header.insert(header.end(), kStats.begin(), kStats.end());
    header.emplace_back("unit");
    HtmlTable table{header};
    for (const auto& key : order) {
        std::vector<std::string> row{key.first, key.second};
        for (const std::string_view stat : kStats) {
            row.push_back(number_text(values[key][std::string{stat}]));
        }
        row.push_back(units[key]);
        table.row(row);
    }
    return "<h3>Metrics</h3>\n" + table.text();
}

std::string comparisons_of(const ResultTable& comparison) {
    std::vector<HtmlInterval> intervals;
    for (std::size_t i = 0; i < comparison.rows(); ++i) {
        const std::string& stat = comparison.at(i, "stat");
        const double delta = comparison.number(i, "delta_percent");
        const bool shown = stat == "p50" || stat == "p99" || stat == "mean";
        if (shown && std::isfinite(delta)) {
            intervals.push_back({fmt::format("{} {}, {} against {}",
                                             comparison.at(i, "metric"),
                                             stat,
                                             comparison.at(i, "arm"),
                                             comparison.at(i, "baseline")),
                                 delta,
                                 comparison.number(i, "ci_low"),
                                 comparison.number(i, "ci_high")});
        }
    }
    return intervals.empty() ? ""
                             : "<h3>Differences, paired, with 95 % intervals (%)</h3>\n" +
                                   interval_chart(intervals);
}

std::string breakdown_of(const fs::path& arm) {
    const ResultTable breakdown{arm / "breakdown.csv"};
    std::vector<HtmlPart> parts;
    for (std::size_t i = 0; i < breakdown.rows(); ++i) {
        parts.push_back({breakdown.at(i, "step"), breakdown.number(i, "mean_ns")});
    }
    std::stable_sort(parts.begin(), parts.end(), [](const HtmlPart& a, const HtmlPart& b) {
        return a.value > b.value;
    });
    return fmt::format("<p>{}</p>\n{}", html(arm.filename().string()), part_chart(parts, "ns"));
}

std::string breakdowns_of(const fs::path& folder) {
    std::vector<fs::path> arms;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder}) {
        if (entry.is_directory() && fs::exists(entry.path() / "breakdown.csv")) {
            arms.push_back(entry.path());
        }
    }
    std::sort(arms.begin(), arms.end());
    std::string text = arms.empty() ? "" : "<h3>Where the time goes (mean of all samples)</h3>\n";
    for (const fs::path& arm : arms) {
        text += breakdown_of(arm);
    }
    return text;
}

std::string findings_of(const ResultTable& findings) {
    if (findings.rows() == 0) {
        return "<p>No findings.</p>\n";
    }
    HtmlTable table{{"time us", "cpu", "kind", "program", "step", "detail"}};
    for (std::size_t i = 0; i < std::min(findings.rows(), kMostFindings); ++i) {
        table.row({findings.at(i, "time_us"),
                   findings.at(i, "cpu"),
                   findings.at(i, "kind"),
                   findings.at(i, "program"),
                   findings.at(i, "step"),
                   findings.at(i, "detail")});
    }
    return fmt::format("<h3>Findings ({})</h3>\n{}", findings.rows(), table.text());
}

std::string section_of(const fs::path& folder) {
    const ResultInfo info = read_result_info(folder);
    std::string text = fmt::format("<h2>{}</h2>\n{}",
                                   html(info.title.empty() ? info.report : info.title),
                                   info_of(info, folder));
    if (fs::exists(folder / "ledger.csv")) {
        return text + targets_of(folder / "ledger.csv");
    }
    if (!fs::exists(folder / "summary.csv")) {
        return text + "<p>Neither a run nor a ledger: nothing more to show.</p>\n";
    }
    return text + targets_of(folder / "targets.csv") +
           comparisons_of(ResultTable{folder / "comparison.csv"}) +
           metrics_of(ResultTable{folder / "summary.csv"}, info.replications) +
           breakdowns_of(folder) + findings_of(ResultTable{folder / "findings.csv"});
}

}  // namespace

std::string html_report(const std::vector<fs::path>& folders) {
    std::string text = kHead;
    for (const fs::path& folder : folders) {
        text += section_of(folder);
    }
    return text + "</body></html>\n";
}

}  // namespace idlesim
