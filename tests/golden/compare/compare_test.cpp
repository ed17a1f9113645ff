// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/compare.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/sweep_directory.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden_files.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path{IDLESIM_SOURCE_DIR} / "tests" / "golden" / "compare";

/// Results written by hand.
class Results {
public:
    /// A run whose arm measured these medians, one per replication.
    void run(const std::string& name,
             int seed,
             const std::string& arm,
             const std::vector<double>& medians,
             const std::string& hz = "250") const {
        std::string rows = "arm,replication,metric,stat,value,unit,ci_low,ci_high\n";
        double sum = 0;
        for (std::size_t i = 0; i < medians.size(); ++i) {
            rows += fmt::format("{},{},wake_latency,p50,{},ns,,\n", arm, i + 1, medians[i]);
            sum += medians[i];
        }
        const double all = sum / static_cast<double>(medians.size());
        rows += fmt::format("{0},all,wake_latency,p50,{1},ns,,\n", arm, all);
        folder_.write(name + "/summary.csv", rows);
        info(name, fmt::format("seed: {}\nconfiguration_hash: \"{}\"\n", seed, hz));
        folder_.write(name + "/effective.yaml",
                      fmt::format("title: t\nkernel: {{ hz: {} }}\nseed: {}\n", hz, seed));
    }

    /// A sweep over kernel.hz with these medians of two replications at each point.
    void sweep(const std::string& name,
               std::uint64_t seed,
               const std::vector<std::pair<std::string, double>>& points) const {
        std::string plan = "index,id,kernel.hz\n";
        std::string journal = journal_header({"0.1", "c", "hlt.wake_latency.p50", ""});
        for (const auto& [hz, median] : points) {
            plan += fmt::format("0,id{0},{0}\n", hz);
            if (median > 0) {
                journal += journal_line({"id" + hz,
                                         1,
                                         2,
                                         "",
                                         {{fmt::format("{}", median),
                                           "",
                                           "",
                                           "ns",
                                           fmt::format("{} {}", median - 1, median + 1)}}});
            }
        }
        folder_.write(name + "/plan.csv", plan);
        folder_.write(name + "/journal", journal);
        SweepManifest manifest;
        manifest.name = "hz";
        manifest.points = points.size();
        manifest.seed = seed;
        info(name, manifest_text(manifest));
    }

    void info(const std::string& name, const std::string& more) const {
        folder_.write(
            name + "/info.yml",
            fmt::format("reportid: r\ntoolname: idlesim\ntoolver: \"0.1\"\nformat_version: 1\n"
                        "commit: c\n{}",
                        more));
    }

    [[nodiscard]] StoredResult read(const std::string& name) const {
        StoredResult result = read_stored_result(folder_.path() / name);
        result.path = name;
        return result;
    }

    [[nodiscard]] Comparison compared(const std::string& a, const std::string& b) const {
        return compare(read(a), read(b));
    }

    /// Why the two cannot be compared, with the scratch folder's path taken out.
    [[nodiscard]] std::string refusal(const std::string& a, const std::string& b) const {
        std::string text;
        try {
            static_cast<void>(compared(a, b));
        } catch (const config::ConfigError& error) {
            text = error.what();
        }
        const std::string folder = folder_.path().string() + '/';
        for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
            text.erase(at, folder.size());
        }
        return text;
    }

    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

private:
    ScratchFolder folder_;
};

void check_golden(const std::string& name, const std::string& actual) {
    const fs::path golden = kFolder / (name + ".expected");
    if (std::getenv("IDLESIM_ACCEPT") != nullptr) {
        std::ofstream{golden, std::ios::binary} << actual;
        return;
    }
    INFO(golden.string() << "\n"
                         << test::difference(test::content(golden), actual)
                         << "IDLESIM_ACCEPT=1 makes the new text the expected one.");
    CHECK(test::content(golden) == actual);
}

}  // namespace

TEST_CASE("runs of one seed are compared in pairs of replications", "[compare]") {
    const Results results;
    results.run("a", 1, "hlt", {1000, 2000, 3000});
    results.run("b", 1, "hlt", {1010, 2020, 3031}, "1000");
    const Comparison comparison = results.compared("a", "b");
    REQUIRE(comparison.values.size() == 1);
    REQUIRE(comparison.values.front().pairing == Pairing::paired);
    REQUIRE(comparison.values.front().direction() == 1);
    check_golden("runs_paired", comparison_text(comparison));
    check_golden("runs_paired_csv", comparisons_csv({comparison}));
}

TEST_CASE("runs of different seeds are said not to be paired", "[compare]") {
    const Results results;
    results.run("a", 1, "hlt", {1000, 2000, 3000});
    results.run("b", 2, "hlt", {1010, 2020, 3031});
    const Comparison comparison = results.compared("a", "b");
    REQUIRE(comparison.values.front().pairing == Pairing::unpaired);
    REQUIRE(comparison.values.front().direction() == 0);
    check_golden("runs_unpaired", comparison_text(comparison));
}

TEST_CASE("pairs are those that both have, and single replications have no interval", "[compare]") {
    const Results results;
    results.run("a", 1, "hlt", {1000, 2000, 9000});
    results.run("b", 1, "hlt", {1100, 2200});
    results.run("c", 1, "hlt", {1100});
    const ComparedValue value = results.compared("a", "b").values.front();
    REQUIRE(value.replications == 2);
    REQUIRE(value.baseline == 1500.0);
    REQUIRE(value.delta.delta_percent == 10.0);
    check_golden("runs_unequal", comparison_text(results.compared("a", "b")));
    check_golden("runs_single", comparison_text(results.compared("a", "c")));
}

TEST_CASE("the only arms of two runs are compared whatever they are called", "[compare]") {
    const Results results;
    results.run("a", 1, "hlt", {1000, 2000});
    results.run("b", 1, "mwait", {500, 1000});
    check_golden("runs_single_arms", comparison_text(results.compared("a", "b")));
}

TEST_CASE("sweeps are compared point by point", "[compare]") {
    const Results results;
    results.sweep("a", 1, {{"100", 1000}, {"250", 2000}, {"300", 5}, {"500", 70}});
    results.sweep("b", 1, {{"250", 2200}, {"100", 1000}, {"1000", 5}, {"500", 0}});
    results.sweep("c", 2, {{"250", 2200}, {"100", 1000}});
    const Comparison comparison = results.compared("a", "b");
    REQUIRE(comparison.values.size() == 2);
    // Half of the points gain 10 %.
    REQUIRE(comparison.averages.size() == 1);
    REQUIRE(std::abs(comparison.averages.front().delta.delta_percent - 5) < 1e-9);
    check_golden("sweeps_paired", comparison_text(comparison));
    check_golden("sweeps_unpaired", comparison_text(results.compared("a", "c")));
}

TEST_CASE("what cannot be compared is refused with the reason", "[compare]") {
    const Results results;
    results.run("run", 1, "hlt", {1000, 2000});
    results.sweep("sweep", 1, {{"100", 1000}});
    results.sweep("other_points", 1, {{"250", 1000}});
    results.sweep("empty_sweep", 1, {{"100", 0}});
    results.folder().write("empty/x", "");
    results.info("blank", "");
    results.folder().write("wult/info.yml", "toolname: wult\nformat_version: 1\n");
    results.folder().write("newer/info.yml",
                           "toolname: idlesim\ntoolver: \"9.9\"\nformat_version: 7\n");
    results.run("cut", 1, "hlt", {1000, 2000});
    results.folder().write("cut/summary.csv",
                           "arm,replication,metric,stat,value,unit,ci_low,ci_high\nhlt,1,wake\n");
    results.run("foreign", 1, "hlt", {1000, 2000});
    results.folder().write("foreign/summary.csv", "a,b\n1,2\n");
    results.run("nothing", 1, "hlt", {1000, 2000});
    results.folder().write("nothing/summary.csv",
                           "arm,replication,metric,stat,value,unit,ci_low,ci_high\n");
    std::string all;
    for (const char* name :
         {"nowhere", "empty", "blank", "wult", "newer", "cut", "foreign", "nothing", "sweep"}) {
        all += results.refusal("run", name);
    }
    all += results.refusal("sweep", "other_points");
    all += results.refusal("sweep", "empty_sweep");
    check_golden("refusals", all);
}

}  // namespace idlesim
