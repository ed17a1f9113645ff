// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/menu_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/menu.c, Linux 6.3 (walk of 6.3 to 6.16).
class Menu63 final : public MenuGovernor {
public:
    struct Params {};

    explicit Menu63(Params /*params*/)
        : MenuGovernor{{.query = MenuRules::TimerQuery::always,
                        .typical = MenuRules::Typical::below_timer,
                        .walk = MenuRules::Walk::residency_first,
                        .looks_at_io_wait = true,
                        .marks_rejected = false}} {}
};

const Register<Governor, Menu63> kMenu63{
    "menu@6.3", "menu of Linux 6.3: always asks for the timer, looks at I/O wait"};

}  // namespace
}  // namespace idlesim
