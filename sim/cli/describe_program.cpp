// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/describe_program.hpp"

#include "models/cpu/program.hpp"
#include "models/hypervisor/hypervisor.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/wake_scene.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/describe_platform.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/text_table.hpp"
#include "sim/registry/registry.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr double kPicosecondsPerNanosecond = 1000;

/// What the strategy is asked for on the platform: a state of the driver's table.
EntryRequest request_on(const PlatformSpec& platform, const std::string& state) {
    EntryRequest request;
    request.smt_active = platform.topology.threads_per_core > 1;
    request.bug_monitor = platform.cpuid.bug_monitor;
    request.clflush_monitor = platform.cpuid.clflush_monitor;
    const auto& table = platform.idle_states.empty() ? platform.acpi_states : platform.idle_states;
    std::vector<std::string> names;
    for (const auto& entry : table) {
        names.push_back(entry.key);
        if (state.empty() || entry.key == state) {
            request.hint = static_cast<std::uint32_t>(entry.value.hint.value);
            request.hardware = entry.value.hardware;
            fmt::print("\n  on {}, asking for {} (hint {:#x}, hardware state {}):\n",
                       platform.name,
                       entry.key,
                       request.hint,
                       request.hardware);
            return request;
        }
    }
    if (!state.empty()) {
        throw UsageError{fmt::format("{} declares no state '{}'{}",
                                     platform.name,
                                     state,
                                     config::suggestion_text(state, "states", names))};
    }
    fmt::print("\n  on {}, which declares no states:\n", platform.name);
    return request;
}

Program emit(const IdleStrategy& strategy,
             const EntryRequest& request,
             const CostTable& costs,
             StepNames& steps,
             Hypervisor* hypervisor = nullptr) {
    ProgramBuilder builder{"idle", costs, steps, hypervisor};
    strategy.emit(builder, request);
    return builder.finish();
}

std::string_view name_of(Basis basis) {
    for (const auto& [name, value] : config::EnumNames<Basis>::values) {
        if (value == basis) {
            return name;
        }
    }
    return {};
}

/// "96.3 ns (assumed), + jitter": warm, at the platform's clock.
std::string price_of(CostId id, const CostTable& costs, const PlatformSpec& platform) {
    const CompiledCost& compiled = costs.cost(id);
    const Cost* written = platform.costs.find(costs.name(id));
    std::string text =
        rounded_text(static_cast<double>(compiled.base.count()) / kPicosecondsPerNanosecond) +
        " ns";
    if (written != nullptr) {
        text += fmt::format(", {}", name_of(written->basis));
        text += written->second_mode ? ", second mode" : "";
    }
    text += compiled.lines > 0 ? fmt::format(", {} lines from the waker", compiled.lines) : "";
    text += compiled.jitter ? ", jitter" : "";
    text += compiled.window ? ", window" : "";
    return text;
}

/// IF before an operation: it begins with 0, and STI counts from the operation behind the next.
class InterruptFlag {
public:
    [[nodiscard]] std::string_view before(OpCode code) {
        const std::string_view result = on_ ? (shadow_ ? "shadow" : "on") : "off";
        shadow_ = code == OpCode::sti && !on_;
        if (code == OpCode::sti || code == OpCode::cli) {
            on_ = code == OpCode::sti;
        }
        return result;
    }

private:
    bool on_ = false;
    bool shadow_ = false;
};

void print_program(const Program& program,
                   const CostTable& costs,
                   const StepNames& steps,
                   const PlatformSpec* platform) {
    TextTable table{{"operation", "interrupts"}};
    if (platform != nullptr) {
        table = TextTable{{"operation", "interrupts", "takes, warm", "way out"}};
    }
    const std::vector<std::string> lines = program.listing(costs, steps);
    InterruptFlag flag;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        std::vector<std::string> row{lines[i], std::string{flag.before(op.code)}};
        if (platform != nullptr) {
            row.push_back(op.cost == kFree ? "-" : price_of(op.cost, costs, *platform));
            row.push_back(op.exit_cost == kFree ? "" : price_of(op.exit_cost, costs, *platform));
        }
        table.add(std::move(row));
    }
    fmt::print("{}", table.text());
}

}  // namespace

void describe_program(const std::string& strategy,
                      const std::string& platform,
                      const std::string& state) {
    const Choice<IdleStrategy> choice = Registry<IdleStrategy>::choice(strategy);
    const auto idle = choice.make();
    StepNames steps;
    if (platform.empty()) {
        if (!state.empty()) {
            throw UsageError{
                "a STATE is one of a platform: idlesim describe intel_idle C6 "
                "--platform intel-icx-server"};
        }
        const PlatformSpec plain = platform_for(*idle);
        const CostTable costs{plain};
        fmt::print("\n  its program; --platform NAME shows what it costs:\n");
        print_program(emit(*idle, {}, costs, steps), costs, steps, nullptr);
        return;
    }
    const PlatformSpec spec = read_platform(platform);
    const CostTable costs{spec};
    const EntryRequest request = request_on(spec.virtual_machine ? guest_view(spec) : spec, state);
    try {
        std::optional<Hypervisor> hypervisor;
        if (spec.virtual_machine) {
            hypervisor.emplace(spec);
        }
        const Program program =
            emit(*idle, request, costs, steps, hypervisor ? &*hypervisor : nullptr);
        print_program(program, costs, steps, &spec);
    } catch (const MissingCost& missing) {
        throw UsageError{fmt::format(
            "{}: this machine cannot be asked for {} in that state", missing.what(), strategy)};
    }
}

}  // namespace idlesim
