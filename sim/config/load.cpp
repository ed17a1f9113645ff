// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"

#include "sim/config/input_file.hpp"
#include "sim/config/text_check.hpp"
#include "sim/config/yaml_tree.hpp"

#include <optional>
#include <utility>

namespace idlesim::config {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view kWhat = "configuration";

Node refuse(const std::string& name, std::string what, Diagnostics& diagnostics) {
    const Location whole{name, 0, 0, 1};
    diagnostics.error(whole, std::move(what));
    return Node::invalid(whole);
}

}  // namespace

Node load_text(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    if (text.size() > kLongestFile) {
        return refuse(name, too_large(kLongestFile, kWhat), diagnostics);
    }
    diagnostics.add_source(name, text);
    if (const std::optional<TextProblem> problem = check_text(text)) {
        const Position at = position_of(text, problem->offset);
        const Location where{name, at.line, at.column, 1};
        diagnostics.error(where, problem->what);
        return Node::invalid(where);
    }
    return parse_yaml(text, {name}, diagnostics);
}

Node load_file(const std::string& path, Diagnostics& diagnostics) {
    std::string reason;
    const std::optional<std::string> content = read_text_file(path, {kLongestFile, kWhat}, reason);
    if (!content) {
        return refuse(path, std::move(reason), diagnostics);
    }
    return load_text(*content, path, diagnostics);
}

}  // namespace idlesim::config
