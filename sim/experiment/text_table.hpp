// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace idlesim {

/// A table for people: columns padded, numbers to the right.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// A number for people: about five significant digits, no exponent where that is bearable.
[[nodiscard]] std::string rounded_text(double value);

}  // namespace idlesim
