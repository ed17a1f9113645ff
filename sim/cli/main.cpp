// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/command_line.hpp"
#include "sim/cli/interruption.hpp"

int main(int argc, char** argv) {
    idlesim::catch_interruptions();
    return idlesim::run_command_line({argv + 1, argv + argc});
}
