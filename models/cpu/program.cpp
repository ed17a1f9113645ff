// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/program.hpp"

#include "models/hypervisor/hypervisor.hpp"
#include "sim/engine/check.hpp"

#include <fmt/format.h>

namespace idlesim {

namespace {

constexpr int kUnbound = -1;

std::string_view mnemonic(OpCode code) {
    switch (code) {
        case OpCode::work:
            return "work";
        case OpCode::cli:
            return "cli";
        case OpCode::sti:
            return "sti";
        case OpCode::set_polling:
            return "set_polling";
        case OpCode::clear_polling:
            return "clear_polling";
        case OpCode::test_need_resched:
            return "test_need_resched";
        case OpCode::monitor:
            return "monitor";
        case OpCode::mwait:
            return "mwait";
        case OpCode::hlt:
            return "hlt";
        case OpCode::io_read:
            return "io_read";
        case OpCode::pause_loop:
            return "pause_loop";
        case OpCode::wait_for_release:
            return "wait_for_release";
        case OpCode::compute:
            return "compute";
        case OpCode::wrmsr_spec_ctrl:
            return "wrmsr(spec_ctrl)";
        case OpCode::update_spec_ctrl:
            return "update(spec_ctrl)";
        case OpCode::jump:
            return "jump";
        case OpCode::effect:
            return "effect";
        case OpCode::probe:
            return "probe";
        case OpCode::iret:
            return "iret";
        case OpCode::vm_exit:
            return "vm_exit";
        case OpCode::vm_entry:
            return "vm_entry";
        case OpCode::halt_poll:
            return "halt_poll";
    }
    return "?";
}

bool branches(const Op& op) {
    return op.code == OpCode::jump || op.code == OpCode::test_need_resched ||
           (op.code == OpCode::effect && op.offset != 1);
}

// Until finish() the offset of a branch holds the number of its label.
std::int16_t label_number(Label label) {
    return static_cast<std::int16_t>(label.index);
}

std::string operands(const Op& op) {
    if (op.code == OpCode::mwait) {
        return fmt::format("(hint {:#x}, ecx {})", op.argument, op.break_on_irq ? 1 : 0);
    }
    if (op.code == OpCode::wrmsr_spec_ctrl || op.code == OpCode::update_spec_ctrl) {
        return fmt::format(" := {:#x}", op.argument);
    }
    return {};
}

}  // namespace

std::vector<std::string> Program::listing(const CostTable& costs, const StepNames& steps) const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Op& op = ops[i];
        std::string line = fmt::format("{:3}  {}{}", i, mnemonic(op.code), operands(op));
        if (op.cost != kFree) {
            line += fmt::format("  [{}]", costs.name(op.cost));
        }
        if (op.exit_cost != kFree) {
            line += fmt::format("  exit [{}]", costs.name(op.exit_cost));
        }
        if (op.code == OpCode::effect && op.cost == kFree) {
            line += fmt::format("  ({})", steps.names()[op.step]);
        }
        if (branches(op)) {
            line += fmt::format("  -> {}", static_cast<int>(i) + op.offset);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

ProgramBuilder::ProgramBuilder(std::string name,
                               const CostTable& costs,
                               StepNames& steps,
                               Hypervisor* hypervisor)
    : costs_{costs}, steps_{steps}, hypervisor_{hypervisor} {
    program_.name = std::move(name);
}

Op& ProgramBuilder::add(OpCode code, std::string_view cost) {
    Op op;
    op.code = code;
    op.cost = costs_.id(cost);
    if (!step_override_.empty()) {
        op.step = steps_.id(step_override_);
    } else {
        op.step = cost.empty() ? steps_.id("other") : steps_.id(step_prefix_ + std::string{cost});
    }
    program_.ops.push_back(op);
    return program_.ops.back();
}

ProgramBuilder& ProgramBuilder::work(std::string_view cost, ProbePoint then) {
    add(OpCode::work, cost).point = then;
    return *this;
}

ProgramBuilder& ProgramBuilder::cli() {
    add(OpCode::cli, "cli");
    return *this;
}

ProgramBuilder& ProgramBuilder::sti() {
    add(OpCode::sti, "sti");
    return *this;
}

ProgramBuilder& ProgramBuilder::mask_interrupts() {
    add(OpCode::cli, {});
    return *this;
}

ProgramBuilder& ProgramBuilder::unmask_interrupts() {
    add(OpCode::sti, {});
    return *this;
}

ProgramBuilder& ProgramBuilder::set_polling() {
    add(OpCode::set_polling, "set_polling");
    return *this;
}

ProgramBuilder& ProgramBuilder::clear_polling() {
    add(OpCode::clear_polling, "clear_polling");
    return *this;
}

ProgramBuilder& ProgramBuilder::test_need_resched(Label when_set) {
    add(OpCode::test_need_resched, "test_need_resched").offset = label_number(when_set);
    return *this;
}

ProgramBuilder& ProgramBuilder::monitor() {
    add(OpCode::monitor, "monitor");
    return *this;
}

Op& ProgramBuilder::add_sleep(OpCode code, std::string_view state) {
    const std::string exit = fmt::format("{}_exit", state);
    Op& op = add(code, costs_.name(costs_.entry_of(state)));
    op.exit_cost = costs_.id(exit);
    op.exit_step = steps_.id(exit);
    op.hardware_state = static_cast<std::int8_t>(costs_.hardware_state(state));
    return op;
}

ProgramBuilder& ProgramBuilder::mwait(std::uint32_t hint,
                                      bool break_on_irq,
                                      std::string_view state) {
    Op& op = add_sleep(OpCode::mwait, state);
    op.argument = hint;
    op.break_on_irq = break_on_irq;
    return probe(ProbePoint::resumed);
}

ProgramBuilder& ProgramBuilder::hlt(std::string_view state) {
    if (hypervisor_ != nullptr && !in_host_ && hypervisor_->spec().hlt_exits) {
        hypervisor_->emit_halt(*this);
        return probe(ProbePoint::resumed);
    }
    add_sleep(OpCode::hlt, state);
    return probe(ProbePoint::resumed);
}

ProgramBuilder& ProgramBuilder::io_read(std::string_view state) {
    add_sleep(OpCode::io_read, state);
    return probe(ProbePoint::resumed);
}

ProgramBuilder& ProgramBuilder::pause_loop(Duration limit) {
    Op& op = add(OpCode::pause_loop, {});
    op.exit_cost = costs_.id("pause_turn");
    op.exit_step = steps_.id("pause_turn");
    op.argument = static_cast<std::uint64_t>(limit.count());
    return probe(ProbePoint::resumed);
}

ProgramBuilder& ProgramBuilder::pause_loop_of_cpu() {
    pause_loop(Duration::zero());
    program_.ops[program_.ops.size() - 2].argument = kPollLimitOfCpu;
    return *this;
}

ProgramBuilder& ProgramBuilder::icr_write(Effect send) {
    if (hypervisor_ == nullptr || hypervisor_->spec().ipi_virtualization) {
        return effect(send, 0, "icr_write");
    }
    hypervisor_->emit_icr_write(*this, send);
    return *this;
}

ProgramBuilder& ProgramBuilder::timer_write(Effect effect_of_it) {
    const bool exits = hypervisor_ != nullptr && hypervisor_->spec().timer_write_exits;
    const std::string_view cost = exits ? "timer_emulation" : "timer_program";
    if (exits) {
        vm_exit();
    }
    if (effect_of_it.function == nullptr) {
        work(cost);
    } else {
        effect(effect_of_it, 0, cost);
    }
    return exits ? vm_entry() : *this;
}

ProgramBuilder& ProgramBuilder::interrupt_exit(bool by_timer) {
    if (hypervisor_ != nullptr) {
        hypervisor_->emit_interrupt_exit(*this, by_timer);
    }
    return *this;
}

ProgramBuilder& ProgramBuilder::vm_exit() {
    add(OpCode::vm_exit, "vm_exit");
    in_host_ = true;
    return *this;
}

ProgramBuilder& ProgramBuilder::vm_entry() {
    in_host_ = false;
    add(OpCode::vm_entry, "vm_entry");
    return *this;
}

ProgramBuilder& ProgramBuilder::halt_poll() {
    Op& op = add(OpCode::halt_poll, {});
    op.exit_cost = costs_.id("halt_poll_turn");
    op.exit_step = steps_.id("halt_poll");
    return *this;
}

ProgramBuilder& ProgramBuilder::prefix_steps(std::string_view prefix) {
    step_prefix_ = prefix;
    return *this;
}

ProgramBuilder& ProgramBuilder::wait_for_release() {
    Op& op = add(OpCode::wait_for_release, {});
    op.exit_step = steps_.id("wait_for_release");
    return *this;
}

ProgramBuilder& ProgramBuilder::compute(std::string_view step) {
    Op& op = add(OpCode::compute, {});
    op.exit_step = steps_.id(step);
    return *this;
}

ProgramBuilder& ProgramBuilder::wrmsr_spec_ctrl(std::uint64_t value) {
    add(OpCode::wrmsr_spec_ctrl, "wrmsr_spec_ctrl").argument = value;
    return *this;
}

ProgramBuilder& ProgramBuilder::update_spec_ctrl(std::uint64_t value) {
    add(OpCode::update_spec_ctrl, "wrmsr_spec_ctrl").argument = value;
    return *this;
}

ProgramBuilder& ProgramBuilder::jump(Label to) {
    add(OpCode::jump, {}).offset = label_number(to);
    return *this;
}

ProgramBuilder& ProgramBuilder::effect(Effect effect,
                                       std::uint64_t argument,
                                       std::string_view cost) {
    // Falls through either way: the place after an effect is its branch target too.
    const Label next = label();
    branch(effect, next, argument, cost);
    return bind(next);
}

ProgramBuilder& ProgramBuilder::branch(Effect effect,
                                       Label when_true,
                                       std::uint64_t argument,
                                       std::string_view cost) {
    Op& op = add(OpCode::effect, cost);
    op.effect = effect;
    op.argument = argument;
    op.offset = label_number(when_true);
    return *this;
}

ProgramBuilder& ProgramBuilder::probe(ProbePoint point) {
    if (in_host_) {
        return *this;
    }
    add(OpCode::probe, {}).point = point;
    return *this;
}

ProgramBuilder& ProgramBuilder::tell(ProbePoint point) {
    program_.ops.back().point = point;
    return *this;
}

ProgramBuilder& ProgramBuilder::iret(ProbePoint point) {
    add(OpCode::iret, "iret").point = point;
    return *this;
}

ProgramBuilder& ProgramBuilder::attribute_to(std::string_view step) {
    step_override_ = step;
    return *this;
}

Label ProgramBuilder::label() {
    label_places_.push_back(kUnbound);
    return {static_cast<std::uint16_t>(label_places_.size() - 1)};
}

ProgramBuilder& ProgramBuilder::bind(Label label) {
    label_places_[label.index] = static_cast<int>(program_.ops.size());
    return *this;
}

Program ProgramBuilder::finish() {
    int index = 0;
    for (Op& op : program_.ops) {
        if (op.code == OpCode::jump || op.code == OpCode::test_need_resched ||
            op.code == OpCode::effect) {
            const int place = label_places_[static_cast<std::size_t>(op.offset)];
            IDLESIM_CHECK(place != kUnbound, "a program branches to a label that is not bound");
            op.offset = static_cast<std::int16_t>(place - index);
        }
        ++index;
    }
    return std::move(program_);
}

}  // namespace idlesim
