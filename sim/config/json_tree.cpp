// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_tree.hpp"

#include "sim/config/json_extras.hpp"
#include "sim/config/load.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace idlesim::config {
namespace {

using Json = nlohmann::json;

/// Line and column of any offset of a text.
class Lines {
public:
    explicit Lines(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') {
                begins_.push_back(i + 1);
            }
        }
    }

    [[nodiscard]] Location at(const std::string& name, std::size_t offset, std::size_t size) const {
        const auto next = std::upper_bound(begins_.begin(), begins_.end(), offset);
        const std::size_t begin = *std::prev(next);
        return {name,
                static_cast<int>(next - begins_.begin()),
                static_cast<int>(offset - begin) + 1,
                static_cast<int>(std::max<std::size_t>(size, 1))};
    }

private:
    std::vector<std::size_t> begins_{0};
};

/// Bytes of a token that the parser shows, where control characters are written out: "<U+000A>".
std::size_t length_of(const std::string& token) {
    // What is shown of punctuation begins with the token before it.
    if (!token.empty() && std::string_view{"{}[],:"}.find(token.back()) != std::string_view::npos) {
        return 1;
    }
    constexpr std::string_view kControl = "<U+";
    constexpr std::size_t kMore = 7;
    std::size_t length = token.size();
    for (std::size_t at = token.find(kControl); at != std::string::npos;
         at = token.find(kControl, at + 1)) {
        length -= std::min(length, kMore);
    }
    return length;
}

/// What the parser says without the place, which the message has already: it looks like
/// "[json...] parse error at line 1, column 2: syntax error while parsing object - ...; last read:
/// '...'; expected '}'".
std::string reason(std::string what) {
    const std::size_t begin = what.find("while parsing");
    what.erase(0, begin == std::string::npos ? 0 : begin);
    if (const std::size_t token = what.find("; last read: '"); token != std::string::npos) {
        const std::size_t end = what.find("'; expected", token);
        what.erase(token, end == std::string::npos ? end : end + 1 - token);
    }
    for (const std::string_view closing : {"expected '}'", "expected ']'"}) {
        if (what.ends_with(closing)) {
            what.insert(what.size() - 3, "',' or ");
        }
    }
    return what;
}

/// Builds the tree from the parser's events. These come without places: since the parser has
/// accepted each token by then, a second look at the text finds it.
class TreeBuilder final : public nlohmann::json_sax<Json> {
public:
    TreeBuilder(const std::string& text, const std::string& name, Diagnostics& diagnostics)
        : text_{text}, name_{name}, diagnostics_{diagnostics}, lines_{text} {}

    [[nodiscard]] Node take_root() { return std::move(root_); }

    bool null() override { return add_plain(); }

    bool boolean(bool /*value*/) override { return add_plain(); }

    bool number_integer(number_integer_t /*value*/) override { return add_plain(); }

    bool number_unsigned(number_unsigned_t /*value*/) override { return add_plain(); }

    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
        return add_plain();
    }

    bool string(string_t& value) override {
        const auto [from, to] = token();
        return add(Node::scalar(value, true, place(from, to)));
    }

    bool binary(binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*size*/) override {
        const auto [from, to] = token();
        return open(Node::map(place(from, to)));
    }

    bool key(string_t& value) override {
        const auto [from, to] = token();
        open_.back().key = value;
        open_.back().key_location = place(from, to);
        return true;
    }

    bool end_object() override { return close(); }

    bool start_array(std::size_t /*size*/) override {
        const auto [from, to] = token();
        return open(Node::sequence(place(from, to)));
    }

    bool end_array() override { return close(); }

    bool parse_error(std::size_t position,
                     const std::string& last_token,
                     const nlohmann::detail::exception& error) override {
        std::size_t end = std::min(position, text_.size());
        std::size_t size = std::min(length_of(last_token), end);
        if (std::string_view{error.what()}.find("unexpected end of input") !=
            std::string_view::npos) {
            end = text_.find_last_not_of(" \t\r\n") + 1;  // npos + 1 is 0
            size = std::min<std::size_t>(end, 1);
        }
        return fail(end - size, size, "not valid JSON: " + reason(error.what()));
    }

private:
    struct Open {
        Node node;
        std::string key;
        Location key_location;
    };

    /// The next token: from, to.
    std::pair<std::size_t, std::size_t> token() {
        const std::size_t from = std::min(text_.find_first_not_of(" \t\r\n,:", at_), text_.size());
        switch (text_[from]) {
            case '"':
                at_ = end_of_json_string(text_, from);
                break;
            case '{':
            case '}':
            case '[':
            case ']':
                at_ = from + 1;
                break;
            default:
                at_ = std::min(text_.find_first_of(" \t\r\n,:]}", from), text_.size());
        }
        return {from, at_};
    }

    [[nodiscard]] Location place(std::size_t from, std::size_t to) const {
        return lines_.at(name_, from, to - from);
    }

    bool fail(std::size_t offset, std::size_t size, std::string what) {
        diagnostics_.error(lines_.at(name_, offset, size), std::move(what));
        return false;
    }

    bool add_plain() {
        const auto [from, to] = token();
        std::string text = text_.substr(from, to - from);
        return add(text == "null" ? Node::null(std::move(text), place(from, to))
                                  : Node::scalar(std::move(text), false, place(from, to)));
    }

    bool add(Node node) {
        if (++values_ > kMostValues) {
            return fail(at_ - 1, 1, fmt::format("more than {} values", kMostValues));
        }
        if (open_.empty()) {
            root_ = std::move(node);
            return true;
        }
        Open& parent = open_.back();
        if (parent.node.is_map()) {
            parent.node.insert_new(parent.key, parent.key_location, std::move(node));
        } else {
            parent.node.append(std::move(node));
        }
        return true;
    }

    bool open(Node node) {
        if (static_cast<int>(open_.size()) >= kDeepestNesting) {
            return fail(at_ - 1, 1, fmt::format("nested deeper than {} levels", kDeepestNesting));
        }
        open_.push_back({std::move(node), {}, {}});
        return true;
    }

    bool close() {
        token();
        Node node = std::move(open_.back().node);
        open_.pop_back();
        return add(std::move(node));
    }

    const std::string& text_;
    const std::string& name_;
    Diagnostics& diagnostics_;
    Lines lines_;
    std::size_t at_ = 0;
    int values_ = 0;
    std::vector<Open> open_;
    Node root_;
};

}  // namespace

Node parse_json(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
    std::string strict{text};
    const Node nothing = Node::invalid({name, 0, 0, 1});
    if (const std::optional<std::size_t> open = blank_json_extras(strict)) {
        diagnostics.error(Lines{text}.at(name, *open, 2),
                          "the comment that begins here has no end");
        return nothing;
    }
    TreeBuilder builder{strict, name, diagnostics};
    return Json::sax_parse(strict, &builder) ? builder.take_root() : nothing;
}

}  // namespace idlesim::config
