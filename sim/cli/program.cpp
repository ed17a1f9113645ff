// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "sim/cli/interruption.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/suggest.hpp"
#include "sim/output/output_error.hpp"

#include <cstdio>
#include <new>
#include <system_error>

#include "build_info.hpp"
#include <fmt/format.h>

namespace idlesim {
namespace {

std::string overview() {
    std::string text =
        "idlesim simulates the idle path of Linux: what a change does to latency and "
        "throughput.\n\n";
    for (const Verb& verb : all_verbs()) {
        text += fmt::format("  idlesim {:<10} {:<24} {}\n",
                            verb.name,
                            verb.operands,
                            verb.help.substr(0, verb.help.find_first_of(".:")));
    }
    text +=
        "\nTry:\n"
        "  idlesim run 01_zen3_ipi_wake       HLT against MWAIT, as published and as simulated\n"
        "  idlesim validate                   every documented number; takes some minutes\n"
        "  idlesim describe mwait_c1          what an idle strategy does, operation by operation\n"
        "  idlesim init mine.yaml             an experiment of your own, with comments; then\n"
        "  idlesim run mine.yaml --out mine   files for the notebooks and your own tools\n"
        "\n`idlesim VERB --help` tells more about a verb, `idlesim list` what there is by name.\n";
    return text;
}

/// The command line as it can be pasted into a shell.
std::string shell_text(const std::vector<std::string>& words) {
    std::string text = "idlesim";
    for (const std::string& word : words) {
        const bool plain =
            !word.empty() && word.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-./=:,+@%") == std::string::npos;
        text += ' ';
        if (plain) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) {
            text += c == '\'' ? std::string{"'\\''"} : std::string{c};
        }
        text += '\'';
    }
    return text;
}

int dispatch(const std::vector<std::string>& words) {
    const bool asks_for_help = words.empty() || words.front() == "--help" ||
                               words.front() == "-h" || words.front() == "help";
    if (asks_for_help && words.size() > 1) {
        return dispatch({words[1], "--help"});
    }
    if (asks_for_help) {
        fmt::print("{}", overview());
        return kSuccess;
    }
    if (words.front() == "--version") {
        fmt::print("idlesim {}{}{}\n",
                   build_info::kVersion,
                   build_info::kCommit.empty() ? "" : " ",
                   build_info::kCommit);
        return kSuccess;
    }
    std::vector<std::string> names{"help", "--help", "--version"};
    for (const Verb& verb : all_verbs()) {
        if (verb.name == words.front()) {
            Arguments arguments = parse_arguments(verb, {words.begin() + 1, words.end()});
            arguments.command = shell_text(words);
            if (arguments.help) {
                fmt::print("{}", verb_help(verb));
                return kSuccess;
            }
            return verb.run(arguments);
        }
        names.push_back(verb.name);
    }
    throw UsageError{fmt::format("unknown verb '{}'{}",
                                 words.front(),
                                 config::suggestion_text(words.front(), "verbs", names))};
}

// A full disk behind standard output is reported only when the buffer is written.
void flush_output() {
    if (std::fflush(stdout) != 0) {
        throw OutputError{"cannot write to standard output"};
    }
}

int complain(int status, const char* what) {
    fmt::print(stderr, "idlesim: {}\n", what);
    return status;
}

}  // namespace

int run_command_line(const std::vector<std::string>& words) {
    try {
        const int status = dispatch(words);
        flush_output();
        return status;
    } catch (const config::ConfigError& error) {
        fmt::print(stderr, "{}", error.what());
        return kWrongInput;
    } catch (const UsageError& error) {
        return complain(kWrongInput, error.what());
    } catch (const OutputError& error) {
        return complain(kFailedOutput, error.what());
    } catch (const Interrupted&) {
        return complain(interrupted_status(), "interrupted; no result was written");
    } catch (const std::bad_alloc&) {
        return complain(kFailedOutput, "not enough memory; fewer --jobs or samples need less");
    } catch (const std::system_error& error) {
        return complain(kFailedOutput, error.what());
    } catch (const std::runtime_error& error) {
        // A run that cannot go on (livelock, end of time): the configuration asks for it.
        return complain(kWrongInput, error.what());
    }
}

}  // namespace idlesim
