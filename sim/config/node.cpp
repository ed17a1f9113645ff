// SPDX-License-Identifier: Apache-2.0
#include "sim/config/node.hpp"

#include "sim/engine/check.hpp"

#include <algorithm>
#include <utility>

namespace idlesim::config {

Node::Node(Kind kind, Location location) : kind_{kind}, location_{std::move(location)} {}

Node Node::null(std::string spelling, Location location) {
    Node node{Kind::null, std::move(location)};
    node.text_ = std::move(spelling);
    return node;
}

Node Node::scalar(std::string text, bool quoted, Location location) {
    Node node{Kind::scalar, std::move(location)};
    node.text_ = std::move(text);
    node.quoted_ = quoted;
    return node;
}

Node Node::sequence(Location location) {
    return {Kind::sequence, std::move(location)};
}

Node Node::map(Location location) {
    return {Kind::map, std::move(location)};
}

Node Node::invalid(Location location) {
    return {Kind::invalid, std::move(location)};
}

const Location& Node::key_location() const {
    return key_.empty() ? location_ : key_location_;
}

const Node* Node::find(std::string_view key) const {
    if (!is_map()) {
        return nullptr;
    }
    const auto entry = std::find_if(
        children_.begin(), children_.end(), [key](const Node& n) { return n.key_ == key; });
    return entry == children_.end() ? nullptr : &*entry;
}

Node* Node::find(std::string_view key) {
    return const_cast<Node*>(std::as_const(*this).find(key));
}

void Node::become_map(Location location) {
    kind_ = Kind::map;
    quoted_ = false;
    text_.clear();
    children_.clear();
    location_ = std::move(location);
}

Node& Node::insert(std::string key, Location key_location, Node value) {
    Node* known = find(key);
    if (known == nullptr) {
        return insert_new(std::move(key), std::move(key_location), std::move(value));
    }
    value.key_ = std::move(key);
    value.key_location_ = std::move(key_location);
    value.label_.clear();
    *known = std::move(value);
    return *known;
}

Node& Node::insert_new(std::string key, Location key_location, Node value) {
    IDLESIM_CHECK(is_map(), "only a map has entries");
    value.key_ = std::move(key);
    value.key_location_ = std::move(key_location);
    value.label_.clear();
    return children_.emplace_back(std::move(value));
}

Node& Node::append(Node item) {
    IDLESIM_CHECK(is_sequence(), "only a sequence has items");
    item.key_.clear();
    return children_.emplace_back(std::move(item));
}

void Node::erase(std::string_view key) {
    std::erase_if(children_, [key](const Node& n) { return n.key_ == key; });
}

}  // namespace idlesim::config
