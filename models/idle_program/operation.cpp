// SPDX-License-Identifier: Apache-2.0
#include "models/idle_program/operation.hpp"

#include "sim/config/excerpt.hpp"
#include "sim/config/quantity.hpp"
#include "sim/config/suggest.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace idlesim {

namespace {

using config::Diagnostics;
using config::Node;

constexpr std::uint64_t kHighestHint = 0xff;

constexpr std::array<Form, 15> kForms{{
    {"cli", Operands::none, "cli", true},
    {"sti", Operands::none, "sti", true},
    {"set_polling", Operands::none, "set_polling", true},
    {"clear_polling", Operands::none, "clear_polling", true},
    {"test_need_resched", Operands::label, "test_need_resched LABEL", true},
    {"monitor", Operands::none, "monitor", true},
    {"mwait", Operands::mwait, "mwait [HINT] [break_on_irq] [state NAME]", false},
    {"hlt", Operands::sleep, "hlt [state NAME]", false},
    {"io_read", Operands::sleep, "io_read [state NAME]", false},
    {"pause_loop", Operands::duration, "pause_loop [DURATION]", false},
    {"wrmsr_spec_ctrl", Operands::value, "wrmsr_spec_ctrl VALUE", true},
    {"verw", Operands::none, "verw", true},
    {"work", Operands::cost, "work COST", true},
    {"jump", Operands::label, "jump LABEL", false},
    {"label", Operands::label, "label LABEL", false},
}};

std::vector<std::string> operation_names() {
    std::vector<std::string> names;
    for (const Form& form : kForms) {
        names.emplace_back(form.name);
    }
    return names;
}

struct Word {
    std::string_view text;
    config::Location location;
};

// Words stand at their own places where the scalar stands in the file as it reads.
std::vector<Word> words_of(const Node& node) {
    const std::string& text = node.text();
    const config::Location& whole = node.location();
    const auto length = static_cast<std::size_t>(whole.length);
    const bool is_plain = !node.quoted() && length == text.size();
    const bool is_quoted = node.quoted() && length == text.size() + 2;
    std::vector<Word> words;
    constexpr std::string_view kBlanks = " \t\n";
    std::size_t begin = text.find_first_not_of(kBlanks);
    while (begin != std::string::npos) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
        Word word{std::string_view{text}.substr(begin, end - begin), whole};
        if (is_plain || is_quoted) {
            word.location.column += static_cast<int>(begin) + (is_quoted ? 1 : 0);
            word.location.length = static_cast<int>(end - begin);
        }
        words.push_back(std::move(word));
        begin = text.find_first_not_of(kBlanks, end);
    }
    return words;
}

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

/// Reads one operation and reports what is wrong with it.
class LineReader {
public:
    LineReader(const Node& node, Diagnostics& diagnostics)
        : node_{node}, diagnostics_{diagnostics}, words_{words_of(node)} {}

    bool read(Operation& out) {
        out.text = text_from(0);
        out.key = node_.label();
        out.location = node_.location();
        if (words_.empty()) {
            return fail(node_.location(), "an operation is missing");
        }
        if (words_.size() == 1 && words_[0].text.ends_with(':')) {
            out.mnemonic = Mnemonic::label;
            out.name = words_[0].text.substr(0, words_[0].text.size() - 1);
            out.text = "label " + out.name;
            return is_name(out.name) || fail(words_[0].location, "a label is letters, digits, '_'");
        }
        const auto form = std::find_if(kForms.begin(), kForms.end(), [this](const Form& known) {
            return known.name == words_[0].text;
        });
        if (form == kForms.end()) {
            return fail(words_[0].location,
                        fmt::format("unknown operation '{}'{}",
                                    config::printable(words_[0].text),
                                    config::suggestion_text(
                                        words_[0].text, "operations", operation_names())));
        }
        out.mnemonic = static_cast<Mnemonic>(form - kForms.begin());
        return read_operands(*form, out);
    }

private:
    bool fail(const config::Location& where, std::string_view what) {
        diagnostics_.error(
            where,
            node_.label().empty() ? std::string{what} : fmt::format("{}: {}", node_.label(), what));
        return false;
    }

    [[nodiscard]] std::string text_from(std::size_t first) const {
        std::string text;
        for (std::size_t i = first; i < words_.size(); ++i) {
            text += text.empty() ? "" : " ";
            text += words_[i].text;
        }
        return text;
    }

    bool read_operands(const Form& form, Operation& out) {
        switch (form.operands) {
            case Operands::none:
                return expect_operands(form, 0);
            case Operands::label:
            case Operands::cost:
                return expect_operands(form, 1) && read_name(form, words_[1], out.name);
            case Operands::value:
                return expect_operands(form, 1) && read_number(words_[1], out.number);
            case Operands::duration:
                return words_.size() == 1 || read_limit(out.limit);
            case Operands::sleep:
            case Operands::mwait:
                return read_sleep(form, out);
        }
        return false;
    }

    bool expect_operands(const Form& form, std::size_t count) {
        if (words_.size() < count + 1) {
            return fail(words_[0].location,
                        fmt::format("an operand is missing: expected '{}'", form.usage));
        }
        if (words_.size() > count + 1) {
            return fail(words_[count + 1].location,
                        fmt::format("unexpected '{}': expected '{}'",
                                    config::printable(words_[count + 1].text),
                                    form.usage));
        }
        return true;
    }

    bool read_name(const Form& form, const Word& word, std::string& out) {
        out = word.text;
        return is_name(word.text) ||
               fail(word.location,
                    fmt::format("'{}' is no name: letters, digits, '_' and '-', as in '{}'",
                                config::printable(word.text),
                                form.usage));
    }

    bool read_number(const Word& word, std::optional<std::uint64_t>& out) {
        const config::Parsed<config::HexInt> parsed = config::parse_hex(word.text);
        if (const auto* problem = std::get_if<std::string>(&parsed)) {
            return fail(word.location, *problem);
        }
        out = std::get<config::HexInt>(parsed).value;
        return true;
    }

    bool read_limit(Duration& out) {
        const config::Parsed<Duration> parsed = config::parse_duration(text_from(1));
        if (const auto* problem = std::get_if<std::string>(&parsed)) {
            return fail(words_[1].location, *problem);
        }
        out = std::get<Duration>(parsed);
        return out > Duration::zero() ||
               fail(words_[1].location,
                    "must be more than 0 ns; leave it out to poll without a limit");
    }

    bool read_sleep(const Form& form, Operation& out) {
        bool good = true;
        for (std::size_t i = 1; good && i < words_.size(); ++i) {
            const Word& word = words_[i];
            if (word.text == "state" && out.name.empty()) {
                good = i + 1 < words_.size()
                           ? read_name(form, words_[++i], out.name)
                           : fail(word.location,
                                  fmt::format("a name is missing: expected '{}'", form.usage));
            } else if (form.operands == Operands::mwait) {
                good = read_mwait_operand(word, out);
            } else {
                good = fail_operand(word, {"state"});
            }
        }
        return good;
    }

    bool read_mwait_operand(const Word& word, Operation& out) {
        if (word.text == "break_on_irq" && !out.break_on_irq) {
            out.break_on_irq = true;
            return true;
        }
        const bool is_number = word.text.front() >= '0' && word.text.front() <= '9';
        if (!is_number || out.number) {
            return fail_operand(word, {"break_on_irq", "state"});
        }
        return read_number(word, out.number) &&
               (*out.number <= kHighestHint ||
                fail(word.location, fmt::format("a hint is at most {:#x}", kHighestHint)));
    }

    bool fail_operand(const Word& word, const std::vector<std::string>& known) {
        if (std::find(known.begin(), known.end(), word.text) != known.end()) {
            return fail(word.location, fmt::format("'{}' appears twice", word.text));
        }
        return fail(word.location,
                    fmt::format("unexpected '{}'{}",
                                config::printable(word.text),
                                config::suggestion_text(word.text, "options", known)));
    }

    const Node& node_;
    Diagnostics& diagnostics_;
    std::vector<Word> words_;
};

}  // namespace

const Form& form_of(Mnemonic mnemonic) {
    return kForms[static_cast<std::size_t>(mnemonic)];
}

bool read_operation(const Node& line, Operation& out, Diagnostics& diagnostics) {
    return LineReader{line, diagnostics}.read(out);
}

Operation make_operation(Mnemonic mnemonic, std::string name) {
    Operation operation;
    operation.mnemonic = mnemonic;
    operation.name = std::move(name);
    operation.text = form_of(mnemonic).name;
    operation.text += operation.name.empty() ? "" : " " + operation.name;
    return operation;
}

}  // namespace idlesim
