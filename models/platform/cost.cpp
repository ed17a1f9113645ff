// SPDX-License-Identifier: Apache-2.0
#include "models/platform/cost.hpp"

#include "models/platform/known_number.hpp"

namespace idlesim {

const config::Fields<Factor>& parameters(const Factor*) {
    static const config::Fields<Factor> kFields = known_number<Factor>(
        config::field("value", &Factor::value, "the number, plain or in percent")
            .required()
            .non_negative());
    return kFields;
}

const config::Fields<Amount>& parameters(const Amount*) {
    static const config::Fields<Amount> kFields = known_number<Amount>(
        config::field("value", &Amount::value, "the duration").required().non_negative());
    return kFields;
}

Factor zero_factor() {
    Factor factor;
    factor.value = {0.0};
    return factor;
}

const config::Fields<StepClass>& parameters(const StepClass*) {
    using config::field;
    static const config::Fields<StepClass> kFields{
        field("factor", &StepClass::factor, "scales the warm value of every step of the class")
            .required(),
        field("cold_probability",
              &StepClass::cold_probability,
              "share of executions whose lines are not in the near caches"),
        field("cold_factor",
              &StepClass::cold_factor,
              "what a cold execution takes on top, as a multiple of the warm one"),
        field("cold_path_factor",
              &StepClass::cold_path_factor,
              "what a step takes on top where the whole path is cold, behind a long or deep sleep, "
              "as a multiple of the warm one"),
        field("miss_probability",
              &StepClass::miss_probability,
              "share of executions that wait for memory (besides the cold ones)"),
        field("miss_extra",
              &StepClass::miss_extra,
              "mean of the exponentially distributed time that such an execution takes on top"),
    };
    return kFields;
}

const config::Fields<SecondMode>& parameters(const SecondMode*) {
    using config::field;
    static const config::Fields<SecondMode> kFields{
        field("probability", &SecondMode::probability, "share of transitions in the slower mode")
            .required()
            .non_negative(),
        field("extra", &SecondMode::extra, "what the slower mode takes on top")
            .required()
            .non_negative(),
    };
    return kFields;
}

const config::Fields<Cost>& parameters(const Cost*) {
    using config::field;
    static const config::Fields<Cost> kFields{
        field("value", &Cost::value, "warm cost of the step, whatever the clock").non_negative(),
        field("cycles", &Cost::cycles, "warm cost in cycles of the core clock")
            .at_least(0.0)
            .at_most(1e9),
        field("window", &Cost::window, "width of a uniformly distributed addition").non_negative(),
        field("jitter", &Cost::jitter, "mean of a gamma-distributed addition").non_negative(),
        field("jitter_shape", &Cost::jitter_shape, "shape of that gamma distribution")
            .at_least(0.1)
            .at_most(1000.0),
        field("second_mode", &Cost::second_mode, "a second, slower mode of the transition"),
        field("step_class", &Cost::step_class, "the class whose factor and coldness apply"),
        field("lines", &Cost::lines, "cache lines fetched from the CPU that the step works with")
            .at_least(0)
            .at_most(1000),
        field("basis", &Cost::basis, kBasisHelp).required(),
        field("source", &Cost::source, kSourceHelp).required(),
        field("calibration", &Cost::calibration, kCalibrationHelp),
        field("range", &Cost::range, kRangeHelp),
        field("cycles_range", &Cost::cycles_range, "[low, high] of cycles"),
        field("window_range", &Cost::window_range, "[low, high] of window"),
    };
    return kFields;
}

}  // namespace idlesim
