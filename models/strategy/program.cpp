// SPDX-License-Identifier: Apache-2.0
#include "models/idle_program/operation.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {
namespace {

// mwait_idle().
Operations default_operations() {
    using enum Mnemonic;
    return {{make_operation(set_polling),
             make_operation(test_need_resched, "out"),
             make_operation(monitor),
             make_operation(test_need_resched, "out"),
             make_operation(sti),
             make_operation(mwait),
             make_operation(cli),
             make_operation(label, "out"),
             make_operation(clear_polling)}};
}

/// The user's own way into idle and out of it, operation by operation, executed by the same
/// interpreter as every other. What it may not do on any way is found when it is read; whether it
/// loses a wake-up is found by `idlesim check` (find_lost_wakeup).
class WrittenProgram final : public IdleStrategy {
public:
    struct Params {
        std::string state_name = "C1";
        Operations operations = default_operations();
    };

    explicit WrittenProgram(Params params) : params_{std::move(params)} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        std::map<std::string, Label, std::less<>> labels;
        for (const Operation& operation : params_.operations.list) {
            if (operation.mnemonic == Mnemonic::label) {
                labels[operation.name] = b.label();
            }
        }
        for (const Operation& operation : params_.operations.list) {
            switch (operation.mnemonic) {
                case Mnemonic::test_need_resched:
                    b.test_need_resched(labels.at(operation.name));
                    break;
                case Mnemonic::jump:
                    b.jump(labels.at(operation.name));
                    break;
                case Mnemonic::label:
                    b.bind(labels.at(operation.name));
                    break;
                default:
                    emit(b, request, operation);
            }
        }
    }

    [[nodiscard]] std::string_view state_name() const override { return params_.state_name; }

    // Whatever stands around it, an NMI may come between STI and HLT.
    [[nodiscard]] bool loses_wakeup_after_nmi() const override {
        const std::vector<Operation>& list = params_.operations.list;
        return std::any_of(list.begin(), list.end(), [](const Operation& operation) {
            return operation.mnemonic == Mnemonic::hlt;
        });
    }

private:
    static void emit(ProgramBuilder& b, const EntryRequest& request, const Operation& operation) {
        const auto state_or = [&](std::string_view otherwise) {
            return operation.name.empty() ? request.hardware_or(otherwise)
                                          : std::string_view{operation.name};
        };
        switch (operation.mnemonic) {
            case Mnemonic::cli:
                b.cli();
                break;
            case Mnemonic::sti:
                b.sti();
                break;
            case Mnemonic::set_polling:
                b.set_polling();
                break;
            case Mnemonic::clear_polling:
                b.clear_polling();
                break;
            case Mnemonic::monitor:
                b.monitor();
                break;
            case Mnemonic::mwait:
                b.mwait(static_cast<std::uint32_t>(operation.number.value_or(request.hint)),
                        operation.break_on_irq,
                        state_or("mwait"));
                break;
            case Mnemonic::hlt:
                b.hlt(state_or("hlt"));
                break;
            case Mnemonic::io_read:
                b.io_read(state_or("io"));
                break;
            case Mnemonic::pause_loop:
                b.pause_loop(operation.limit);
                break;
            case Mnemonic::wrmsr_spec_ctrl:
                b.wrmsr_spec_ctrl(*operation.number);
                break;
            case Mnemonic::verw:
                b.work("verw");
                break;
            case Mnemonic::work:
                b.work(operation.name);
                break;
            case Mnemonic::test_need_resched:
            case Mnemonic::jump:
            case Mnemonic::label:
                break;
        }
    }

    Params params_;
};

const Register<IdleStrategy, WrittenProgram> kProgram{
    "program",
    "your own way into idle and out of it, written as a list of operations",
    {config::field("state_name",
                   &WrittenProgram::Params::state_name,
                   "what tables call the state where no cpuidle driver names it")
         .that("not empty", [](const std::string& name) { return !name.empty(); }),
     config::field("operations",
                   &WrittenProgram::Params::operations,
                   "one a line: cli, sti, set_polling, clear_polling, test_need_resched LABEL, "
                   "monitor, mwait [HINT] [break_on_irq] [state NAME], hlt [state NAME], io_read "
                   "[state NAME], pause_loop [DURATION], wrmsr_spec_ctrl VALUE, verw, work COST, "
                   "jump LABEL, label LABEL. It begins and must end with IF=0 and "
                   "TIF_POLLING_NRFLAG clear; a state NAME costs NAME_entry and NAME_exit")}};

}  // namespace
}  // namespace idlesim
