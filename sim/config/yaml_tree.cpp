// SPDX-License-Identifier: Apache-2.0
#include "sim/config/yaml_tree.hpp"

#include "sim/config/excerpt.hpp"
#include "sim/config/load.hpp"
#include "sim/config/source_scan.hpp"
#include "sim/config/syntax_message.hpp"
#include "sim/config/text_check.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace idlesim::config {
namespace {

/// Ends a parse whose reason has been reported.
struct Stop {};

/// A container whose end has not come yet.
struct Open {
    Node node;
    /// '[' or '{' in flow style, otherwise 0.
    char bracket = '\0';
    /// It stands where a key belongs: reported at its end and thrown away.
    bool is_key = false;

    // For maps: the key whose value comes next.
    bool has_key = false;
    bool keep_value = false;
    std::string key{};
    Location key_location{};
    std::unordered_map<std::string, Location> known{};
};

/// Builds our tree from yaml-cpp's events. Events are used since only they give every value its
/// place and show duplicates, aliases and second documents (yaml-cpp 0.7).
class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(std::string_view text, const Origin& origin, Diagnostics& diagnostics)
        : text_{text}, origin_{origin}, diagnostics_{diagnostics} {}

    Node take_root() { return std::move(root_); }

    [[nodiscard]] const std::vector<Open>& open() const { return open_; }

    [[nodiscard]] Location at(const YAML::Mark& mark, int length = 1) const {
        if (origin_.column_shift) {
            const int column =
                mark.line == 0 ? mark.column + 1 : static_cast<int>(text_.size()) - 1;
            return {origin_.name, 1, std::max(column + *origin_.column_shift, 1), length};
        }
        return {origin_.name, mark.line + 1, mark.column + 1, length};
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        // yaml-cpp 0.7 finds one empty document after the other in front of a stray ',', without
        // ever advancing (jbeder/yaml-cpp#1040): the second one ends the parse in any case.
        if (documents_++ > 0) {
            const std::string_view rest = rest_at(mark);
            const bool stray =
                !rest.empty() && std::string_view{",]}:"}.find(rest[0]) != std::string_view::npos;
            stop(at(mark),
                 stray ? fmt::format("unexpected '{}'", rest[0])
                       : std::string{"a second document begins here; a file holds exactly one"});
        }
    }

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuse_properties(mark, {}, anchor);
        const std::string_view spelling = null_spelling(rest_at(mark));
        const Location where =
            at(mark, static_cast<int>(std::max<std::size_t>(spelling.size(), 1)));
        if (expects_key()) {
            bad_key(where);
        } else if (spelling.empty() && !open_.empty() && open_.back().node.is_map()) {
            // yaml-cpp reports the place of whatever comes next.
            add(Node::null({}, open_.back().key_location));
        } else {
            add(Node::null(std::string{spelling}, where));
        }
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        const Location where = at(mark, word_length(mark));
        diagnostics_.error(where, std::string{kAliasMessage});
        if (expects_key()) {
            set_key({}, where, false);
        } else {
            add(Node::invalid(where));
        }
    }

    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override {
        const bool refused = refuse_properties(mark, tag, anchor);
        const bool quoted = tag == "!" && !refused;
        const Location where =
            at(mark, quoted ? quoted_length(mark) : length_in_line(rest_at(mark), value.size()));
        if (!expects_key()) {
            add(refused ? Node::invalid(where) : Node::scalar(value, quoted, where));
        } else if (value == "<<" && !quoted) {
            diagnostics_.error(where, "merge keys are not supported; write the values out");
            set_key({}, where, false);
        } else if (!is_word(value)) {
            bad_key(where);
        } else {
            new_key(value, where);
        }
    }

    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& tag,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override {
        start(Node::sequence(at(mark)), mark, tag, anchor, style);
    }

    void OnSequenceEnd() override { end(); }

    void OnMapStart(const YAML::Mark& mark,
                    const std::string& tag,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override {
        start(Node::map(at(mark)), mark, tag, anchor, style);
    }

    void OnMapEnd() override { end(); }

private:
    [[noreturn]] void stop(const Location& where, std::string what) {
        diagnostics_.error(where, std::move(what));
        throw Stop{};
    }

    [[nodiscard]] std::string_view rest_at(const YAML::Mark& mark) const {
        const auto offset = static_cast<std::size_t>(std::max(mark.pos, 0));
        return text_.substr(std::min(offset, text_.size()));
    }

    [[nodiscard]] int word_length(const YAML::Mark& mark) const {
        return word_length_of(rest_at(mark));
    }

    /// yaml-cpp 0.7 takes a quote that is never closed as one that ends with the file.
    int quoted_length(const YAML::Mark& mark) {
        const std::string_view rest = rest_at(mark);
        if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) {
            return 1;  // a block scalar
        }
        const std::optional<std::size_t> size = quoted_size(rest);
        if (!size) {
            stop(at(mark), "this quote is never closed");
        }
        return length_in_line(rest, *size);
    }

    /// Reports anchors and tags.
    bool refuse_properties(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        if (anchor != 0) {
            diagnostics_.error(at(mark, word_length(mark)),
                               "anchors are not supported; write the value out");
            return true;
        }
        // yaml-cpp's own tags: "?" for plain, "!" for quoted and block scalars.
        const std::string_view rest = rest_at(mark);
        const bool implied = tag.empty() || tag == "?" || (tag == "!" && !rest.starts_with('!'));
        if (!implied) {
            diagnostics_.error(at(mark, word_length(mark)), "tags are not supported");
        }
        return !implied;
    }

    [[nodiscard]] bool expects_key() const {
        return !open_.empty() && open_.back().node.is_map() && !open_.back().has_key;
    }

    void set_key(std::string key, Location where, bool keep_value) {
        Open& map = open_.back();
        map.has_key = true;
        map.keep_value = keep_value;
        map.key = std::move(key);
        map.key_location = std::move(where);
    }

    void bad_key(const Location& where) {
        diagnostics_.error(
            where, "a key must be a word: letters, digits and '_', then also '-', '.', '[', ']'");
        set_key({}, where, false);
    }

    void new_key(const std::string& key, const Location& where) {
        const auto [first, is_new] = open_.back().known.emplace(key, where);
        if (!is_new) {
            diagnostics_.error(where, fmt::format("key '{}' appears twice", printable(key)));
            diagnostics_.note(first->second, "first one is here");
        }
        set_key(key, where, is_new);
    }

    void count_value(const Location& where) {
        if (++values_ > kMostValues) {
            stop(where, fmt::format("more than {} values; is this a configuration?", kMostValues));
        }
    }

    void start(Node node,
               const YAML::Mark& mark,
               const std::string& tag,
               YAML::anchor_t anchor,
               YAML::EmitterStyle::value style) {
        refuse_properties(mark, tag, anchor);
        count_value(node.location());
        if (open_.size() >= static_cast<std::size_t>(kDeepestNesting)) {
            stop(node.location(), fmt::format("nested deeper than {} levels", kDeepestNesting));
        }
        Open container;
        container.node = std::move(node);
        const std::string_view rest = rest_at(mark);
        container.bracket = style == YAML::EmitterStyle::Flow && !rest.empty() ? rest[0] : '\0';
        container.is_key = expects_key();
        open_.push_back(std::move(container));
    }

    void end() {
        Open finished = std::move(open_.back());
        open_.pop_back();
        // Only now is it certain: yaml-cpp announces what an unclosed '[' may turn out to be.
        if (finished.is_key) {
            bad_key(finished.node.location());
        } else {
            attach(std::move(finished.node));
        }
    }

    void add(Node node) {
        count_value(node.location());
        attach(std::move(node));
    }

    void attach(Node node) {
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (parent.node.is_sequence()) {
            parent.node.append(std::move(node));
            return;
        }
        parent.has_key = false;
        if (parent.keep_value) {
            parent.node.insert_new(
                std::move(parent.key), std::move(parent.key_location), std::move(node));
        }
    }

    std::string_view text_;
    const Origin& origin_;
    Diagnostics& diagnostics_;
    std::vector<Open> open_;
    Node root_;
    int documents_ = 0;
    int values_ = 0;
};

void report_syntax(const YAML::Exception& error,
                   const TreeBuilder& builder,
                   std::string_view text,
                   Diagnostics& diagnostics) {
    const std::string_view line = line_of(text, error.mark.line + 1);
    const std::size_t tab = line.find_first_not_of(' ');
    if (tab != std::string_view::npos && line[tab] == '\t') {
        YAML::Mark mark = error.mark;
        mark.column = static_cast<int>(tab);
        diagnostics.error(builder.at(mark), "a tab in the indentation; YAML wants spaces");
        return;
    }
    if (is_unclosed_flow(error.msg) && !builder.open().empty()) {
        const Open& innermost = builder.open().back();
        if (innermost.bracket == '[' || innermost.bracket == '{') {
            diagnostics.error(innermost.node.location(),
                              fmt::format("this '{}' is never closed", innermost.bracket));
            return;
        }
    }
    diagnostics.error(builder.at(error.mark), syntax_message(error.msg));
}

}  // namespace

Node parse_yaml(std::string_view text, const Origin& origin, Diagnostics& diagnostics) {
    const Location whole{origin.name, 0, 0, 1};
    if (const std::optional<std::size_t> directive = find_directive(text)) {
        const Position at = position_of(text, *directive);
        diagnostics.error({origin.name, at.line, at.column, 1}, "directives are not supported");
        return Node::invalid(whole);
    }
    TreeBuilder builder{text, origin, diagnostics};
    try {
        // The end of the file ends the last line too: yaml-cpp words some errors by it.
        std::istringstream stream{std::string{text} + "\n"};
        YAML::Parser parser{stream};
        if (!parser.HandleNextDocument(builder)) {
            diagnostics.error(whole,
                              is_blank(text) ? "the file is empty" : "the file holds no values");
            return Node::invalid(whole);
        }
        // One empty document in front of the end is what a stray token looks like.
        parser.HandleNextDocument(builder);
    } catch (const Stop&) {
        return Node::invalid(whole);
    } catch (const YAML::Exception& error) {
        report_syntax(error, builder, text, diagnostics);
        return Node::invalid(whole);
    }
    return builder.take_root();
}

}  // namespace idlesim::config
