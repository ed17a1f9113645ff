// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace idlesim {

/// A value of a configuration whose type is not known here: a duration (in ps), a percentage or a
/// plain number, to be computed with and written back.
struct Quantity {
    enum class Form { duration, percent, power, energy, number };

    Form form = Form::number;
    double value = 0;
};

/// The quantity, or what is wrong with the text.
[[nodiscard]] std::variant<Quantity, std::string> parse_quantity(std::string_view text);

/// The text of a value of the form; `significant` decimal digits, whole picoseconds at most.
[[nodiscard]] std::string write_quantity(const Quantity& quantity, int significant);

}  // namespace idlesim
