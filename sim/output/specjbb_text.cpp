// SPDX-License-Identifier: Apache-2.0
#include "sim/output/specjbb_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace idlesim {

namespace {

// Seconds that a step of the curve lasts in the tool.
constexpr int kStepSeconds = 60;

// 130938 of 8825 requests, in the sample of a log that a parser of it gives (stats-collect).
constexpr double kTransactionsPerRequest = 130938.0 / 8825.0;

long long whole(double rate) {
    return std::llround(rate);
}

}  // namespace

std::string specjbb_log(const LoadCurve& curve) {
    std::string text;
    for (const LoadStep& step : curve.steps) {
        const long long injected = whole(step.rate);
        text += fmt::format(
            "{:6}s: ({:2}%)   IR = {:6} ....|......... (rIR:aIR:PR = {}:{}:{}) "
            "(tPR = {}) [{}] \n",
            step.percent * kStepSeconds,
            step.percent,
            injected,
            injected,
            injected,
            whole(step.served),
            whole(step.served * kTransactionsPerRequest),
            step.is_sustained ? "OK" : "FAILED");
    }
    const long long bound = whole(curve.high_bound);
    text += fmt::format(
        "RUN RESULT: hbIR (max attempted) = {}, hbIR (settled) = {}, max-jOPS = {}, "
        "critical-jOPS = {}\n",
        bound,
        bound,
        whole(curve.max_rate),
        whole(curve.critical_rate));
    return text;
}

std::string specjbb_raw(const LoadCurve& curve) {
    std::string text = fmt::format(
        "jbb2015.result.metric.max-jOPS = {}\njbb2015.result.metric.critical-jOPS = {}\n",
        whole(curve.max_rate),
        whole(curve.critical_rate));
    for (const Agreement& agreement : curve.agreements) {
        text += fmt::format(
            "jbb2015.result.SLA-{}-jOPS = {}\n",
            std::chrono::duration_cast<std::chrono::microseconds>(agreement.limit).count(),
            whole(agreement.rate));
    }
    return text;
}

}  // namespace idlesim
