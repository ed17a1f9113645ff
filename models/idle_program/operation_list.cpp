// SPDX-License-Identifier: Apache-2.0
#include "models/idle_program/flow_check.hpp"
#include "models/idle_program/operation.hpp"
#include "sim/config/composite.hpp"
#include "sim/config/suggest.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Diagnostics;
using config::Node;

// A program must fit into the kernel's idle loop, and its steps into the columns of a sample.
constexpr std::size_t kMostOperations = 1000;
constexpr std::size_t kMostCosts = 16;

/// Reads the list and reports everything that is wrong with it; the flow only of a list whose
/// operations are known.
class ListReader {
public:
    ListReader(Node& node, Operations& out, Diagnostics& diagnostics)
        : node_{node}, list_{out.list}, diagnostics_{diagnostics} {}

    bool read() {
        if (!config::expect_sequence(node_, diagnostics_)) {
            return false;
        }
        const std::size_t count = node_.children().size();
        if (count == 0 || count > kMostOperations) {
            config::report(node_,
                           fmt::format("a program has 1 to {} operations", kMostOperations),
                           diagnostics_);
            return false;
        }
        config::label_items(node_);
        list_.clear();
        bool good = true;
        for (Node& item : node_.children()) {
            good = read_item(item) && good;
        }
        good = check_labels() && good;
        good = check_costs() && good;
        return good && check_flow(list_, diagnostics_);
    }

private:
    bool read_item(Node& item) {
        // "- out:" is a map to YAML.
        if (item.is_map() && item.children().size() == 1) {
            const Node& entry = item.children().front();
            if (entry.is_null()) {
                std::string label = item.label();
                item = Node::scalar("label " + entry.key(), false, entry.key_location());
                item.set_label(std::move(label));
            } else {
                diagnostics_.error(entry.key_location(),
                                   fmt::format("{}: an operation is one line such as 'mwait 0x00'; "
                                               "only a label ends in ':'",
                                               item.label()));
                return false;
            }
        }
        if (!config::expect_scalar(item, "an operation such as 'mwait 0x00'", diagnostics_)) {
            return false;
        }
        Operation operation;
        if (!read_operation(item, operation, diagnostics_)) {
            // Whoever misspells 'label' need not hear that the label is missing.
            misread_.insert(operation.text.substr(operation.text.rfind(' ') + 1));
            return false;
        }
        list_.push_back(std::move(operation));
        return true;
    }

    bool check_labels() {
        std::map<std::string, const Operation*, std::less<>> places;
        bool good = true;
        for (const Operation& operation : list_) {
            if (operation.mnemonic != Mnemonic::label) {
                continue;
            }
            const auto [first, is_new] = places.emplace(operation.name, &operation);
            if (!is_new) {
                good = false;
                diagnostics_.error(
                    operation.location,
                    fmt::format("{}: label '{}' appears twice", operation.key, operation.name));
                diagnostics_.note(first->second->location, "first one is here");
            }
        }
        std::vector<std::string> names;
        for (const auto& [name, operation] : places) {
            names.push_back(name);
        }
        for (const Operation& operation : list_) {
            const bool branches = operation.mnemonic == Mnemonic::jump ||
                                  operation.mnemonic == Mnemonic::test_need_resched;
            if (branches && !places.contains(operation.name) &&
                !misread_.contains(operation.name)) {
                good = false;
                diagnostics_.error(
                    operation.location,
                    fmt::format("{}: there is no label '{}'{}",
                                operation.key,
                                operation.name,
                                config::suggestion_text(operation.name, "labels", names)));
            }
        }
        return good;
    }

    bool check_costs() {
        std::set<std::string_view> names;
        for (const Operation& operation : list_) {
            const bool is_label = form_of(operation.mnemonic).operands == Operands::label;
            if (!is_label && !operation.name.empty()) {
                names.insert(operation.name);
            }
            if (names.size() > kMostCosts) {
                diagnostics_.error(operation.location,
                                   fmt::format("{}: a program names at most {} costs and states",
                                               operation.key,
                                               kMostCosts));
                return false;
            }
        }
        return true;
    }

    Node& node_;
    std::vector<Operation>& list_;
    Diagnostics& diagnostics_;
    std::set<std::string, std::less<>> misread_;
};

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

bool Converter<Operations>::read(Node& node, Operations& out, Diagnostics& diagnostics) {
    return ListReader{node, out, diagnostics}.read();
}

std::optional<Node> Converter<Operations>::to_node(const Operations& operations) {
    Node node = Node::sequence(default_location());
    for (const Operation& operation : operations.list) {
        node.append(Node::scalar(operation.text, false, default_location()));
    }
    return node;
}

TypeDescription Converter<Operations>::describe(int /*depth*/) {
    TypeDescription operation;
    operation.name = "operation";
    return list_of(std::move(operation));
}

}  // namespace idlesim::config
