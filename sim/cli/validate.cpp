// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/find_input.hpp"
#include "sim/cli/interruption.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/fit_counts.hpp"
#include "sim/experiment/ledger.hpp"
#include "sim/experiment/prior.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/progress_bar.hpp"

#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& file : yaml_files(folder)) {
        files.emplace_back(displayed(file));
    }
    if (files.empty()) {
        throw UsageError{fmt::format("{} holds no experiment (*.yaml)", folder.string())};
    }
    return files;
}

std::vector<fs::path> inputs(const std::vector<std::string>& words) {
    if (words.empty()) {
        const auto shipped = data_folder("experiments");
        if (!shipped) {
            throw UsageError{
                "the shipped experiments are not found; set IDLESIM_DATA to the "
                "folder that holds experiments/ and configs/"};
        }
        return files_in(*shipped);
    }
    std::vector<fs::path> files;
    for (const std::string& word : words) {
        if (fs::is_directory(word)) {
            const std::vector<fs::path> found = files_in(word);
            files.insert(files.end(), found.begin(), found.end());
        } else {
            files.push_back(find_input(word, "experiments"));
        }
    }
    return files;
}

// All of them before the first is simulated, so that a mistake in the last is known at once.
std::vector<Experiment> load_all(const std::vector<fs::path>& files, const LoadOptions& options) {
    config::Diagnostics diagnostics;
    std::vector<Experiment> experiments;
    for (const fs::path& file : files) {
        experiments.push_back(load_experiment(file, options, diagnostics));
    }
    diagnostics.throw_if_errors();
    return experiments;
}

void add_rows(std::vector<LedgerRow>& ledger,
              const Experiment& experiment,
              PriorRanges& priors,
              SimulateOptions options,
              bool show_progress) {
    ProgressBar progress{
        experiment.settings.name,
        static_cast<std::int64_t>(experiment.arms.size()) * experiment.settings.replications,
        show_progress};
    options.run_done = [&] { progress.advance(); };
    const std::vector<ArmResult> results = simulate(experiment, options);
    const std::vector<LedgerRow> rows = judge_targets(experiment, results, priors.of(experiment));
    ledger.insert(ledger.end(), rows.begin(), rows.end());
}

void write_ledger(ResultDirectory& directory,
                  const std::vector<LedgerRow>& ledger,
                  const std::string& command) {
    ledger_csv(ledger).write(directory.staging() / "ledger.csv");
    write_file(directory.staging() / "info.yml", info_text("ledger", command, ""));
    directory.commit();
}

int validate(const Arguments& arguments) {
    const std::vector<Experiment> experiments = load_all(inputs(arguments.words), arguments.load);
    std::unique_ptr<ResultDirectory> directory;
    if (!arguments.out.empty()) {
        directory = std::make_unique<ResultDirectory>(arguments.out);
    }
    PriorRanges priors{arguments.load, arguments.jobs, &stop_requested()};
    SimulateOptions options;
    options.jobs = arguments.jobs;
    options.keep_samples = false;
    options.stop = &stop_requested();
    std::vector<LedgerRow> ledger;
    const FitCounts counts{experiments};
    try {
        for (const Experiment& experiment : experiments) {
            add_rows(ledger, experiment, priors, options, !arguments.quiet);
        }
    } catch (const Interrupted&) {
        fmt::print("{}interrupted: the rows of the experiments that were finished\n",
                   ledger_text(ledger));
        throw;
    }
    if (directory) {
        write_ledger(*directory, ledger, arguments.command);
    }
    if (!arguments.quiet) {
        fmt::print("{}{}", ledger_text(ledger), counts.text());
    }
    return any_missed(ledger) || counts.too_many_parameters() ? kAnswerIsNo : kSuccess;
}

}  // namespace

Verb validate_verb() {
    return {"validate",
            "[EXPERIMENT|DIR ...]",
            "The ledger: every documented target beside what is simulated, with interval and "
            "verdict.\nWithout operands: the shipped experiments. Exit status 1 when a target is "
            "missed.",
            {"set", "seed", "replications", "jobs", "out", "quiet"},
            validate};
}

}  // namespace idlesim
