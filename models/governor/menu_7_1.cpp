// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/menu_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/menu.c, 7.1-rc4.
class Menu71 final : public MenuGovernor {
public:
    struct Params {};

    explicit Menu71(Params /*params*/)
        : MenuGovernor{{.query = MenuRules::TimerQuery::unless_short_and_ticking,
                        .typical = MenuRules::Typical::two_sided,
                        .walk = MenuRules::Walk::strict,
                        .single_state_is_trivial = false,
                        .safe_timer_ticks = 2}} {}
};

const Register<Governor, Menu71> kMenu71{
    "menu@7.1", "menu of Linux 7.1: as 7.0, but a timer within two ticks is no threat"};

}  // namespace
}  // namespace idlesim
