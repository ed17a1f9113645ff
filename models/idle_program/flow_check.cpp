// SPDX-License-Identifier: Apache-2.0
#include "models/idle_program/flow_check.hpp"

#include <compare>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace idlesim {

namespace {

using config::Diagnostics;

class FlowCheck {
public:
    FlowCheck(const std::vector<Operation>& operations, Diagnostics& diagnostics)
        : operations_{operations}, diagnostics_{diagnostics} {
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (operations[i].mnemonic == Mnemonic::label) {
                places_[operations[i].name] = i;
            }
        }
    }

    bool check() {
        walk();
        check_loops();
        warn_of_the_unreachable();
        return is_good_;
    }

private:
    /// In front of operation `at`, or at the end of the program.
    struct State {
        std::size_t at = 0;
        bool interrupts_on = false;
        bool polling = false;

        friend auto operator<=>(const State&, const State&) = default;
    };

    [[nodiscard]] std::vector<std::size_t> successors(std::size_t at) const {
        const Operation& operation = operations_[at];
        switch (operation.mnemonic) {
            case Mnemonic::jump:
                return {places_.at(operation.name)};
            case Mnemonic::test_need_resched:
                return {at + 1, places_.at(operation.name)};
            default:
                return {at + 1};
        }
    }

    void walk() {
        std::deque<State> open{State{}};
        came_from_[State{}] = State{};
        while (!open.empty()) {
            const State state = open.front();
            open.pop_front();
            if (state.at == operations_.size()) {
                check_end(state);
                continue;
            }
            State after = state;
            apply(operations_[state.at].mnemonic, after);
            check_halt(state);
            for (const std::size_t next : successors(state.at)) {
                after.at = next;
                if (came_from_.emplace(after, state).second) {
                    open.push_back(after);
                }
            }
        }
    }

    static void apply(Mnemonic mnemonic, State& state) {
        switch (mnemonic) {
            case Mnemonic::cli:
            case Mnemonic::sti:
                state.interrupts_on = mnemonic == Mnemonic::sti;
                break;
            case Mnemonic::set_polling:
            case Mnemonic::clear_polling:
                state.polling = mnemonic == Mnemonic::set_polling;
                break;
            default:
                break;
        }
    }

    void check_halt(const State& state) {
        const Mnemonic mnemonic = operations_[state.at].mnemonic;
        const bool halts = mnemonic == Mnemonic::hlt || mnemonic == Mnemonic::io_read;
        if (halts && state.polling && reported_.insert(state.at).second) {
            error(state.at,
                  fmt::format("waits with TIF_POLLING_NRFLAG set: a remote waker would store and "
                              "send no interrupt, which {} does not see; clear_polling belongs in "
                              "front",
                              form_of(mnemonic).name));
            note_last(Mnemonic::set_polling, state, "set here");
        }
    }

    // The last operation is to blame, whatever way led there.
    void check_end(const State& state) {
        const std::size_t last = came_from_.at(state).at;
        if (state.interrupts_on && !ends_with_interrupts_on_) {
            ends_with_interrupts_on_ = true;
            error(last, "the program ends with interrupts on; it must end with IF=0, by cli");
            note_last(Mnemonic::sti, state, "switched on here");
        }
        if (state.polling && !ends_polling_) {
            ends_polling_ = true;
            error(last,
                  "the program ends with TIF_POLLING_NRFLAG set; it must end with it clear, by "
                  "clear_polling");
            note_last(Mnemonic::set_polling, state, "set here");
        }
    }

    // Nearest operation of that kind on the way to a state.
    void note_last(Mnemonic mnemonic, State state, const char* what) {
        do {
            state = came_from_.at(state);
        } while (operations_[state.at].mnemonic != mnemonic);
        diagnostics_.note(operations_[state.at].location, what);
    }

    void check_loops() {
        const std::vector<bool> leads_out = ways_out();
        bool found_prison = false;
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (operations_[i].mnemonic != Mnemonic::jump || !is_reached(i)) {
                continue;
            }
            if (is_timeless_loop(i)) {
                error(i,
                      fmt::format("jumps back to '{}' without an operation that takes time in "
                                  "between; a sleep takes none when it has a reason not to begin",
                                  operations_[i].name));
            } else if (!leads_out[i] && !found_prison) {
                found_prison = true;
                error(i,
                      "from here no way leads to the end of the program: the CPU would never "
                      "leave idle; test_need_resched belongs into the loop");
            }
        }
    }

    [[nodiscard]] bool is_reached(std::size_t at) const {
        const auto first = came_from_.lower_bound(State{at, false, false});
        return first != came_from_.end() && first->first.at == at;
    }

    // Operations that take no time have one successor each.
    [[nodiscard]] bool is_timeless_loop(std::size_t jump) const {
        std::size_t at = places_.at(operations_[jump].name);
        if (at > jump) {
            return false;
        }
        for (std::size_t steps = 0; steps <= operations_.size(); ++steps) {
            if (at == jump) {
                return true;
            }
            if (at == operations_.size() || form_of(operations_[at].mnemonic).takes_time) {
                return false;
            }
            at = successors(at).front();
        }
        return false;
    }

    // Operations from which the end can be reached.
    [[nodiscard]] std::vector<bool> ways_out() const {
        std::vector<bool> leads_out(operations_.size() + 1, false);
        leads_out.back() = true;
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::size_t i = operations_.size(); i-- > 0;) {
                for (const std::size_t next : successors(i)) {
                    if (!leads_out[i] && leads_out[next]) {
                        leads_out[i] = true;
                        changed = true;
                    }
                }
            }
        }
        return leads_out;
    }

    void warn_of_the_unreachable() {
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (!is_reached(i)) {
                diagnostics_.warning(operations_[i].location,
                                     fmt::format("{}: is never reached", operations_[i].key));
                return;
            }
        }
    }

    void error(std::size_t at, std::string_view what) {
        is_good_ = false;
        diagnostics_.error(operations_[at].location,
                           fmt::format("{}: {}", operations_[at].key, what));
    }

    const std::vector<Operation>& operations_;
    Diagnostics& diagnostics_;
    std::map<std::string, std::size_t, std::less<>> places_;
    std::map<State, State> came_from_;
    std::set<std::size_t> reported_;
    bool is_good_ = true;
    bool ends_with_interrupts_on_ = false;
    bool ends_polling_ = false;
};

}  // namespace

bool check_flow(const std::vector<Operation>& operations, Diagnostics& diagnostics) {
    return FlowCheck{operations, diagnostics}.check();
}

}  // namespace idlesim
