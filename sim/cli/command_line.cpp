// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/command_line.hpp"

#include "sim/config/suggest.hpp"
#include "sim/experiment/parallel.hpp"

#include <algorithm>
#include <limits>

#include <boost/program_options.hpp>
#include <fmt/format.h>

namespace idlesim {
namespace {

namespace po = boost::program_options;

constexpr OptionHelp kOptions[] = {
    {"set", "PATH=VALUE", "change a value of the configuration (repeatable)"},
    {"seed", "N", "seed of all random streams"},
    {"replications", "N", "runs of each arm"},
    {"jobs", "N", "threads; default: all cores"},
    {"out", "DIR", "write the result files there"},
    {"prior", nullptr, "also the range of each target over the platform's assumed costs"},
    {"trace", nullptr, "record a trace of replication 1 (needs --out)"},
    {"explain", "cpu=N,at=TIME", "tell why that CPU slept as it did at that time"},
    {"dry-run", nullptr, "only list the points, with an estimate of the time"},
    {"resume", nullptr, "go on with what is in --out DIR, if there is something"},
    {"restart", nullptr, "begin anew, whatever is in --out DIR"},
    {"shard", "I/N", "run only share I of N, to be put together by `idlesim merge`"},
    {"point",
     "ID",
     "run only this point and print its values; with --out DIR write it as `run` does"},
    {"point-directories", nullptr, "also DIR/points/ID, what `run --out` writes, of every point"},
    {"stop-on-failure", nullptr, "begin no further point after one has failed"},
    {"tidy", nullptr, "also write points_tidy.csv, one row per value"},
    {"zstd", nullptr, "compress the large tables: points.csv.zst, samples.csv.zst"},
    {"csv", nullptr, "print a table for programs instead of one for people"},
    {"governor", "NAME", "a governor to decide anew (repeatable); default: all that can"},
    {"platform", "NAME", "the platform whose idle states and costs are meant"},
    {"dump", "FILE", "take the table of idle states from this sysfs dump"},
    {"hz", "N", "ticks a second; default: 250"},
    {"latency-limit", "TIME", "latest answer that the governors may risk, like \"50 us\""},
    {"submit", "slurm", "hand the sweep to a cluster (with --dry-run: print the scripts)"},
    {"status", "DIR", "how far a sweep is"},
    {"account", "NAME", "of Slurm"},
    {"partition", "NAME", "of Slurm"},
    {"time", "LIMIT", "of a task of Slurm"},
    {"memory", "SIZE", "of a task of Slurm"},
    {"tasks-per-node", "N", "CPUs that a task of Slurm has; default: 1"},
    {"minutes", "N", "that a task of Slurm shall take; default: 10"},
    {"shards", "N", "tasks of Slurm, instead of --minutes"},
    {"quiet", nullptr, "print nothing but errors"},
    {"help", nullptr, "this text"},
};

bool takes(const Verb& verb, const std::string& option) {
    return option == "help" ||
           std::find(verb.takes.begin(), verb.takes.end(), option) != verb.takes.end();
}

po::options_description options_of(const Verb& verb) {
    po::options_description description;
    for (const OptionHelp& option : kOptions) {
        if (!takes(verb, option.name)) {
            continue;
        }
        if (option.value == nullptr) {
            description.add_options()(option.name, option.help);
        } else {
            description.add_options()(
                option.name, po::value<std::vector<std::string>>()->composing(), option.help);
        }
    }
    description.add_options()("words", po::value<std::vector<std::string>>());
    return description;
}

std::vector<std::string> option_names(const Verb& verb) {
    std::vector<std::string> names;
    for (const OptionHelp& option : kOptions) {
        if (takes(verb, option.name)) {
            names.push_back(fmt::format("--{}", option.name));
        }
    }
    return names;
}

std::string last_of(const po::variables_map& map, const char* option) {
    return map.count(option) == 0 ? "" : map[option].as<std::vector<std::string>>().back();
}

template <class Number>
std::optional<Number> number_of(const po::variables_map& map, const char* option, Number least) {
    const std::string text = last_of(map, option);
    if (text.empty()) {
        return std::nullopt;
    }
    const config::Parsed<std::uint64_t> parsed = config::parse_unsigned(text);
    const auto* value = std::get_if<std::uint64_t>(&parsed);
    if (value == nullptr || *value < static_cast<std::uint64_t>(least) ||
        *value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) {
        throw UsageError{fmt::format(
            "--{}: expected a whole number of at least {}, not '{}'", option, least, text)};
    }
    return static_cast<Number>(*value);
}

Arguments arguments_of(const po::variables_map& map) {
    Arguments arguments;
    if (map.count("words") != 0) {
        arguments.words = map["words"].as<std::vector<std::string>>();
    }
    if (map.count("set") != 0) {
        arguments.load.sets = map["set"].as<std::vector<std::string>>();
    }
    arguments.load.seed = number_of<std::uint64_t>(map, "seed", 0);
    arguments.load.replications = number_of<int>(map, "replications", 1);
    arguments.jobs = number_of<int>(map, "jobs", 1).value_or(available_jobs());
    arguments.out = last_of(map, "out");
    if (map.count("out") != 0 && arguments.out.empty()) {
        throw UsageError{"--out: expected a directory"};
    }
    arguments.quiet = map.count("quiet") != 0;
    arguments.help = map.count("help") != 0;
    arguments.prior = map.count("prior") != 0;
    arguments.trace = map.count("trace") != 0;
    arguments.csv = map.count("csv") != 0;
    arguments.explain = last_of(map, "explain");
    if (map.count("explain") != 0 && arguments.explain.empty()) {
        throw UsageError{"--explain: expected cpu=N,at=TIME"};
    }
    if (map.count("governor") != 0) {
        arguments.replay.governors = map["governor"].as<std::vector<std::string>>();
    }
    arguments.replay.platform = last_of(map, "platform");
    arguments.replay.dump = last_of(map, "dump");
    arguments.replay.hz = number_of<int>(map, "hz", 1);
    arguments.replay.latency_limit = last_of(map, "latency-limit");
    arguments.sweep.dry_run = map.count("dry-run") != 0;
    arguments.sweep.resume = map.count("resume") != 0;
    arguments.sweep.restart = map.count("restart") != 0;
    arguments.sweep.stop_on_failure = map.count("stop-on-failure") != 0;
    arguments.sweep.point_directories = map.count("point-directories") != 0;
    arguments.sweep.files = {map.count("tidy") != 0, map.count("zstd") != 0};
    arguments.sweep.shard = last_of(map, "shard");
    arguments.sweep.point = last_of(map, "point");
    arguments.sweep.submit = last_of(map, "submit");
    arguments.sweep.status = last_of(map, "status");
    SlurmOptions& slurm = arguments.sweep.slurm;
    slurm.account = last_of(map, "account");
    slurm.partition = last_of(map, "partition");
    slurm.time = last_of(map, "time");
    slurm.memory = last_of(map, "memory");
    slurm.tasks_per_node = number_of<int>(map, "tasks-per-node", 1).value_or(slurm.tasks_per_node);
    slurm.minutes = number_of<int>(map, "minutes", 1).value_or(slurm.minutes);
    slurm.shards = number_of<std::size_t>(map, "shards", 1);
    return arguments;
}

}  // namespace

Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words) {
    const po::options_description options = options_of(verb);
    po::positional_options_description positional;
    positional.add("words", -1);
    po::variables_map map;
    using namespace po::command_line_style;  // NOLINT(google-build-using-namespace): flags only
    const int style = (unix_style & ~allow_guessing & ~allow_short);
    try {
        po::store(po::command_line_parser(words)
                      .options(options)
                      .positional(positional)
                      .style(style)
                      .run(),
                  map);
    } catch (const po::unknown_option& unknown) {
        const std::string name = unknown.get_option_name();
        throw UsageError{fmt::format("{} does not take the option '{}'{}",
                                     verb.name,
                                     name,
                                     config::suggestion_text(name, "options", option_names(verb)))};
    } catch (const po::error& error) {
        throw UsageError{error.what()};
    }
    return arguments_of(map);
}

std::vector<OptionHelp> options_taken_by(const Verb& verb) {
    std::vector<OptionHelp> result;
    for (const OptionHelp& option : kOptions) {
        if (takes(verb, option.name)) {
            result.push_back(option);
        }
    }
    return result;
}

std::string verb_help(const Verb& verb) {
    std::string text = fmt::format("idlesim {}{}{}\n\n{}\n\noptions:\n",
                                   verb.name,
                                   verb.operands.empty() ? "" : " ",
                                   verb.operands,
                                   verb.help);
    for (const OptionHelp& option : kOptions) {
        if (takes(verb, option.name)) {
            const std::string spelling =
                fmt::format("--{} {}", option.name, option.value == nullptr ? "" : option.value);
            text += fmt::format("  {:<20} {}\n", spelling, option.help);
        }
    }
    return text;
}

}  // namespace idlesim
