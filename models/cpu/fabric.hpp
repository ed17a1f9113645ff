// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/cpu/pending_interrupts.hpp"
#include "models/cpu/step_cost.hpp"
#include "models/platform/topology.hpp"
#include "sim/engine/simulation.hpp"

#include <array>
#include <memory>
#include <vector>

namespace idlesim {

class LogicalCpu;

/// What lies between CPUs: interrupt messages and cache-line transfers, each with the latency of
/// the distance that it crosses. A measured event that travels with a message is marked when the
/// message arrives and goes on with the CPU that it reached.
class Fabric {
public:
    Fabric(Simulation& simulation,
           const Topology& topology,
           const CostTable& costs,
           StepNames& names);
    Fabric(const Fabric&) = delete;
    Fabric(Fabric&&) = delete;
    Fabric& operator=(const Fabric&) = delete;
    Fabric& operator=(Fabric&&) = delete;
    ~Fabric();

    /// The ICR write of `from` is done: `vector` reaches `to` after the delivery latency.
    /// `path` (or nullptr) leaves `from` and travels with it.
    void send_interrupt(LogicalCpu& from, LogicalCpu& to, Vector vector, Attribution* path);

    /// Where `from` runs host code on behalf of its guest, send_interrupt() only holds the message,
    /// until send_held(): the guest's ICR write has to be emulated first. The CPU that it is for.
    [[nodiscard]] LogicalCpu& held_target(const LogicalCpu& from);
    void send_held(LogicalCpu& from);

    /// `from` has written the word that `to` monitors or polls: `to` sees it after the transfer.
    void send_store(LogicalCpu& from, LogicalCpu& to, Attribution* path);

    /// Like send_store, to a word that a task on `to` waits for (LogicalCpu::wait_for_release).
    void send_release(LogicalCpu& from, LogicalCpu& to, Attribution* path);

    [[nodiscard]] Duration line_transfer(int a, int b) const;

    /// The step that the transfer of a line is counted under.
    [[nodiscard]] StepId transfer_step() const { return transfer_step_; }

    /// As Topology::distance(), without its divisions.
    [[nodiscard]] Distance distance(int a, int b) const {
        const Place& here = places_[static_cast<std::size_t>(a)];
        const Place& there = places_[static_cast<std::size_t>(b)];
        if (here.core == there.core) {
            return a == b ? Distance::same_cpu : Distance::same_core;
        }
        if (here.llc == there.llc) {
            return Distance::same_llc;
        }
        return here.package == there.package ? Distance::cross_llc : Distance::cross_package;
    }

private:
    enum class Kind : std::uint8_t { interrupt, posted, store, release };
    struct Message;

    struct Place {
        int core = 0;
        int llc = 0;
        int package = 0;
    };

    Message& free_message();
    void send(LogicalCpu& from, LogicalCpu& to, Message& message, Duration latency);
    void send_vector(LogicalCpu& from, LogicalCpu& to, Message& message);
    static void arrive(void* message);

    Simulation& simulation_;
    std::vector<Place> places_;   // [CPU]
    std::vector<Message*> held_;  // [CPU]
    CostId delivery_;
    StepId delivery_step_;
    StepId transfer_step_;
    std::array<Duration, kDistances> transfer_{};
    std::array<Duration, kDistances> delivery_extra_{};
    std::vector<std::unique_ptr<Message>> messages_;
    std::vector<Message*> idle_messages_;
};

}  // namespace idlesim
