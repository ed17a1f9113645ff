// SPDX-License-Identifier: Apache-2.0
#include "sim/config/syntax_message.hpp"

#include <array>
#include <utility>

namespace idlesim::config {
namespace {

// yaml-cpp 0.7 and 0.8, include/yaml-cpp/exceptions.h, namespace ErrorMsg.
using Pair = std::pair<std::string_view, std::string_view>;

constexpr auto kMessages = std::to_array<Pair>({
    {"illegal map value",
     "a ':' makes no sense here; quote the text if it belongs to a value, or check the "
     "indentation"},
    {"illegal block entry", "a '-' makes no sense here; a list begins on its own line"},
    {"illegal map key", "a '?' makes no sense here"},
    {"illegal flow end", "this bracket closes nothing"},
    {"end of map not found", "the indentation fits no map around it"},
    {"end of sequence not found", "the indentation fits no list around it"},
    {"unknown token", "this character cannot begin a value; quote it"},
    {"illegal tab when looking for indentation", "a tab in the indentation; YAML wants spaces"},
    {"illegal EOF in scalar", "the file ends inside a quoted string"},
    {"illegal document indicator in scalar", "a document begins inside a quoted string"},
    {"the referenced anchor is not defined", kAliasMessage},
    {"cannot assign multiple anchors to the same node", "anchors are not supported"},
    {"cannot assign multiple tags to the same node", "tags are not supported"},
});

}  // namespace

std::string syntax_message(std::string_view message) {
    for (const auto& [theirs, ours] : kMessages) {
        if (theirs == message) {
            return std::string{ours};
        }
    }
    return std::string{message};
}

bool is_unclosed_flow(std::string_view message) {
    return message == "end of sequence flow not found" || message == "end of map flow not found";
}

}  // namespace idlesim::config
