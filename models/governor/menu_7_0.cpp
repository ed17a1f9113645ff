// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/menu_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/menu.c, 7.0.9.
class Menu70 final : public MenuGovernor {
public:
    struct Params {};

    explicit Menu70(Params /*params*/)
        : MenuGovernor{{.query = MenuRules::TimerQuery::unless_short_and_ticking,
                        .typical = MenuRules::Typical::two_sided,
                        .walk = MenuRules::Walk::strict,
                        .single_state_is_trivial = false}} {}
};

const Register<Governor, Menu70> kMenu70{
    "menu@7.0", "menu of Linux 7.0: always asks for the timer when the tick is stopped"};

}  // namespace
}  // namespace idlesim
