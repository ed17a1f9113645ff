// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/menu_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/menu.c, 6.17-rc3 to 6.18-rc2.
class Menu617 final : public MenuGovernor {
public:
    struct Params {};

    explicit Menu617(Params /*params*/)
        : MenuGovernor{{.query = MenuRules::TimerQuery::unless_short,
                        .typical = MenuRules::Typical::two_sided_largest,
                        .walk = MenuRules::Walk::loose}} {}
};

const Register<Governor, Menu617> kMenu617{
    "menu@6.17", "menu of Linux 6.17: outliers on both sides, largest of few samples"};

}  // namespace
}  // namespace idlesim
