// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/stat.hpp"

namespace idlesim {

const std::vector<Stat>& all_stats() {
    using Kind = Stat::Kind;
    static const std::vector<Stat> kStats{{"count", Kind::count},
                                          {"min", Kind::minimum, 0, true},
                                          {"p25", Kind::quantile, 0.25},
                                          {"p50", Kind::quantile, 0.5},
                                          {"p75", Kind::quantile, 0.75},
                                          {"p90", Kind::quantile, 0.9},
                                          {"p95", Kind::quantile, 0.95},
                                          {"p99", Kind::quantile, 0.99},
                                          {"p99.5", Kind::quantile, 0.995},
                                          {"p99.9", Kind::quantile, 0.999},
                                          {"p99.95", Kind::quantile, 0.9995},
                                          {"p99.99", Kind::quantile, 0.9999, true},
                                          {"max", Kind::maximum, 0, true},
                                          {"mean", Kind::mean},
                                          {"std", Kind::deviation}};
    return kStats;
}

const Stat* find_stat(std::string_view name) {
    for (const Stat& stat : all_stats()) {
        if (stat.name == name) {
            return &stat;
        }
    }
    return nullptr;
}

std::vector<std::string> stat_names() {
    std::vector<std::string> names;
    for (const Stat& stat : all_stats()) {
        names.emplace_back(stat.name);
    }
    return names;
}

const std::vector<std::string>& metric_names() {
    static const std::vector<std::string> kNames{"wake_latency",
                                                 "interrupt_latency",
                                                 "cyclictest_latency",
                                                 "context_switch_rate",
                                                 "throughput",
                                                 "packet_cycles",
                                                 "packet_rate",
                                                 "max_jops",
                                                 "high_bound",
                                                 "critical_jops",
                                                 "request_latency",
                                                 "residency_share",
                                                 "energy",
                                                 "power",
                                                 "busy_clock",
                                                 "too_deep_percent",
                                                 "too_shallow_percent",
                                                 "c1_residency",
                                                 "wake_rate",
                                                 "late_timers",
                                                 "timer_lateness",
                                                 "handlers_without_ibrs",
                                                 "collection_pause",
                                                 "timer_wakes",
                                                 "too_deep_time_percent",
                                                 "too_shallow_time_percent",
                                                 "usecs_per_op",
                                                 "requests_in_system",
                                                 "slack",
                                                 "vm_exits",
                                                 "halt_exits",
                                                 "halt_attempted_poll",
                                                 "halt_successful_poll",
                                                 "halt_wakeup"};
    return kNames;
}

}  // namespace idlesim
