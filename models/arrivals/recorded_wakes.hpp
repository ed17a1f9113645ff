// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace idlesim {

/// Who woke a CPU in a recording.
enum class ArrivalKind : std::uint8_t {
    timer,   ///< a timer of its own, armed before
    device,  ///< the interrupt of a device
    remote,  ///< another CPU, by IPI or by a store to its flags
};

/// One wake-up of a recording.
struct Arrival {
    Duration at{};    ///< from the start of the recording
    Duration work{};  ///< until the CPU slept again; zero: the interrupt woke no task
    ArrivalKind kind = ArrivalKind::remote;
    int irq = 0;  ///< index into RecordedWakes::devices, where kind is device
};

/// The wake-ups of one CPU of a recording, in order of time.
struct CpuArrivals {
    int cpu = 0;
    std::vector<Arrival> arrivals;
};

/// The wake-ups of a recorded trace, as a workload takes them. Read once, shared by all runs.
struct RecordedWakes {
    std::vector<CpuArrivals> cpus;  ///< rising numbers
    std::vector<std::string> devices;
    Duration length{};  ///< of the recording

    /// nullptr where the CPU was never woken.
    [[nodiscard]] const CpuArrivals* find(int cpu) const {
        for (const CpuArrivals& candidate : cpus) {
            if (candidate.cpu == cpu) {
                return &candidate;
            }
        }
        return nullptr;
    }
};

}  // namespace idlesim
