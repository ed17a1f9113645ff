// SPDX-License-Identifier: Apache-2.0
#include "models/platform/hardware_state.hpp"

#include "models/platform/known_number.hpp"

namespace idlesim {

const config::Fields<SlowClock>& parameters(const SlowClock*) {
    using config::field;
    static const config::Fields<SlowClock> kFields{
        field("clock", &SlowClock::clock, "core clock right after the exit").required(),
        field("length", &SlowClock::length, "until the core has its clock back")
            .required()
            .non_negative(),
        field("basis", &SlowClock::basis, kBasisHelp).required(),
        field("source", &SlowClock::source, kSourceHelp).required(),
        field("range", &SlowClock::range, kRangeHelp),
    };
    return kFields;
}

const config::Fields<HardwareState>& parameters(const HardwareState*) {
    using config::field;
    static const config::Fields<HardwareState> kFields{
        field("scope", &HardwareState::scope, "who has to ask for it before it is granted")
            .required(),
        field("promotion_of_c1",
              &HardwareState::promotion_of_c1,
              "C1 becomes this state where the firmware promotes it"),
        field("pre_wake",
              &HardwareState::pre_wake,
              "the hardware starts its exit before an armed local timer is due"),
        field("cold_work",
              &HardwareState::cold_work,
              "warm time of the path behind the exit that runs cold"),
        field("cold_after",
              &HardwareState::cold_after,
              "shortest sleep behind which it does; 0 ns: every one"),
        field("slow_clock", &HardwareState::slow_clock, "clock of the core right after the exit"),
        field("power",
              &HardwareState::power,
              "of a core in the state; of the package for scope package"),
        field("transition_energy",
              &HardwareState::transition_energy,
              "of one entry and exit together"),
        field("source", &HardwareState::source, "where the properties come from").required(),
    };
    return kFields;
}

const config::Fields<C1Demotion>& parameters(const C1Demotion*) {
    using config::field;
    static const config::Fields<C1Demotion> kFields{
        field("count", &C1Demotion::count, "short sleeps in a row that demote")
            .at_least(1)
            .at_most(1'000'000),
        field("interval", &C1Demotion::interval, "a sleep below this is short").positive(),
        field("undemotion", &C1Demotion::undemotion, "a demoted sleep this long goes deeper")
            .positive(),
    };
    return kFields;
}

const config::Fields<Firmware>& parameters(const Firmware*) {
    using config::field;
    static const config::Fields<Firmware> kFields{
        field("package_c6", &Firmware::package_c6, "package C-state limit allows package states"),
        field("c1e_promotion", &Firmware::c1e_promotion, "C1 becomes C1E (MSR_POWER_CTL bit 1)"),
        field("c1_demotion", &Firmware::c1_demotion, "C1 auto-demotion; absent: off"),
        field("turbo",
              &Firmware::turbo,
              "core clocks follow the power budget of the platform; no: they stay at core_clock"),
        field("other_cores_idle",
              &Firmware::other_cores_idle,
              "cores that take no part sleep as deep as they can; no: they keep packages awake"),
    };
    return kFields;
}

}  // namespace idlesim
