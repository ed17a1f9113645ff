// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/converter.hpp"
#include "sim/engine/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// What an operation of a written program is called.
enum class Mnemonic : std::uint8_t {
    cli,
    sti,
    set_polling,
    clear_polling,
    test_need_resched,
    monitor,
    mwait,
    hlt,
    io_read,
    pause_loop,
    wrmsr_spec_ctrl,
    verw,
    work,
    jump,
    label,
};

enum class Operands : std::uint8_t { none, label, cost, value, duration, sleep, mwait };

/// How an operation is written.
struct Form {
    std::string_view name;
    Operands operands;
    std::string_view usage;
    /// Whatever the state of the CPU.
    bool takes_time;
};

const Form& form_of(Mnemonic);

/// One line of `operations:`.
struct Operation {
    Mnemonic mnemonic = Mnemonic::cli;
    /// The label of a branch or place, the cost of work, the hardware state of a sleep (empty: the
    /// one that is asked for).
    std::string name{};
    /// Hint (absent: the one that is asked for) or value of the MSR.
    std::optional<std::uint64_t> number{};
    Duration limit{};
    bool break_on_irq = false;
    std::string text{};
    std::string key{};  ///< "operations[3]", as messages call it
    config::Location location{};
};

/// The list under `operations:`. Every label that it names is in it, once.
struct Operations {
    std::vector<Operation> list;
};

/// Reads one operation from a scalar and reports what is wrong with it. "out:" is a label, too.
bool read_operation(const config::Node& line, Operation& out, config::Diagnostics& diagnostics);

/// An operation that nobody wrote.
[[nodiscard]] Operation make_operation(Mnemonic mnemonic, std::string name = {});

}  // namespace idlesim

namespace idlesim::config {

/// Reports all that is wrong with the list: operations that do not exist, labels, and what no way
/// through the program may do (flow_check.hpp).
template <>
struct Converter<idlesim::Operations> {
    static bool read(Node& node, idlesim::Operations& out, Diagnostics& diagnostics);
    static std::optional<Node> to_node(const idlesim::Operations& operations);
    static TypeDescription describe(int depth);
};

}  // namespace idlesim::config
