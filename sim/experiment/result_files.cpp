// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/result_files.hpp"

#include "sim/config/effective.hpp"
#include "sim/engine/hash.hpp"
#include "sim/experiment/effective_tree.hpp"
#include "sim/experiment/parallel.hpp"
#include "sim/experiment/result_tables.hpp"
#include "sim/experiment/tool_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/sample_csv.hpp"

#include <array>
#include <ctime>

#include "build_info.hpp"
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

namespace idlesim {
namespace {

constexpr std::size_t kLongestHostName = 256;

std::string host_name() {
    std::array<char, kLongestHostName> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string quoted(const std::string& text) {
    return config::write_scalar(text, true);
}

std::string result_info(const Experiment& experiment, const std::vector<ArmResult>& results) {
    const std::string values = config::write_flow(effective_tree(experiment));
    std::string more = fmt::format("title: {}\nseed: {}\nreplications: {}\n",
                                   quoted(experiment.settings.title),
                                   experiment.settings.seed,
                                   experiment.settings.replications);
    more += fmt::format("configuration_hash: \"{:016x}\"\n", hash_text(values));
    more += "samples_every_nth:\n";
    for (std::size_t i = 0; i < results.size(); ++i) {
        more += fmt::format(
            "  {}: {}\n", experiment.arms[i].name, results[i].runs.front().samples.row_stride());
    }
    return more;
}

void write_arm(const std::filesystem::path& folder, const ArmResult& arm, bool zstd) {
    cpuidle_csv(arm).write(folder / "cpuidle.csv");
    wakes_csv(arm).write(folder / "wakes.csv");
    if (arm.runs.front().load_curve) {
        load_curve_csv(arm).write(folder / "load_curve.csv");
    }
    if (arm.runs.front().samples.metric().empty()) {
        return;
    }
    breakdown_csv(arm).write(folder / "breakdown.csv");
    std::vector<const SampleTable*> tables;
    for (const RunResult& run : arm.runs) {
        tables.push_back(&run.samples);
    }
    SampleCsv samples{folder / (zstd ? "samples.csv.zst" : "samples.csv"), tables};
    for (std::size_t r = 0; r < arm.runs.size(); ++r) {
        samples.add(static_cast<int>(r + 1), arm.runs[r].samples);
    }
    samples.commit();
}

}  // namespace

std::string info_text(const std::string& report,
                      const std::string& command,
                      const std::string& more) {
    const std::time_t now = std::time(nullptr);
    return fmt::format(
        "reportid: {}\ntoolname: idlesim\ntoolver: \"{}\"\nformat_version: {}\n"
        "date: \"{:%Y-%m-%dT%H:%M:%SZ}\"\nhost: {}\ncommit: {}\ncommand: {}\n{}",
        quoted(report),
        build_info::kVersion,
        kResultFormatVersion,
        fmt::gmtime(now),
        quoted(host_name()),
        quoted(std::string{build_info::kCommit}),
        quoted(command),
        more);
}

void write_result(ResultDirectory& directory,
                  const Experiment& experiment,
                  const std::vector<ArmResult>& results,
                  const std::vector<LedgerRow>& ledger,
                  const WriteOptions& options) {
    const std::filesystem::path& folder = directory.staging();
    write_file(folder / "effective.yaml", experiment.effective_text());
    summary_csv(experiment, results).write(folder / "summary.csv");
    comparison_csv(experiment, results).write(folder / "comparison.csv");
    ledger_csv(ledger).write(folder / "targets.csv");
    findings_csv(experiment, results).write(folder / "findings.csv");
    parallel_for(results.size(), options.jobs, [&](std::size_t i) {
        const std::filesystem::path arm = directory.make_folder(experiment.arms[i].name);
        write_arm(arm, results[i], options.zstd);
        write_tool_files(arm, experiment, experiment.arms[i], results[i]);
    });
    write_file(
        folder / "info.yml",
        info_text(fmt::format("{}-seed{}", experiment.settings.name, experiment.settings.seed),
                  options.command,
                  result_info(experiment, results)));
    directory.commit();
}

}  // namespace idlesim
