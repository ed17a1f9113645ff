// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/converter.hpp"
#include "sim/engine/time.hpp"

#include <optional>
#include <string>

namespace idlesim {

/// What stands in /dev/cpu_dma_latency: nothing, or the exit latency that every CPU tolerates.
/// Accepts a duration, `none`, and what people write into the file: a hexadecimal number of
/// microseconds, quoted or with 0x (kernel/power/qos.c, 6.3).
struct CpuDmaLatency {
    std::optional<Duration> limit;
};

/// What stands in cpuN/power/pm_qos_resume_latency_us. Accepts a duration and the file's own
/// spelling: "0" is no constraint, "n/a" tolerates no latency at all (drivers/base/power/sysfs.c,
/// 6.3).
struct ResumeLatency {
    std::optional<Duration> limit;
};

}  // namespace idlesim

namespace idlesim::config {

template <>
struct Converter<CpuDmaLatency> {
    static bool read(const Node& node, CpuDmaLatency& out, Diagnostics& diagnostics);
    static std::string write(const CpuDmaLatency& value);

    static std::string type_name() { return "duration, none, or hexadecimal microseconds"; }
};

template <>
struct Converter<ResumeLatency> {
    static bool read(const Node& node, ResumeLatency& out, Diagnostics& diagnostics);
    static std::string write(const ResumeLatency& value);

    static std::string type_name() { return "duration, \"0\" (no constraint) or \"n/a\" (none)"; }
};

}  // namespace idlesim::config
