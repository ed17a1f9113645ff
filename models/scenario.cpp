// SPDX-License-Identifier: Apache-2.0
#include "models/scenario.hpp"

#include "models/kernel/kernel.hpp"
#include "models/machine.hpp"
#include "models/run.hpp"

#include <fmt/format.h>

namespace idlesim {

namespace {

bool check_cpus(const Scenario& scenario,
                const std::vector<int>& cpus,
                config::Diagnostics& diagnostics) {
    const int count = scenario.platform.topology.cpus();
    bool all_exist = true;
    for (const int cpu : cpus) {
        if (cpu < 0 || cpu >= count) {
            all_exist = false;
            diagnostics.error(scenario.workload.location,
                              fmt::format("workload '{}': CPU {} does not exist; platform '{}' has "
                                          "CPUs 0 to {}",
                                          scenario.workload.kind,
                                          cpu,
                                          scenario.platform.name,
                                          count - 1));
        }
    }
    return all_exist;
}

// Building the run's programs asks for every cost that they need.
void check_costs(const Scenario& scenario, config::Diagnostics& diagnostics) {
    try {
        prepare(scenario);
    } catch (const MissingCost& missing) {
        diagnostics.error(scenario.platform.location, missing.what());
    } catch (const DriverError& refused) {
        diagnostics.error(scenario.kernel.location, refused.what());
    } catch (const GovernorError& refused) {
        diagnostics.error(
            scenario.governor ? scenario.governor->location : scenario.kernel.location,
            refused.what());
    }
}

}  // namespace

const config::Fields<Scenario>& parameters(const Scenario*) {
    using config::field;
    static const config::Fields<Scenario> kFields{
        field("platform", &Scenario::platform, "the machine: a name, a path, or the map itself")
            .required(),
        field("kernel", &Scenario::kernel, "the kernel: version, HZ, drivers, switches"),
        field("idle", &Scenario::idle, "how CPUs idle; absent: as the kernel chooses"),
        field("governor",
              &Scenario::governor,
              "chooses among the states of the cpuidle driver; absent: the kernel's menu"),
        field("placement",
              &Scenario::placement,
              "which CPU a woken task gets that may move; absent: select_idle_sibling"),
        field("workload", &Scenario::workload, "the work and how it is measured").required(),
        field("interrupts", &Scenario::interrupts, "sources of interrupts beside the workload's"),
    };
    return kFields;
}

void check(const Scenario& scenario, config::Diagnostics& diagnostics) {
    check(scenario.platform, diagnostics);
    check(scenario.kernel, diagnostics);
    if (scenario.platform.virtual_machine) {
        KernelSpec host;
        host.version = scenario.platform.virtual_machine->host.version;
        host.location = scenario.platform.virtual_machine->host.location;
        check(host, diagnostics);
    }
    if (!scenario.workload.make) {
        return;
    }
    const auto workload = scenario.workload.make();
    if (!check_cpus(scenario, workload->cpus(scenario.platform.topology), diagnostics)) {
        return;
    }
    if (workload->recording() != nullptr && scenario.recorded == nullptr) {
        return;  // it could not be read, which has been said
    }
    workload->check(scenario.platform, scenario.workload.location, diagnostics);
    if (!diagnostics.has_errors()) {
        check_costs(scenario, diagnostics);
    }
}

}  // namespace idlesim
