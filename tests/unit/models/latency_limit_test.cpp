// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/latency_limit.hpp"

#include "models/kernel/kernel.hpp"
#include "sim/config/load.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"

#include <optional>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// A limit as a file spells it, behind "limit: ".
template <class Limit>
struct Reading {
    explicit Reading(const std::string& text) {
        config::Node root = config::load_text("limit: " + text + "\n", "qos.yaml", diagnostics);
        is_read = config::Converter<Limit>::read(root.children().at(0), limit, diagnostics);
    }

    config::Diagnostics diagnostics;
    Limit limit;
    bool is_read = false;
};

std::optional<Duration> global(const std::string& text) {
    const Reading<CpuDmaLatency> reading{text};
    INFO(reading.diagnostics.render());
    REQUIRE(reading.is_read);
    return reading.limit.limit;
}

std::optional<Duration> of_cpu(const std::string& text) {
    const Reading<ResumeLatency> reading{text};
    INFO(reading.diagnostics.render());
    REQUIRE(reading.is_read);
    return reading.limit.limit;
}

template <class Limit>
std::string complaint(const std::string& text) {
    const Reading<Limit> reading{text};
    CHECK_FALSE(reading.is_read);
    CHECK(reading.diagnostics.errors() == 1);
    return reading.diagnostics.render();
}

/// What the governors of a few CPUs are told, in ns.
Nanoseconds limit_of(int cpu, const std::string& kernel) {
    test::CpuidleScene scene{test::cpuidle_scenario(
        test::cpuidle_platform(), "{ kind: quiet, cpus: [0, 1, 2] }", kernel)};
    return scene.kernel().cpuidle_device(cpu)->latency_limit();
}

constexpr Nanoseconds kNone = 2'000'000'000'000;  // 2000 s, the kernel's "no constraint"

}  // namespace

TEST_CASE("a latency limit is a duration", "[qos]") {
    CHECK(global("10 us") == 10us);
    CHECK(global("0 us") == 0us);
    CHECK(of_cpu("10 us") == 10us);
    CHECK(of_cpu("1500 ns") == 1500ns);
}

TEST_CASE("text for /dev/cpu_dma_latency is hexadecimal", "[qos]") {
    CHECK(global("\"64\"") == 100us);
    CHECK(global("\"0x64\"") == 100us);
    CHECK(global("0x64") == 100us);
    CHECK(global("\"0XFf\"") == 255us);
    CHECK(global("\"ff\"") == 255us);
    CHECK(global("\"0\"") == 0us);
    CHECK(global("\"10\"") == 16us);
}

TEST_CASE("no limit is none for the device, and \"0\" for a CPU", "[qos]") {
    CHECK(global("none") == std::nullopt);
    CHECK(of_cpu("\"0\"") == std::nullopt);
    CHECK(of_cpu("0") == std::nullopt);
}

TEST_CASE("n/a tolerates no latency at all", "[qos]") {
    CHECK(of_cpu("n/a") == 0us);
    CHECK(of_cpu("\"n/a\"") == 0us);
    CHECK(of_cpu("0 us") == 0us);
}

TEST_CASE("a wrong limit is reported where it stands, with what would be right", "[qos]") {
    for (const char* text : {"64", "fast", "\"6g\"", "\"\"", "0x", "-10 us", "\"-1\"", "\"64 \""}) {
        const std::string message = complaint<CpuDmaLatency>(text);
        INFO(text << "\n" << message);
        CHECK(message.find("qos.yaml:1:8") != std::string::npos);
        CHECK(message.find("hexadecimal microseconds in quotes") != std::string::npos);
    }
    for (const char* text : {"10", "none", "-1 us", "\"0x10\"", "na"}) {
        const std::string message = complaint<ResumeLatency>(text);
        INFO(text << "\n" << message);
        CHECK(message.find("qos.yaml:1:8") != std::string::npos);
        CHECK(message.find("\"n/a\" for no latency at all") != std::string::npos);
    }
    CHECK_FALSE(complaint<CpuDmaLatency>("[10 us]").empty());
    CHECK_FALSE(complaint<ResumeLatency>("{a: 1}").empty());
}

TEST_CASE("more than 32 bits of microseconds are refused", "[qos]") {
    CHECK_FALSE(complaint<CpuDmaLatency>("\"100000000\"").empty());
}

// cpu_latency_qos_write() parses a signed number of 32 bits (kstrtos32_from_user, base 16).
TEST_CASE("the sign bit is no part of what the device takes", "[qos]") {
    CHECK_FALSE(complaint<CpuDmaLatency>("\"ffffffff\"").empty());
}

TEST_CASE("a limit is written as it can be read back", "[qos]") {
    using Global = config::Converter<CpuDmaLatency>;
    using OfCpu = config::Converter<ResumeLatency>;
    for (const std::optional<Duration> limit :
         {std::optional<Duration>{}, std::optional<Duration>{0us}, std::optional<Duration>{7us}}) {
        CHECK(global(Global::write({limit})) == limit);
        CHECK(of_cpu(OfCpu::write({limit})) == limit);
    }
    CHECK(Global::write({std::nullopt}) == "none");
    CHECK(OfCpu::write({std::nullopt}) == "\"0\"");
    CHECK(OfCpu::write({0us}) == "n/a");
}

TEST_CASE("a governor is told the stricter of the global and its CPU's limit", "[qos]") {
    const std::string kernel =
        "version: \"6.8\", cpu_dma_latency: 20 us, resume_latency: { 0: 5 us, 1: 100 us }";
    CHECK(limit_of(0, kernel) == 5'000);
    CHECK(limit_of(1, kernel) == 20'000);
    CHECK(limit_of(2, kernel) == 20'000);
}

TEST_CASE("without any limit a governor is told 2000 s", "[qos]") {
    CHECK(limit_of(0, "version: \"6.8\"") == kNone);
    CHECK(limit_of(0, "version: \"6.8\", resume_latency: { 0: \"0\" }") == kNone);
}

TEST_CASE("the limit of `all` holds for the CPUs that are not named", "[qos]") {
    const std::string kernel = "version: \"6.8\", resume_latency: { all: 7 us, 1: \"0\", 2: n/a }";
    CHECK(limit_of(0, kernel) == 7'000);
    CHECK(limit_of(1, kernel) == kNone);
    CHECK(limit_of(2, kernel) == 0);
}

TEST_CASE("no latency at all leaves POLL alone to menu", "[qos]") {
    for (const char* limit : {"resume_latency: { all: n/a }", "cpu_dma_latency: \"0\""}) {
        test::CpuidleScene scene{test::cpuidle_scenario(test::cpuidle_platform(),
                                                        "{ kind: periodic, activations: 20 }",
                                                        std::string{"version: \"6.8\", "} + limit)};
        scene.run();
        CHECK(scene.usage(0, "POLL").usage >= 20);
        for (const char* state : {"C1", "C1E", "C6"}) {
            CHECK(scene.usage(0, state).usage == 0);
        }
    }
}

TEST_CASE("a limit between two latencies excludes the deeper state", "[qos]") {
    test::CpuidleScene scene{
        test::cpuidle_scenario(test::cpuidle_platform(),
                               "{ kind: periodic, period: 5 ms, activations: 20 }",
                               "version: \"6.8\", cpu_dma_latency: 50 us")};
    scene.run();
    CHECK(scene.usage(0, "C1E").usage > 10);
    CHECK(scene.usage(0, "C6").usage == 0);
}

}  // namespace idlesim
