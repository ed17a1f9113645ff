// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/catalogue.hpp"

#include "models/arrival/arrival_process.hpp"
#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/placement/placement.hpp"
#include "models/scenario.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/experiment/calibration.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/metric_help.hpp"
#include "sim/experiment/sweep_settings.hpp"
#include "sim/registry/registry.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

template <class Interface>
void add_kinds(const char* thing, std::vector<CatalogueEntry>& all) {
    for (const std::string& name : Registry<Interface>::names()) {
        all.push_back(
            {thing, name, Registry<Interface>::help(name), Registry<Interface>::describe(name)});
    }
}

template <class Part>
void add_part(const char* name, const char* help, std::vector<CatalogueEntry>& all) {
    all.push_back({"part of a file",
                   name,
                   help,
                   config::describe(parameters(static_cast<const Part*>(nullptr)))});
}

}  // namespace

std::vector<CatalogueEntry> catalogue() {
    std::vector<CatalogueEntry> all;
    add_kinds<Governor>("governor", all);
    add_kinds<IdleStrategy>("idle strategy", all);
    add_kinds<InterruptSource>("interrupt source", all);
    add_kinds<Workload>("workload", all);
    add_kinds<ArrivalProcess>("arrival process", all);
    add_kinds<Placement>("placement", all);
    for (const MetricHelp& metric : metric_help()) {
        all.push_back({"metric",
                       std::string{metric.name},
                       fmt::format("{} ({})", metric.help, metric.unit),
                       {}});
    }
    add_part<ExperimentSettings>("experiment", "what an experiment says beside its scenario", all);
    add_part<Target>("target", "a published number that an experiment should reproduce", all);
    add_part<KernelSpec>("kernel", "the kernel of an experiment", all);
    add_part<PlatformSpec>("platform", "a machine: what it is, and what its steps cost", all);
    add_part<SweepSettings>("sweep", "an experiment at many points", all);
    add_part<CalibrationSettings>("calibration", "costs of a platform fitted to targets", all);
    return all;
}

}  // namespace idlesim
