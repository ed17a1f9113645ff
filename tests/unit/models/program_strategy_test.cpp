// SPDX-License-Identifier: Apache-2.0
#include "models/idle_program/operation.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"

#include <memory>
#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

/// A written program, read; its first operation is at line 3, column 5.
struct Reading {
    explicit Reading(const Lines& operations) {
        std::string text = "strategy: program\noperations:\n";
        for (const std::string& operation : operations) {
            text += "  - " + operation + "\n";
        }
        root = config::load_text(text, "p", diagnostics);
        config::Converter<Choice<IdleStrategy>>::read(root, choice, diagnostics);
    }

    config::Diagnostics diagnostics;
    config::Node root;
    Choice<IdleStrategy> choice;
};

std::string complaints(const Lines& operations) {
    return Reading{operations}.diagnostics.render();
}

Lines listing(const IdleStrategy& strategy, const EntryRequest& request = {}) {
    PlatformSpec platform = test::plain_platform();
    for (const char* cost : {"verw", "C6_entry", "C6_exit", "flush"}) {
        test::set_cost(platform, cost, 10ns);
    }
    test::BareMachine m{platform};
    ProgramBuilder b = m.program("idle");
    strategy.emit(b, request);
    return b.finish().listing(m.machine().costs(), m.machine().steps());
}

Lines listing(const std::string& kind) {
    return listing(*Registry<IdleStrategy>::choice(kind).make());
}

Lines listing(const Lines& operations, const EntryRequest& request = {}) {
    Reading reading{operations};
    INFO(reading.diagnostics.render());
    REQUIRE_FALSE(reading.diagnostics.has_errors());
    return listing(*reading.choice.make(), request);
}

const Lines kMwaitC1{"set_polling",
                     "test_need_resched out",
                     "monitor",
                     "test_need_resched out",
                     "sti",
                     "mwait 0x00",
                     "cli",
                     "label out",
                     "clear_polling"};

void check_complaint(const Lines& operations, const std::string& expected) {
    const std::string rendered = complaints(operations);
    INFO(rendered);
    CHECK(rendered.find(expected) != std::string::npos);
}

}  // namespace

TEST_CASE("a written mwait_idle() is the program of mwait_c1", "[strategy]") {
    CHECK(listing(kMwaitC1) == listing("mwait_c1"));
    CHECK(listing("program") == listing("mwait_c1"));
}

TEST_CASE("a written way of HLT, MWAIT with interrupts off and POLL is that of the kernel",
          "[strategy]") {
    CHECK(listing(Lines{"sti", "hlt", "cli"}) == listing("hlt"));
    CHECK(listing(Lines{"set_polling",
                        "test_need_resched out",
                        "monitor",
                        "test_need_resched out",
                        "mwait break_on_irq",
                        "out:",
                        "clear_polling"}) == listing("intel_idle"));
    CHECK(listing(Lines{"sti",
                        "set_polling",
                        "test_need_resched out",
                        "pause_loop",
                        "label out",
                        "cli",
                        "clear_polling"}) == listing("poll"));
    CHECK(listing(Lines{"io_read"}) == listing("acpi_io"));
    CHECK(listing(Lines{"wrmsr_spec_ctrl 0",
                        "set_polling",
                        "test_need_resched out",
                        "monitor",
                        "test_need_resched out",
                        "mwait break_on_irq",
                        "out:",
                        "wrmsr_spec_ctrl 0x1",
                        "clear_polling"}) == listing("intel_idle_ibrs"));
}

TEST_CASE("operands stand in the program as they are written", "[strategy]") {
    const Lines ops = listing(Lines{"verw",
                                    "work flush",
                                    "jump on",
                                    "label on",
                                    "mwait state C6 0x20 break_on_irq",
                                    "pause_loop 2 us",
                                    "io_read state C6"});
    CHECK(ops == Lines{"  0  work  [verw]",
                       "  1  work  [flush]",
                       "  2  jump  -> 3",
                       "  3  mwait(hint 0x20, ecx 1)  [C6_entry]  exit [C6_exit]",
                       "  4  probe",
                       "  5  pause_loop  exit [pause_turn]",
                       "  6  probe",
                       "  7  io_read  [C6_entry]  exit [C6_exit]",
                       "  8  probe"});
}

TEST_CASE("hint and state that are left out are those that the kernel asks for", "[strategy]") {
    EntryRequest request;
    request.hint = 0x20;
    request.hardware = "C6";
    CHECK(listing(Lines{"mwait"}, request).front() ==
          "  0  mwait(hint 0x20, ecx 0)  [C6_entry]  exit [C6_exit]");
    CHECK(listing(Lines{"hlt"}, request).front() == "  0  hlt  [C6_entry]  exit [C6_exit]");
    CHECK(listing(Lines{"mwait 0x1 state mwait"}, request).front() ==
          "  0  mwait(hint 0x1, ecx 0)  [mwait_entry]  exit [mwait_exit]");
}

TEST_CASE("a written program names its state and tells whether an NMI can lose a wake-up",
          "[strategy]") {
    CHECK(Registry<IdleStrategy>::choice("program").make()->state_name() == "C1");
    CHECK_FALSE(Reading{kMwaitC1}.choice.make()->loses_wakeup_after_nmi());
    CHECK(Reading{{"sti", "hlt", "cli"}}.choice.make()->loses_wakeup_after_nmi());
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        "{strategy: program, state_name: C1-OWN, operations: [sti, hlt, cli]}", "p", diagnostics);
    Choice<IdleStrategy> choice;
    REQUIRE(config::Converter<Choice<IdleStrategy>>::read(root, choice, diagnostics));
    CHECK(choice.make()->state_name() == "C1-OWN");
}

TEST_CASE("a written program is echoed so that it reads back as the same", "[strategy]") {
    Reading reading{{"test_need_resched out", "out:", "sti", "hlt", "\"cli\""}};
    REQUIRE_FALSE(reading.diagnostics.has_errors());
    CHECK(config::write_flow(*reading.root.find("operations")) ==
          "[test_need_resched out, label out, sti, hlt, \"cli\"]");
    Reading defaults{kMwaitC1};
    config::Node only_kind = config::load_text("strategy: program", "p", defaults.diagnostics);
    config::Converter<Choice<IdleStrategy>>::read(only_kind, defaults.choice, defaults.diagnostics);
    CHECK(config::write_flow(*only_kind.find("operations")) ==
          "[set_polling, test_need_resched out, monitor, test_need_resched out, sti, mwait, cli, "
          "label out, clear_polling]");
}

TEST_CASE("an operation that does not exist is reported with the nearest one", "[strategy]") {
    check_complaint({"cli", "mwiat 0x00"},
                    "p:4:5: error: operations[1]: unknown operation 'mwiat'; did you mean "
                    "'mwait'?\n  4 |   - mwiat 0x00\n    |     ^~~~~\n");
    check_complaint({"sleep"}, "unknown operation 'sleep'; known operations: cli, sti,");
    check_complaint({"{mwait: 0x00}"}, "an operation is one line such as 'mwait 0x00'");
    check_complaint({"[cli, sti]"}, "expected an operation such as 'mwait 0x00', not a list");
    check_complaint({"\"\""}, "an operation is missing");
}

TEST_CASE("wrong operands are reported at their place", "[strategy]") {
    check_complaint({"sti now"}, "p:3:9: error: operations[0]: unexpected 'now': expected 'sti'");
    check_complaint({"jump"}, "operations[0]: an operand is missing: expected 'jump LABEL'");
    check_complaint({"mwait 0x0g"}, "p:3:11: error: operations[0]: expected a whole number such");
    check_complaint({"mwait 0x100"}, "p:3:11: error: operations[0]: a hint is at most 0xff");
    check_complaint({"mwait 0x0 0x1"}, "p:3:15: error: operations[0]: unexpected '0x1'");
    check_complaint({"mwait brake_on_irq"},
                    "operations[0]: unexpected 'brake_on_irq'; did you mean 'break_on_irq'?");
    check_complaint({"mwait break_on_irq break_on_irq"}, "'break_on_irq' appears twice");
    check_complaint({"hlt state"}, "a name is missing: expected 'hlt [state NAME]'");
    check_complaint({"hlt state C1 state C2"}, "p:3:18: error: operations[0]: 'state' appears");
    check_complaint({"hlt break_on_irq"}, "unexpected 'break_on_irq'; known options: state");
    check_complaint({"work C1/C2"}, "'C1/C2' is no name");
    check_complaint({"wrmsr_spec_ctrl off"}, "expected a whole number such as '0x20' or '32'");
    check_complaint({"pause_loop 20"}, "a duration needs a unit");
    check_complaint({"pause_loop 0 us"}, "must be more than 0 ns");
    check_complaint({"\"work flush now\""}, "p:3:17: error: operations[0]: unexpected 'now'");
}

TEST_CASE("labels must exist, once", "[strategy]") {
    check_complaint({"jump ouut", "label out"},
                    "p:3:5: error: operations[0]: there is no label 'ouut'; did you mean 'out'?");
    check_complaint({"jump out"}, "there is no label 'out'; there are no labels");
    check_complaint({"out:", "cli", "label out"},
                    "p:5:5: error: operations[2]: label 'out' appears twice\n"
                    "  5 |   - label out\n    |     ^~~~~~~~~\n"
                    "p:3:5: note: first one is here\n");
    // The label is there, though its operation is misspelt.
    CHECK(complaints({"jump out", "lable out"}).find("there is no label") == std::string::npos);
}

TEST_CASE("a list is not empty, not endless, and names few costs", "[strategy]") {
    CHECK(complaints({}).find("operations: a value is missing") != std::string::npos);
    check_complaint(Lines(1001, "cli"), "operations: a program has 1 to 1000 operations");
    Lines costs;
    for (int i = 0; i < 17; ++i) {
        costs.push_back("work c" + std::to_string(i));
    }
    check_complaint(costs, "a program names at most 16 costs and states");
}

TEST_CASE("a loop takes time and has a way out", "[strategy]") {
    check_complaint({"again:", "mwait", "jump again"},
                    "p:5:5: error: operations[2]: jumps back to 'again' without an operation that "
                    "takes time in between");
    check_complaint({"set_polling", "again:", "monitor", "mwait", "jump again", "clear_polling"},
                    "p:7:5: error: operations[4]: from here no way leads to the end");
    CHECK(complaints({"set_polling",
                      "again:",
                      "test_need_resched out",
                      "monitor",
                      "test_need_resched out",
                      "mwait break_on_irq",
                      "jump again",
                      "out:",
                      "clear_polling"})
              .empty());
}

TEST_CASE("every way ends with interrupts off and POLLING clear", "[strategy]") {
    check_complaint({"sti", "hlt"},
                    "p:4:5: error: operations[1]: the program ends with interrupts on; it must end "
                    "with IF=0, by cli\n  4 |   - hlt\n    |     ^~~\n"
                    "p:3:5: note: switched on here\n");
    check_complaint({"set_polling", "test_need_resched out", "clear_polling", "out:"},
                    "p:6:5: error: operations[3]: the program ends with TIF_POLLING_NRFLAG set; it "
                    "must end with it clear, by clear_polling\n  6 |   - out:\n    |     ^~~\n"
                    "p:3:5: note: set here\n");
    // The way around CLI is as good as any.
    check_complaint({"sti", "test_need_resched out", "cli", "out:"}, "ends with interrupts on");
}

TEST_CASE("a halt with POLLING set is reported: a waker would only store", "[strategy]") {
    check_complaint({"set_polling", "sti", "hlt", "cli", "clear_polling"},
                    "p:5:5: error: operations[2]: waits with TIF_POLLING_NRFLAG set");
    check_complaint({"set_polling", "io_read", "clear_polling"}, "which io_read does not see");
    CHECK(complaints({"set_polling", "clear_polling", "sti", "hlt", "cli"}).empty());
}

TEST_CASE("an operation that no way reaches is worth a warning", "[strategy]") {
    const std::string rendered = complaints({"jump out", "work flush", "out:"});
    CHECK(rendered.starts_with("p:4:5: warning: operations[1]: is never reached"));
}

TEST_CASE("everything that is wrong with a list is reported together", "[strategy]") {
    const std::string rendered = complaints({"set_poling", "jump out", "mwait 0x00 deep", "sti 1"});
    INFO(rendered);
    CHECK(rendered.ends_with("4 errors\n"));
}

}  // namespace idlesim
