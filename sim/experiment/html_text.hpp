// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Pieces of an HTML page; all text is escaped.

namespace idlesim {

[[nodiscard]] std::string html(std::string_view text);

/// Numbers stand to the right; a cell that is a verdict gets its class.
class HtmlTable {
public:
    explicit HtmlTable(const std::vector<std::string>& header);

    void row(const std::vector<std::string>& cells);

    [[nodiscard]] std::string text() const;

private:
    std::string text_;
};

struct HtmlInterval {
    std::string label;
    double value = 0;
    double low = 0;  ///< NaN where it is not known
    double high = 0;
};

/// Points with their intervals around zero, one a line.
[[nodiscard]] std::string interval_chart(const std::vector<HtmlInterval>& intervals);

struct HtmlPart {
    std::string label;
    double value = 0;
};

/// Bars of what adds up to a whole, largest first; the small ones are put together.
[[nodiscard]] std::string part_chart(const std::vector<HtmlPart>& parts, std::string_view unit);

}  // namespace idlesim
