// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/latency_limit.hpp"

#include <charconv>
#include <string_view>

namespace idlesim::config {

namespace {

// A duration with a unit, or nullopt.
std::optional<Duration> as_duration(const Node& node) {
    const auto parsed = parse_duration(node.text());
    const Duration* duration = std::get_if<Duration>(&parsed);
    return duration == nullptr || *duration < Duration::zero() ? std::nullopt
                                                               : std::optional{*duration};
}

// The kernel parses what is written into the device as hexadecimal, with or without 0x.
std::optional<Duration> as_hexadecimal(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
    }
    constexpr int kHexadecimal = 16;
    std::int32_t microseconds = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, microseconds, kHexadecimal);
    if (parsed.ec != std::errc{} || parsed.ptr != end || microseconds < 0) {
        return std::nullopt;
    }
    return std::chrono::microseconds{microseconds};
}

}  // namespace

bool Converter<CpuDmaLatency>::read(const Node& node,
                                    CpuDmaLatency& out,
                                    Diagnostics& diagnostics) {
    if (!expect_scalar(node, type_name(), diagnostics)) {
        return false;
    }
    out.limit.reset();
    if (node.text() == "none") {
        return true;
    }
    out.limit = as_duration(node);
    const bool is_spelled_as_written =
        node.quoted() || node.text().starts_with("0x") || node.text().starts_with("0X");
    if (!out.limit && is_spelled_as_written) {
        out.limit = as_hexadecimal(node.text());
    }
    if (!out.limit) {
        report(node,
               "expected a duration such as 10 us, none, or the text that is written into "
               "/dev/cpu_dma_latency, hexadecimal microseconds in quotes",
               diagnostics);
    }
    return out.limit.has_value();
}

std::string Converter<CpuDmaLatency>::write(const CpuDmaLatency& value) {
    return value.limit ? write_duration(*value.limit) : "none";
}

bool Converter<ResumeLatency>::read(const Node& node,
                                    ResumeLatency& out,
                                    Diagnostics& diagnostics) {
    if (!expect_scalar(node, type_name(), diagnostics)) {
        return false;
    }
    out.limit.reset();
    if (node.text() == "0") {
        return true;
    }
    out.limit = node.text() == "n/a" ? std::optional{Duration::zero()} : as_duration(node);
    if (!out.limit) {
        report(node,
               "expected a duration such as 10 us, \"0\" for no constraint or \"n/a\" for no "
               "latency at all, as in pm_qos_resume_latency_us",
               diagnostics);
    }
    return out.limit.has_value();
}

std::string Converter<ResumeLatency>::write(const ResumeLatency& value) {
    if (!value.limit) {
        return "\"0\"";
    }
    return *value.limit == Duration::zero() ? "n/a" : write_duration(*value.limit);
}

}  // namespace idlesim::config
