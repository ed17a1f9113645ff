// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/location.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim::config {

/// The user's input is wrong; what() is the rendered list of what was found.
class ConfigError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Collects what is wrong with the input, to be reported all at once.
///
/// A note belongs to the error or warning before it. The same complaint at the same place is kept
/// once, since a file may be read several times (once for each arm of an experiment).
class Diagnostics {
public:
    void error(const Location& where, std::string text);
    void warning(const Location& where, std::string text);
    void note(const Location& where, std::string text);

    [[nodiscard]] bool has_errors() const { return errors_ != 0; }

    [[nodiscard]] int errors() const { return errors_; }

    [[nodiscard]] int warnings() const { return warnings_; }

    /// Keeps a file's text so that messages can show its lines. Files are reported in the order in
    /// which they were added first.
    void add_source(const std::string& name, std::string_view text);

    /// Adds the `index`th --set argument (from 1) to the text of the command line, which is shown
    /// as one line; returns the column at which the argument begins. Adding an index again changes
    /// nothing.
    int add_argument(int index, std::string_view text);

    /// Every message with its source line and caret, in file order, and their number at the end;
    /// empty when there is nothing to say.
    [[nodiscard]] std::string render() const;

    /// Throws ConfigError with render() when there are errors.
    void throw_if_errors() const;

private:
    enum class Severity : std::uint8_t { error, warning, note };

    struct Message {
        Severity severity;
        Location where;
        std::string text;
    };

    /// An error or warning, and its notes.
    struct Group {
        Message head;
        std::vector<Message> notes;
    };

    bool add_group(Severity severity, const Location& where, std::string text);
    void render_message(std::string& out, const Message& message) const;
    [[nodiscard]] std::size_t file_rank(const std::string& file) const;
    [[nodiscard]] std::vector<const Group*> in_file_order() const;
    [[nodiscard]] std::string totals() const;

    std::vector<Group> groups_;
    std::set<std::string> seen_;
    bool repeated_ = false;
    int errors_ = 0;
    int warnings_ = 0;
    std::vector<std::string> file_order_;
    std::map<std::string, std::string> sources_;
    std::map<int, int> argument_columns_;
};

}  // namespace idlesim::config
