// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/menu_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/menu.c, late 6.12.y stable (about the end of 2025), after the menu
/// backports; not 6.12.0.
class Menu612 final : public MenuGovernor {
public:
    struct Params {};

    explicit Menu612(Params /*params*/)
        : MenuGovernor{{.query = MenuRules::TimerQuery::unless_short,
                        .typical = MenuRules::Typical::one_sided,
                        .walk = MenuRules::Walk::strict}} {}
};

const Register<Governor, Menu612> kMenu612{
    "menu@6.12", "menu of late 6.12.y stable: typical interval first, timer only above 15 us"};

}  // namespace
}  // namespace idlesim
