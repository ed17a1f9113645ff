// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/experiment.hpp"
#include "sim/experiment/sweep_slurm.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace idlesim {

/// The command line makes no sense; what() says why and what to try. Exit status 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Exit statuses, a contract with scripts.
inline constexpr int kSuccess = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kWrongInput = 2;
inline constexpr int kFailedOutput = 3;

/// What `sweep` and `merge` take beside the common options.
struct SweepArguments {
    bool dry_run = false;
    bool resume = false;
    bool restart = false;
    bool stop_on_failure = false;
    bool point_directories = false;
    TableFiles files;
    std::string shard;   ///< "i/n"
    std::string point;   ///< an id
    std::string submit;  ///< name of the engine
    std::string status;  ///< a directory
    SlurmOptions slurm;
};

/// What `replay` takes beside the common options.
struct ReplayArguments {
    std::vector<std::string> governors;
    std::string platform;
    std::string dump;
    std::optional<int> hz;
    std::string latency_limit;
};

/// What stands behind the verb.
struct Arguments {
    std::vector<std::string> words;
    LoadOptions load;
    int jobs = 1;
    std::string out;  ///< empty: write no files
    bool quiet = false;
    bool help = false;
    bool prior = false;
    bool trace = false;
    bool csv = false;
    std::string explain;  ///< "cpu=N,at=TIME"
    SweepArguments sweep;
    ReplayArguments replay;
    std::string command;  ///< the whole command line, quoted for a shell
};

/// One verb of idlesim. `takes` lists the options that it knows.
struct Verb {
    std::string name;
    std::string operands;
    std::string help;
    std::vector<std::string> takes;
    int (*run)(const Arguments& arguments);
    std::vector<std::string> words{};  ///< what its operands may be, where the table of verbs knows
};

/// What is said about an option, the same for every verb that takes it.
struct OptionHelp {
    const char* name;
    const char* value;  ///< what it takes, or nullptr for a switch
    const char* help;
};

/// The options of a verb, --help among them.
[[nodiscard]] std::vector<OptionHelp> options_taken_by(const Verb& verb);

/// Throws UsageError for options that the verb does not take, with the nearest one that it does.
[[nodiscard]] Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words);

/// Text of `idlesim VERB --help`.
[[nodiscard]] std::string verb_help(const Verb& verb);

/// Runs the program: words are the command line without the program's name. Returns the exit
/// status; everything that can go wrong has been said on standard error.
[[nodiscard]] int run_command_line(const std::vector<std::string>& words);

}  // namespace idlesim
