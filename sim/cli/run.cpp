// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/explain.hpp"
#include "sim/cli/find_input.hpp"
#include "sim/cli/interruption.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/ledger.hpp"
#include "sim/experiment/prior.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/experiment/result_tables.hpp"
#include "sim/output/progress_bar.hpp"

#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::vector<LedgerRow> judged(const Experiment& experiment,
                              const std::vector<ArmResult>& results,
                              const Arguments& arguments) {
    std::vector<PriorRange> priors;
    if (arguments.prior) {
        priors = PriorRanges{arguments.load, arguments.jobs, &stop_requested()}.of(experiment);
    }
    return judge_targets(experiment, results, priors);
}

int run_experiment(const Arguments& arguments) {
    if (arguments.words.size() != 1) {
        throw UsageError{"run takes one experiment: idlesim run EXPERIMENT.yaml"};
    }
    if (arguments.trace && arguments.out.empty()) {
        throw UsageError{"--trace writes DIR/<arm>/trace.txt: it needs --out DIR"};
    }
    if (!arguments.explain.empty()) {
        if (!arguments.out.empty()) {
            throw UsageError{"--explain answers a question and measures nothing: leave out --out"};
        }
        static_cast<void>(parse_question(arguments.explain));
    }
    if (arguments.sweep.files.zstd && arguments.out.empty()) {
        throw UsageError{"--zstd is about files: it needs --out DIR"};
    }
    const Experiment experiment =
        load_experiment(find_input(arguments.words.front(), "experiments"), arguments.load);
    if (!arguments.explain.empty()) {
        return print_explanations(experiment, parse_question(arguments.explain));
    }
    std::unique_ptr<ResultDirectory> directory;
    if (!arguments.out.empty()) {
        directory = std::make_unique<ResultDirectory>(arguments.out);
    }
    SimulateOptions options;
    options.jobs = arguments.jobs;
    options.keep_samples = directory != nullptr;
    options.trace = arguments.trace;
    options.stop = &stop_requested();
    std::vector<ArmResult> results;
    {
        ProgressBar progress{
            experiment.settings.name,
            static_cast<std::int64_t>(experiment.arms.size()) * experiment.settings.replications,
            !arguments.quiet};
        options.run_done = [&] { progress.advance(); };
        results = simulate(experiment, options);
    }
    const std::vector<LedgerRow> ledger = judged(experiment, results, arguments);
    if (directory) {
        write_result(*directory,
                     experiment,
                     results,
                     ledger,
                     {arguments.command, arguments.jobs, arguments.sweep.files.zstd});
    }
    if (!arguments.quiet) {
        fmt::print("{}", summary_text(experiment, results));
        if (!ledger.empty()) {
            fmt::print("\n{}", ledger_text(ledger));
        }
    }
    return any_missed(ledger) ? kAnswerIsNo : kSuccess;
}

}  // namespace

Verb run_verb() {
    return {"run",
            "EXPERIMENT.yaml",
            "Simulates one experiment: all arms and replications. Prints a table, a sentence per "
            "pair of arms\nand the experiment's targets; with --out also writes the result files.\n"
            "With --explain it tells instead, for every arm, why the governor chose the state that "
            "the CPU\nslept in at that time of replication 1, and what came of it.",
            {"set",
             "seed",
             "replications",
             "jobs",
             "out",
             "prior",
             "trace",
             "zstd",
             "explain",
             "quiet"},
            run_experiment};
}

}  // namespace idlesim
