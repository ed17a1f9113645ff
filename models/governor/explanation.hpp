// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace idlesim {

/// Why a governor decided as it did, line by line, for a reader.
class Explanation {
public:
    void add(std::string line) { lines_.push_back(std::move(line)); }

    void clear() { lines_.clear(); }

    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

private:
    std::vector<std::string> lines_;
};

/// An amount of time in a sentence: "133 us". Formatted only when somebody reads it.
struct TimeText {
    Nanoseconds value;
};

[[nodiscard]] std::string to_text(TimeText time);

/// Speaks only when there is a listener; its arguments must be cheap to pass.
class Why {
public:
    explicit Why(Explanation* explanation) : explanation_{explanation} {}

    explicit operator bool() const { return explanation_ != nullptr; }

    template <class... Args>
    void say(fmt::format_string<Args...> format, Args&&... args) const {
        if (explanation_ != nullptr) {
            explanation_->add(fmt::format(format, std::forward<Args>(args)...));
        }
    }

private:
    Explanation* explanation_;
};

}  // namespace idlesim

template <>
struct fmt::formatter<idlesim::TimeText> : fmt::formatter<std::string> {
    template <class Context>
    auto format(idlesim::TimeText time, Context& context) const {
        return fmt::formatter<std::string>::format(idlesim::to_text(time), context);
    }
};
