// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operand_words.hpp"
#include "sim/cli/reference.hpp"
#include "sim/cli/verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

constexpr const char* kBashHead = R"(# SPDX-License-Identifier: Apache-2.0
# bash completion of idlesim; generated, `idlesim completion bash` prints it.
# Names of files that are shipped are asked of the program itself.
_idlesim_names() {
    "${COMP_WORDS[0]}" list "$1" 2>/dev/null | while read -r name _; do echo "$name"; done
}

_idlesim() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words='' files='' verb=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
)";

constexpr const char* kBashTail = R"(    mapfile -t COMPREPLY < <(
        compgen -W "$words" -- "$current"
        case $files in
        folders) compgen -d -- "$current" ;;
        files) compgen -f -- "$current" ;;
        esac
    )
}

complete -o filenames -F _idlesim idlesim
)";

std::string names_of(const Completable& what) {
    std::string text = fmt::format("{}", fmt::join(what.words, " "));
    if (!what.list_section.empty()) {
        text += fmt::format("{}$(_idlesim_names {})", text.empty() ? "" : " ", what.list_section);
    }
    return text;
}

std::string bash_case(const std::string& pattern, const Completable& what, const char* end) {
    return fmt::format("    {})\n        words=\"{}\"\n{}        {}\n",
                       pattern,
                       names_of(what),
                       what.files     ? "        files=files\n"
                       : what.folders ? "        files=folders\n"
                                      : "",
                       end);
}

/// The value of an option is the same behind every verb that takes it.
std::string bash_values() {
    std::string text;
    std::vector<std::string> done;
    for (const Verb& verb : all_verbs()) {
        for (const OptionHelp& option : options_taken_by(verb)) {
            const bool is_new = std::find(done.begin(), done.end(), option.name) == done.end();
            if (option.value != nullptr && is_new) {
                done.emplace_back(option.name);
                text += bash_case(fmt::format("--{}", option.name), values_of(option), ";;");
            }
        }
    }
    return text;
}

std::string bash_verbs() {
    std::string text;
    for (const Verb& verb : all_verbs()) {
        Completable what = operands_of(verb);
        std::vector<std::string> options;
        for (const OptionHelp& option : options_taken_by(verb)) {
            options.push_back(fmt::format("--{}", option.name));
        }
        text += fmt::format(
            "    {})\n        if [[ $current == -* ]]; then\n"
            "            words=\"{}\"\n        else\n            words=\"{}\"\n{}"
            "        fi\n        ;;\n",
            verb.name,
            fmt::join(options, " "),
            names_of(what),
            what.files     ? "            files=files\n"
            : what.folders ? "            files=folders\n"
                           : "");
    }
    return text;
}

constexpr const char* kZshHead = R"zsh(#compdef idlesim
# SPDX-License-Identifier: Apache-2.0
# zsh completion of idlesim; generated, `idlesim completion zsh` prints it.
# Names of files that are shipped are asked of the program itself.
_idlesim_names() {
    local -a names
    names=(${${(f)"$(_call_program names idlesim list $1)"}%% *})
    compadd -a names
}

_idlesim() {
    local -a verbs
    verbs=(
)zsh";

/// Inside single quotes of a shell, with what _arguments and _describe take apart escaped.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, text.find('\n'))) {
        if (c == '\'') {
            result += "'\\''";
            continue;
        }
        if (c == ':' || c == '[' || c == ']') {
            result += '\\';
        }
        result += c;
    }
    return result;
}

std::string zsh_action(const Completable& what) {
    std::vector<std::string> actions;
    if (!what.words.empty()) {
        actions.push_back(fmt::format("compadd -- {}", fmt::join(what.words, " ")));
    }
    if (!what.list_section.empty()) {
        actions.push_back("_idlesim_names " + what.list_section);
    }
    if (what.files || what.folders) {
        actions.emplace_back(what.files ? "_files" : "_files -/");
    }
    return actions.empty() ? " " : fmt::format("{{{}}}", fmt::join(actions, "; "));
}

std::string zsh_option(const OptionHelp& option) {
    const std::string_view help = option.help;
    const bool repeatable = help.find("(repeatable)") != std::string_view::npos;
    std::string text =
        fmt::format("{}--{}[{}]", repeatable ? "*" : "", option.name, zsh_text(help));
    if (option.value != nullptr) {
        text += fmt::format(":{}:{}", option.value, zsh_action(values_of(option)));
    }
    return text;
}

std::string zsh_case(const Verb& verb) {
    std::string text = fmt::format("    {})\n        _arguments \\\n", verb.name);
    for (const OptionHelp& option : options_taken_by(verb)) {
        text += fmt::format("            '{}' \\\n", zsh_option(option));
    }
    text += verb.operands.empty() ? "            && return\n"
                                  : fmt::format("            '*:{}:{}'\n",
                                                zsh_text(verb.operands),
                                                zsh_action(operands_of(verb)));
    return text + "        ;;\n";
}

}  // namespace

std::string bash_completion() {
    std::vector<std::string> verbs;
    for (const Verb& verb : all_verbs()) {
        verbs.push_back(verb.name);
    }
    return fmt::format(
        "{}        words=\"{} --version --help\"\n"
        "    else\n        case $before in\n{}    *)\n        case $verb in\n{}"
        "        esac\n        ;;\n        esac\n    fi\n{}",
        kBashHead,
        fmt::join(verbs, " "),
        bash_values(),
        bash_verbs(),
        kBashTail);
}

std::string zsh_completion() {
    std::string text = kZshHead;
    for (const Verb& verb : all_verbs()) {
        text += fmt::format("        '{}:{}'\n",
                            verb.name,
                            zsh_text(verb.help.substr(0, verb.help.find_first_of(".:"))));
    }
    text +=
        "    )\n    if ((CURRENT == 2)); then\n        _describe -t verbs verb verbs\n"
        "        return\n    fi\n    local verb=$words[2]\n    shift words\n    ((CURRENT--))\n"
        "    case $verb in\n";
    for (const Verb& verb : all_verbs()) {
        text += zsh_case(verb);
    }
    return text + "    esac\n}\n\n_idlesim \"$@\"\n";
}

}  // namespace idlesim
