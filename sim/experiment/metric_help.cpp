// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/metric_help.hpp"

namespace idlesim {

const std::vector<MetricHelp>& metric_help() {
    static const std::vector<MetricHelp> kHelp{
        {"wake_latency", "ns", "from the event that wakes to what the workload takes for awake"},
        {"interrupt_latency", "ns", "from the event to its interrupt handler, as wult takes it"},
        {"cyclictest_latency", "ns", "how late a thread runs that slept until an absolute time"},
        {"context_switch_rate", "1/s", "context switches in each simulated second, 2 a round trip"},
        {"throughput", "MB/s", "bytes that the clients of dbench moved"},
        {"packet_cycles", "cycles", "core cycles that a polling thread takes for a packet"},
        {"packet_rate", "1/s", "packets that a polling thread handles"},
        {"max_jops",
         "1/s",
         "SPECjbb's last injection rate, in steps, before one it cannot sustain"},
        {"high_bound",
         "1/s",
         "SPECjbb's settled high-bound injection rate, of which a step is 1 %"},
        {"critical_jops", "1/s", "geometric mean of the rates that meet SPECjbb's five SLAs"},
        {"request_latency", "ns", "from the arrival of a request to its answer"},
        {"residency_share", "%", "share of the time that CPUs spent in a state"},
        {"energy", "J", "of the whole machine over the run"},
        {"power", "W", "of the whole machine, mean over the run"},
        {"busy_clock",
         "GHz",
         "mean clock of CPUs in C0, where it follows a power budget (Bzy_MHz)"},
        {"too_deep_percent", "%", "idle entries that were woken before their state paid off"},
        {"too_shallow_percent", "%", "idle entries for which a deeper state would have paid off"},
        {"c1_residency", "ns", "mean stay in C1, as cpuidle counts it"},
        {"wake_rate", "1/s", "wake-ups from idle"},
        {"late_timers", "1", "timers of the wheel that ran later than the tick explains"},
        {"timer_lateness", "us", "how late they ran"},
        {"handlers_without_ibrs", "1", "interrupt handlers that ran with IBRS cleared"},
        {"collection_pause", "ms", "stop-the-world pauses of SPECjbb at its highest rate"},
        {"timer_wakes", "1/s", "idle intervals of a CPU that one of its timers ended"},
        {"too_deep_time_percent", "%", "idle time in entries that were too deep"},
        {"too_shallow_time_percent", "%", "idle time in entries that were too shallow"},
        {"usecs_per_op", "us", "a round trip of perf bench sched pipe"},
        {"requests_in_system", "1", "requests that wait or are served, mean over time"},
        {"slack", "us", "what was left of a period when an rt-app phase was done"},
        {"vm_exits", "1/s", "times that a virtual CPU leaves its guest"},
        {"halt_exits", "1", "VM exits of HLT, of all virtual CPUs, as KVM counts them"},
        {"halt_attempted_poll", "1", "those for which the host polled"},
        {"halt_successful_poll", "1", "those that ended before the host gave up the CPU"},
        {"halt_wakeup", "1", "those after which the host had to wake the virtual CPU's thread"}};
    return kHelp;
}

}  // namespace idlesim
