// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/location.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim::config {

/// One value of a configuration, with the place that it came from. A tree of plain values:
/// children are owned and copied with their parent.
///
/// A child of a map has its key; an item of a sequence has no key, and its label is "stops[2]".
class Node {
public:
    enum class Kind : std::uint8_t {
        null,
        scalar,
        sequence,
        map,
        invalid  ///< already reported: whoever reads it fails without another word
    };

    Node() = default;

    /// `spelling` is "null" or "~" as somebody wrote it; empty where a value is missing.
    static Node null(std::string spelling, Location location);
    static Node scalar(std::string text, bool quoted, Location location);
    static Node sequence(Location location);
    static Node map(Location location);
    static Node invalid(Location location);

    [[nodiscard]] Kind kind() const { return kind_; }

    [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }

    [[nodiscard]] bool is_scalar() const { return kind_ == Kind::scalar; }

    [[nodiscard]] bool is_sequence() const { return kind_ == Kind::sequence; }

    [[nodiscard]] bool is_map() const { return kind_ == Kind::map; }

    [[nodiscard]] bool is_invalid() const { return kind_ == Kind::invalid; }

    /// Text of a scalar, without quotes, or of a written null; empty for the other kinds.
    [[nodiscard]] const std::string& text() const { return text_; }

    /// The scalar was quoted (or a block scalar): it is a string and no number.
    [[nodiscard]] bool quoted() const { return quoted_; }

    /// Where the value is.
    [[nodiscard]] const Location& location() const { return location_; }

    /// Where the key is; the value's place for what has no key.
    [[nodiscard]] const Location& key_location() const;

    [[nodiscard]] const std::string& key() const { return key_; }

    /// How messages call this value: its key, or "stops[2]"; empty for a root.
    [[nodiscard]] const std::string& label() const { return label_.empty() ? key_ : label_; }

    void set_label(std::string label) { label_ = std::move(label); }

    void set_location(Location location) { location_ = std::move(location); }

    void set_key_location(Location location) { key_location_ = std::move(location); }

    /// Entries of a map in file order, or items of a sequence.
    [[nodiscard]] const std::vector<Node>& children() const { return children_; }

    [[nodiscard]] std::vector<Node>& children() { return children_; }

    /// The entry of a map with this key, or nullptr.
    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);

    /// Turns any value into an empty map; the key stays.
    void become_map(Location location);

    /// Appends an entry to a map or replaces the one that has this key.
    Node& insert(std::string key, Location key_location, Node value);

    /// The same for a key that is known to be new.
    Node& insert_new(std::string key, Location key_location, Node value);

    /// Appends an item to a sequence.
    Node& append(Node item);

    /// Removes the entry of a map, if there is one.
    void erase(std::string_view key);

    /// The value is the default of its parameter.
    [[nodiscard]] bool is_default() const { return location_.file == kDefault; }

private:
    Node(Kind kind, Location location);

    Kind kind_ = Kind::null;
    bool quoted_ = false;
    std::string text_;
    std::string key_;
    std::string label_;
    Location location_;
    Location key_location_;
    std::vector<Node> children_;
};

}  // namespace idlesim::config
