// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/registry/registry.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A parameter table with one of everything, for the tests and the fuzzer of the configuration.

namespace idlesim::demo {

using namespace std::chrono_literals;

class Strategy {
public:
    static constexpr std::string_view kKindKey = "strategy";

    Strategy() = default;
    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;
    virtual ~Strategy() = default;
    [[nodiscard]] virtual Duration poll_for() const = 0;
};

class HaltPoll final : public Strategy {
public:
    struct Params {
        Duration poll_limit = 200us;
        int grow = 2;
    };

    explicit HaltPoll(Params params) : params_{params} {}

    [[nodiscard]] Duration poll_for() const override { return params_.poll_limit * params_.grow; }

private:
    Params params_;
};

class Halt final : public Strategy {
public:
    struct Params {};

    explicit Halt(Params /*params*/) {}

    [[nodiscard]] Duration poll_for() const override { return {}; }
};

inline const Register<Strategy, HaltPoll> kHaltPoll{
    "haltpoll",
    "poll for a while, then halt",
    {config::field("poll_limit", &HaltPoll::Params::poll_limit, "longest poll before halting"),
     config::field("grow", &HaltPoll::Params::grow, "factor by which the window grows after a hit")
         .at_least(1)}};
inline const Register<Strategy, Halt> kHalt{"hlt", "halt at once"};

enum class Part { core_clock, apic_timer, tsc };

struct CState {
    config::Location location;
    std::string name;
    config::HexInt mwait_hint;
    Duration exit_latency{};
    std::optional<Duration> target_residency;
    config::Power power{0.5};
    std::vector<Part> stops;
};

inline const config::Fields<CState>& parameters(const CState* /*type*/) {
    static const config::Fields<CState> kFields{
        config::field("name", &CState::name, "name of the state").required(),
        config::field("mwait_hint", &CState::mwait_hint, "hint of MWAIT"),
        config::field("exit_latency", &CState::exit_latency, "time to wake").positive().required(),
        config::field("target_residency", &CState::target_residency, "stay that pays off")
            .at_most(10ms),
        config::field("power", &CState::power, "while resident"),
        config::field("stops", &CState::stops, "what stands still")};
    return kFields;
}

struct Kernel {
    std::string version = "6.1";
    int hz = 250;
    config::Located<int> cpu{0, {}};
};

inline const config::Fields<Kernel>& parameters(const Kernel* /*type*/) {
    static const config::Fields<Kernel> kFields{
        config::field("version", &Kernel::version, "release of the kernel"),
        config::field("hz", &Kernel::hz, "ticks a second").one_of({100, 250, 300, 1000}),
        config::field("cpu", &Kernel::cpu, "which CPU").non_negative()};
    return kFields;
}

struct Demo {
    std::string title;
    Kernel kernel;
    Choice<Strategy> idle = Registry<Strategy>::choice("haltpoll");
    config::OrderedMap<Choice<Strategy>> arms;
    std::vector<CState> cstates;
    Duration deadline = 1500ns;
    std::vector<Duration> steps{1ns, Duration{2500}};
    Frequency clock{2'100'000'000, 1};
    config::Energy energy{0.002};
    config::Ratio share{0.06};
    config::Points tolerance{4};
    std::uint64_t seed = 1;
    std::int64_t offset = -3;
    double weight = 1.25;
    bool enabled = true;
};

inline const config::Fields<Demo>& parameters(const Demo* /*type*/) {
    static const config::Fields<Demo> kFields{
        config::field("title", &Demo::title, "what it shows").required(),
        config::field("kernel", &Demo::kernel, "the kernel"),
        config::field("idle", &Demo::idle, "how a CPU idles"),
        config::field("arms", &Demo::arms, "what is compared"),
        config::field("cstates", &Demo::cstates, "the states, shallow first"),
        config::field("deadline", &Demo::deadline, "when it must be over"),
        config::field("steps", &Demo::steps, "durations of the steps").at_least(1ns),
        config::field("clock", &Demo::clock, "speed of the core").at_most({5'000'000'000, 1}),
        config::field("energy", &Demo::energy, "of one transition"),
        config::field("share", &Demo::share, "of the time").non_negative().at_most({1}),
        config::field("tolerance", &Demo::tolerance, "of the result"),
        config::field("seed", &Demo::seed, "of the random streams"),
        config::field("offset", &Demo::offset, "of the counter"),
        config::field("weight", &Demo::weight, "of the sample")
            .that("even", [](double v) { return v != 3; }),
        config::field("enabled", &Demo::enabled, "whether it counts")};
    return kFields;
}

}  // namespace idlesim::demo

namespace idlesim::config {

template <>
struct EnumNames<demo::Part> {
    static constexpr std::pair<std::string_view, demo::Part> values[] = {
        {"core_clock", demo::Part::core_clock},
        {"apic_timer", demo::Part::apic_timer},
        {"tsc", demo::Part::tsc}};
};

}  // namespace idlesim::config
