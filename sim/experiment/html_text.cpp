// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/html_text.hpp"

#include "sim/experiment/text_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr double kChartWidth = 520;
constexpr double kLabelWidth = 330;
constexpr double kLineHeight = 22;
constexpr double kSmallShare = 0.01;
constexpr const char* kColour = "#0072B2";

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string::npos;
}

std::string svg(std::size_t lines, const std::string& content) {
    return fmt::format("<svg width=\"{:.0f}\" height=\"{:.0f}\" font-size=\"13\">\n{}</svg>\n",
                       kLabelWidth + kChartWidth + 80,
                       kLineHeight * static_cast<double>(lines) + 6,
                       content);
}

std::string label(double y, std::string_view text) {
    return fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       kLabelWidth - 10,
                       y + 15,
                       html(text));
}

}  // namespace

std::string html(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

HtmlTable::HtmlTable(const std::vector<std::string>& header) : text_{"<table>\n<tr>"} {
    for (const std::string& name : header) {
        text_ += fmt::format("<th>{}</th>", html(name));
    }
    text_ += "</tr>\n";
}

void HtmlTable::row(const std::vector<std::string>& cells) {
    text_ += "<tr>";
    for (const std::string& cell : cells) {
        const char* kind = is_number(cell)                      ? " class=\"n\""
                           : cell == "missed" || cell == "pass" ? nullptr
                                                                : "";
        text_ += kind == nullptr ? fmt::format("<td class=\"{}\">{}</td>", cell, cell)
                                 : fmt::format("<td{}>{}</td>", kind, html(cell));
    }
    text_ += "</tr>\n";
}

std::string HtmlTable::text() const {
    return text_ + "</table>\n";
}

std::string interval_chart(const std::vector<HtmlInterval>& intervals) {
    double reach = 1e-9;
    for (const HtmlInterval& each : intervals) {
        for (const double end : {each.value, each.low, each.high}) {
            reach = std::isfinite(end) ? std::max(reach, std::fabs(end)) : reach;
        }
    }
    const auto place = [reach](double value) {
        return kLabelWidth + kChartWidth * (0.5 + 0.45 * value / reach);
    };
    std::string text = fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1:.0f}\" "
        "stroke=\"#111\"/>\n",
        place(0),
        kLineHeight * static_cast<double>(intervals.size()));
    double y = 0;
    for (const HtmlInterval& each : intervals) {
        text += label(y, each.label);
        if (std::isfinite(each.low) && std::isfinite(each.high)) {
            text += fmt::format(
                "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" "
                "stroke=\"{}\" stroke-width=\"3\"/>\n",
                place(each.low),
                place(each.high),
                y + 11,
                y + 11,
                kColour);
        }
        text += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n"
            "<text x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n",
            place(each.value),
            y + 11,
            kColour,
            kLabelWidth + kChartWidth + 5,
            y + 15,
            rounded_text(each.value));
        y += kLineHeight;
    }
    return svg(intervals.size(), text);
}

std::string part_chart(const std::vector<HtmlPart>& parts, std::string_view unit) {
    double total = 0;
    for (const HtmlPart& part : parts) {
        total += part.value;
    }
    std::vector<HtmlPart> lines;
    double rest = 0;
    for (const HtmlPart& part : parts) {
        if (part.value >= kSmallShare * total && part.value > 0) {
            lines.push_back(part);
        } else {
            rest += part.value;
        }
    }
    if (rest > 0) {
        lines.push_back({"everything else", rest});
    }
    std::string text;
    double y = 0;
    double left = 0;
    for (const HtmlPart& line : lines) {
        const double width = total > 0 ? kChartWidth * line.value / total : 0;
        text += label(y, line.label) +
                fmt::format(
                    "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"15\" "
                    "fill=\"{}\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{} {}</text>\n",
                    kLabelWidth + left,
                    y + 3,
                    width,
                    kColour,
                    kLabelWidth + left + width + 5,
                    y + 15,
                    rounded_text(line.value),
                    html(unit));
        left += width;
        y += kLineHeight;
    }
    return svg(lines.size(), text);
}

}  // namespace idlesim
