// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/catalogue.hpp"
#include "sim/cli/reference.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/stat.hpp"

#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

constexpr const char* kHead = R"(.\" SPDX-License-Identifier: Apache-2.0
.\" Generated; `idlesim manual` prints it.
.TH IDLESIM 1 "" "idlesim" "User commands"
.SH NAME
idlesim \- simulate the idle path of Linux, cycle by cycle
.SH SYNOPSIS
.B idlesim
.I VERB
.RI [ OPERAND... ]
.RI [ OPTION... ]
.SH DESCRIPTION
idlesim runs an experiment that a YAML file describes: a platform, a kernel, a workload, and arms that
differ in something. It reports what the difference does to latency, throughput and power, and says
where every nanosecond of a wake\-up went.
)";

constexpr const char* kTail = R"(.SH EXIT STATUS
.TP
.B 0
fine
.TP
.B 1
it ran to the end and the answer is no: a target was missed, a decision differs, a point failed
.TP
.B 2
the input is wrong
.TP
.B 3
an output or a resource failed; nothing is left half\-written
.TP
.BR 130 ", " 143
interrupted; what is finished is kept
.SH ENVIRONMENT
.TP
.B IDLESIM_DATA
a folder with configs/ and experiments/, searched before the installation and the source tree
.SH EXAMPLES
.nf
idlesim run 01_zen3_ipi_wake
idlesim run 02_zen3_context_switch2 \-\-set workload.cpu2=8 \-\-out result
idlesim validate
idlesim init mine.yaml
idlesim describe intel_idle_irq \-\-platform intel\-icx\-server
idlesim manual | man \-l \-
.fi
)";

/// Text of roff: no line begins with a request, and a hyphen is one.
std::string roff(std::string_view text) {
    std::string result;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) {
            result += "\\&";
        }
        begins_line = c == '\n';
        result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string{c};
    }
    return result;
}

std::string entry(const std::string& name, const std::string& text) {
    return fmt::format(".TP\n.B {}\n{}\n", roff(name), roff(text));
}

std::string verbs_section() {
    std::string text = ".SH VERBS\n";
    for (const Verb& verb : all_verbs()) {
        text += entry(verb.name + (verb.operands.empty() ? "" : " " + verb.operands), verb.help);
        std::string options;
        for (const OptionHelp& option : options_taken_by(verb)) {
            options += fmt::format("{}--{}", options.empty() ? "" : ", ", option.name);
        }
        text += fmt::format(".br\n{}: {}\n", "Options", roff(options));
    }
    return text;
}

std::string options_section() {
    std::map<std::string, OptionHelp> options;
    for (const Verb& verb : all_verbs()) {
        for (const OptionHelp& option : options_taken_by(verb)) {
            options.emplace(option.name, option);
        }
    }
    std::string text = ".SH OPTIONS\n";
    for (const auto& [name, option] : options) {
        text += entry(
            fmt::format(
                "--{}{}", name, option.value == nullptr ? "" : fmt::format(" {}", option.value)),
            option.help);
    }
    return text;
}

std::string catalogue_sections() {
    std::string text;
    std::string thing;
    for (const CatalogueEntry& each : catalogue()) {
        if (each.thing != thing) {
            thing = each.thing;
            std::string title = thing;
            for (char& c : title) {
                c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            }
            text += fmt::format(".SH \"{}\"\n", title);
        }
        text += entry(each.name, each.help);
    }
    return text;
}

}  // namespace

std::string manual_page() {
    return fmt::format("{}{}{}{}.SH STATISTICS\n{}\n{}",
                       kHead,
                       verbs_section(),
                       options_section(),
                       catalogue_sections(),
                       roff(fmt::format("{}", fmt::join(stat_names(), ", "))),
                       kTail);
}

}  // namespace idlesim
