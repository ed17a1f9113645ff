// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/reference.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/suggest.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

int completion(const Arguments& arguments) {
    if (arguments.words.size() != 1) {
        throw UsageError{"completion takes a shell: source <(idlesim completion bash)"};
    }
    const std::string& shell = arguments.words.front();
    if (shell != "bash" && shell != "zsh") {
        throw UsageError{fmt::format("there is no completion for '{}'{}",
                                     shell,
                                     config::suggestion_text(shell, "shells", {"bash", "zsh"}))};
    }
    fmt::print("{}", shell == "bash" ? bash_completion() : zsh_completion());
    return kSuccess;
}

int manual(const Arguments& arguments) {
    if (!arguments.words.empty()) {
        throw UsageError{"manual takes no operands: idlesim manual | man -l -"};
    }
    fmt::print("{}", manual_page());
    return kSuccess;
}

}  // namespace

Verb completion_verb() {
    return {"completion",
            "bash|zsh",
            "Completion for a shell: verbs, options, names of kinds and of shipped files. An "
            "installation has it already.",
            {},
            completion};
}

Verb manual_verb() {
    return {"manual", "", "The manual page, for `man -l -`.", {}, manual};
}

}  // namespace idlesim
