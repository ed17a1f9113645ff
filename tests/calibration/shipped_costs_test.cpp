// SPDX-License-Identifier: Apache-2.0
// Fitted costs come from a command, not from hands: what a shipped platform says is what its
// calibration finds.
#include "sim/experiment/calibration.hpp"
#include "sim/experiment/target.hpp"
#include "tests/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace idlesim {
namespace {

const std::filesystem::path kRoot = IDLESIM_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("every shipped calibration finds the costs that its platform ships", "[calibration]") {
    for (const auto& entry :
         std::filesystem::directory_iterator{kRoot / "experiments/calibrations"}) {
        INFO(entry.path().string());
        const Calibration calibration = load_calibration(entry.path(), {});
        const auto jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        const CalibrationFit fit = fit_calibration(calibration, jobs, nullptr);
        CHECK(fit.converged);
        CHECK(fitted_platform(calibration, fit.values) == text_of(calibration.platform_path));
    }
}

TEST_CASE("a calibration sees targets with use: fit and nothing else", "[calibration]") {
    for (const auto& entry :
         std::filesystem::directory_iterator{kRoot / "experiments/calibrations"}) {
        const Calibration calibration = load_calibration(entry.path(), {});
        CHECK(calibration.settings.parameters.size() <= calibration.fit_targets().size());
        for (const TargetRef& target : calibration.fit_targets()) {
            CHECK(target.target->use == Use::fit);
        }
    }
}

}  // namespace idlesim
