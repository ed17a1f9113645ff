// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/converter.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// A published number as a target spells it: "2000 ns", "190184 /s", "21.74 %", "58958".
/// A time is converted to nanoseconds; every other unit is kept as written, "/s" becoming "1/s".
struct Documented {
    double value = 0;
    std::string unit;
    std::string text;
};

/// How far a simulated value may be from the documented one.
struct Tolerance {
    struct Bound {
        enum class Form { absolute, percent, points };

        Form form = Form::absolute;
        double value = 0;
        std::string unit;  ///< of an absolute one, as for Documented
    };

    std::vector<Bound> bounds;  ///< the larger counts
    std::string text;           ///< as written, "100 ns or 6 %"
};

}  // namespace idlesim

namespace idlesim::config {

template <>
struct Converter<Documented> {
    static bool read(const Node& node, Documented& out, Diagnostics& diagnostics);
    static std::string write(const Documented& value);

    static std::string type_name() { return "number with unit"; }
};

/// One bound ("100 ns", "6 %", "4 points") or a list of them.
template <>
struct Converter<Tolerance> {
    static bool read(const Node& node, Tolerance& out, Diagnostics& diagnostics);
    static std::string write(const Tolerance& value);

    static std::string type_name() { return "tolerance"; }
};

}  // namespace idlesim::config
