// SPDX-License-Identifier: Apache-2.0
#include "models/platform/power_spec.hpp"

#include "models/platform/known_number.hpp"

namespace idlesim {

const config::Fields<Watts>& parameters(const Watts*) {
    static const config::Fields<Watts> kFields =
        known_number<Watts>(config::field("value", &Watts::value, "the power").required());
    return kFields;
}

const config::Fields<Joules>& parameters(const Joules*) {
    static const config::Fields<Joules> kFields =
        known_number<Joules>(config::field("value", &Joules::value, "the energy").required());
    return kFields;
}

const config::Fields<TurboLimit>& parameters(const TurboLimit*) {
    using config::field;
    static const config::Fields<TurboLimit> kFields{
        field("active_cores", &TurboLimit::active_cores, "up to so many cores in C0, C1 or C1E...")
            .required()
            .at_least(1)
            .at_most(1024),
        field("clock", &TurboLimit::clock, "...of a package run at most this fast").required(),
        field("basis", &TurboLimit::basis, kBasisHelp).required(),
        field("source", &TurboLimit::source, kSourceHelp).required(),
    };
    return kFields;
}

const config::Fields<PowerBudget>& parameters(const PowerBudget*) {
    using config::field;
    static const config::Fields<PowerBudget> kFields{
        field("package_limit",
              &PowerBudget::package_limit,
              "what a package may draw on average; absent: only the turbo table limits"),
        field("uncore", &PowerBudget::uncore, "what counts against the limit beside the cores"),
        field("turbo", &PowerBudget::turbo, "clock limits, from few active cores to many")
            .required(),
        field("voltage_slope",
              &PowerBudget::voltage_slope,
              "relative rise of the voltage per relative rise of the clock")
            .required(),
        field("step", &PowerBudget::step, "clocks are this far apart"),
        field("lowest", &PowerBudget::lowest, "no limit forces a clock below this"),
        field("interval", &PowerBudget::interval, "time between two looks of the control unit")
            .required(),
        field("stall", &PowerBudget::stall, "a core stands still while its clock changes"),
    };
    return kFields;
}

const config::Fields<PowerSpec>& parameters(const PowerSpec*) {
    using config::field;
    static const config::Fields<PowerSpec> kFields{
        field("base", &PowerSpec::base, "always: what is left when everything sleeps").required(),
        field("awake", &PowerSpec::awake, "more while any core is outside the deepest state"),
        field("core_running", &PowerSpec::core_running, "a core that executes").required(),
        field("core_polling", &PowerSpec::core_polling, "a core in a pause loop").required(),
        field("second_thread",
              &PowerSpec::second_thread,
              "more for each further thread of a core that runs or polls"),
        field("budget",
              &PowerSpec::budget,
              "how the clock follows what the package draws, where firmware.turbo is set"),
    };
    return kFields;
}

}  // namespace idlesim
