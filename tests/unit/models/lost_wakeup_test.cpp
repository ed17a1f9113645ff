// SPDX-License-Identifier: Apache-2.0
#include "models/lost_wakeup.hpp"

#include "sim/config/load.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"

#include <stdexcept>
#include <string>

namespace idlesim {
namespace {

/// "event: interleaving", or nothing.
std::string lost(const std::string& operations) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        "{strategy: program, operations: [" + operations + "]}", "p", diagnostics);
    Choice<IdleStrategy> choice;
    if (!config::Converter<Choice<IdleStrategy>>::read(root, choice, diagnostics)) {
        throw std::runtime_error{diagnostics.render()};
    }
    const auto found = find_lost_wakeup(*choice.make());
    return found ? found->event + ": " + found->interleaving : "";
}

/// Halts while POLLING tells wakers that a store is enough: no file may say so.
class PollingHalt final : public IdleStrategy {
public:
    void emit(ProgramBuilder& b, const EntryRequest&) const override {
        b.set_polling().sti().hlt().cli().clear_polling();
    }
};

}  // namespace

TEST_CASE("no strategy of the kernel loses a wake-up", "[strategy]") {
    for (const std::string& name : Registry<IdleStrategy>::names()) {
        const auto found = find_lost_wakeup(*Registry<IdleStrategy>::choice(name).make());
        INFO(name << ": " << (found ? found->interleaving : ""));
        CHECK_FALSE(found);
    }
}

TEST_CASE("MWAIT without the second test loses a store in front of MONITOR", "[strategy]") {
    CHECK(lost("set_polling, test_need_resched out, monitor, sti, mwait, cli, label out, "
               "clear_polling") ==
          "wake-up by another CPU: set_polling; test_need_resched (clear); >>> another CPU wakes "
          "the task: NEED_RESCHED set; POLLING is set, so no interrupt is sent; monitor; sti; "
          "mwait: asleep with NEED_RESCHED set");
}

TEST_CASE("an operation between STI and HLT loses the interrupt that comes there", "[strategy]") {
    CHECK(lost("sti, work flush, hlt, cli") ==
          "device interrupt: >>> device interrupt, pending while IF=0; sti; flush; a handler wakes "
          "the task, NEED_RESCHED set; hlt: asleep with NEED_RESCHED set");
    CHECK(lost("sti, hlt, cli").empty());
}

TEST_CASE("a sleep that no interrupt ends loses all of them", "[strategy]") {
    CHECK(lost("set_polling, test_need_resched out, monitor, test_need_resched out, mwait, "
               "label out, clear_polling")
              .ends_with("mwait: asleep with the interrupt pending and IF=0"));
    CHECK(lost("hlt").ends_with("hlt: asleep with the interrupt pending and IF=0"));
    CHECK(lost("pause_loop").ends_with("polls on with the interrupt pending and IF=0"));
}

TEST_CASE("a halt with POLLING set loses a remote wake-up", "[strategy]") {
    const auto found = find_lost_wakeup(PollingHalt{});
    REQUIRE(found);
    CHECK(found->event == "wake-up by another CPU");
    CHECK(found->interleaving ==
          "set_polling; >>> another CPU wakes the task: NEED_RESCHED set; POLLING is set, so no "
          "interrupt is sent; sti; hlt: asleep with NEED_RESCHED set");
}

TEST_CASE("a loss behind a sleep that ends without a reason is found", "[strategy]") {
    CHECK(lost("set_polling, test_need_resched out, monitor, test_need_resched out, "
               "mwait break_on_irq, test_need_resched out, monitor, mwait break_on_irq, "
               "label out, clear_polling") ==
          "wake-up by another CPU: set_polling; test_need_resched (clear); monitor; "
          "test_need_resched (clear); mwait; >>> a store to another flag of the line; the hardware "
          "wakes; test_need_resched (clear); >>> another CPU wakes the task: NEED_RESCHED set; "
          "POLLING is set, so no interrupt is sent; monitor; mwait: asleep with NEED_RESCHED set");
    CHECK(lost("sti, set_polling, test_need_resched out, monitor, test_need_resched out, mwait, "
               "monitor, mwait, label out, cli, clear_polling") != "");
}

TEST_CASE("a program that polls first, then halts, has to look again", "[strategy]") {
    const std::string poll = "sti, set_polling, test_need_resched out, pause_loop 200 us, cli, ";
    const std::string halt = "work flush, sti, hlt state deep, label out, cli, clear_polling";
    CHECK(lost(poll + "clear_polling, test_need_resched out, " + halt).empty());
    CHECK(lost(poll + "test_need_resched out, clear_polling, " + halt) ==
          "wake-up by another CPU: sti; set_polling; test_need_resched (clear); pause_loop; cli; "
          "test_need_resched (clear); >>> another CPU wakes the task: NEED_RESCHED set; POLLING is "
          "set, so no interrupt is sent; clear_polling; flush; sti; hlt: asleep with NEED_RESCHED "
          "set");
}

TEST_CASE("a loop that goes round without looking at interrupts is none that waits", "[strategy]") {
    CHECK(lost("label again, test_need_resched out, work spin, jump again, label out") ==
          "device interrupt: >>> device interrupt, pending while IF=0; test_need_resched (clear); "
          "spin; test_need_resched (clear); spin; test_need_resched (clear); spin; "
          "test_need_resched (clear); spin; ...; test_need_resched (clear); spin; "
          "test_need_resched (clear); spin; test_need_resched (clear); spin; "
          "test_need_resched (clear); spin; never comes to an end with the interrupt pending and "
          "IF=0");
    CHECK(lost("sti, label again, test_need_resched out, work spin, jump again, label out, cli")
              .empty());
}

}  // namespace idlesim
