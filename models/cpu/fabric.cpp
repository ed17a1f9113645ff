// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/fabric.hpp"

#include "models/cpu/logical_cpu.hpp"

namespace idlesim {

/// In flight between two CPUs; reused, so that sending allocates nothing once warm.
struct Fabric::Message {
    Message(Fabric& owner, Simulation& simulation)
        : fabric{owner}, event{simulation, "fabric.message", Phase::interrupt, &arrive, this} {}

    Fabric& fabric;
    Event event;
    LogicalCpu* to = nullptr;
    Attribution* path = nullptr;
    Kind kind = Kind::store;
    Vector vector = 0;
    StepId step = 0;
};

Fabric::Fabric(Simulation& simulation,
               const Topology& topology,
               const CostTable& costs,
               StepNames& names)
    : simulation_{simulation},
      places_(static_cast<std::size_t>(topology.cpus())),
      held_(static_cast<std::size_t>(topology.cpus())),
      delivery_{costs.id("ipi_delivery")},
      delivery_step_{names.id("ipi_delivery")},
      transfer_step_{names.id("line_transfer")} {
    for (int cpu = 0; cpu < topology.cpus(); ++cpu) {
        places_[static_cast<std::size_t>(cpu)] = {
            topology.core_of(cpu), topology.llc_of(cpu), topology.package_of(cpu)};
    }
    const auto at = [](Distance distance) { return static_cast<std::size_t>(distance); };
    const auto base = [&costs](std::string_view name) { return costs.cost(costs.id(name)).base; };
    transfer_[at(Distance::same_core)] = base("line_transfer_same_core");
    transfer_[at(Distance::same_llc)] = base("line_transfer_same_llc");
    transfer_[at(Distance::cross_llc)] = base("line_transfer_cross_llc");
    transfer_[at(Distance::cross_package)] = base("line_transfer_cross_package");
    delivery_extra_[at(Distance::cross_package)] = base("ipi_cross_package");
}

Fabric::~Fabric() = default;

Duration Fabric::line_transfer(int a, int b) const {
    return transfer_[static_cast<std::size_t>(distance(a, b))];
}

Fabric::Message& Fabric::free_message() {
    if (idle_messages_.empty()) {
        messages_.push_back(std::make_unique<Message>(*this, simulation_));
        return *messages_.back();
    }
    Message& message = *idle_messages_.back();
    idle_messages_.pop_back();
    return message;
}

void Fabric::send(LogicalCpu& from, LogicalCpu& to, Message& message, Duration latency) {
    message.to = &to;
    if (message.path != nullptr) {
        from.detach(*message.path);
    }
    simulation_.schedule_in(message.event, latency);
}

void Fabric::send_interrupt(LogicalCpu& from, LogicalCpu& to, Vector vector, Attribution* path) {
    Message& message = free_message();
    message.kind = Kind::interrupt;
    message.vector = vector;
    message.path = path;
    if (from.in_host()) [[unlikely]] {
        message.to = &to;
        held_[static_cast<std::size_t>(from.number())] = &message;
        return;
    }
    send_vector(from, to, message);
}

LogicalCpu& Fabric::held_target(const LogicalCpu& from) {
    return *held_[static_cast<std::size_t>(from.number())]->to;
}

void Fabric::send_held(LogicalCpu& from) {
    Message& message = *held_[static_cast<std::size_t>(from.number())];
    send_vector(from, *message.to, message);
}

// A vector for a virtual CPU whose host part runs is a bit in memory (the descriptor of posted
// interrupts) that the host finds on its way. A thread that is scheduled out has to be woken: the
// idle task below it by a store where it polls its flags and a kernel does the waking, else by an
// interrupt.
void Fabric::send_vector(LogicalCpu& from, LogicalCpu& to, Message& message) {
    const bool needs_interrupt = to.is_blocked() && !(from.in_host() && to.host_polls());
    if (to.in_host() && !needs_interrupt) [[unlikely]] {
        message.kind = Kind::posted;
        message.step = transfer_step_;
        send(from, to, message, line_transfer(from.number(), to.number()));
        return;
    }
    message.step = delivery_step_;
    const auto crossed = static_cast<std::size_t>(distance(from.number(), to.number()));
    send(from, to, message, from.draw(delivery_) + delivery_extra_[crossed]);
}

void Fabric::send_store(LogicalCpu& from, LogicalCpu& to, Attribution* path) {
    Message& message = free_message();
    message.kind = Kind::store;
    message.path = path;
    message.step = transfer_step_;
    send(from, to, message, line_transfer(from.number(), to.number()));
}

void Fabric::send_release(LogicalCpu& from, LogicalCpu& to, Attribution* path) {
    Message& message = free_message();
    message.kind = Kind::release;
    message.path = path;
    message.step = transfer_step_;
    send(from, to, message, line_transfer(from.number(), to.number()));
}

void Fabric::arrive(void* context) {
    Message& message = *static_cast<Message*>(context);
    LogicalCpu& cpu = *message.to;
    if (message.path != nullptr) {
        message.path->mark(message.step, cpu.now());
        cpu.attach(*message.path);
    }
    const Kind kind = message.kind;
    const Vector vector = message.vector;
    message.fabric.idle_messages_.push_back(&message);
    switch (kind) {
        case Kind::interrupt:
            cpu.raise(vector);
            break;
        case Kind::posted:
            cpu.post(vector);
            break;
        case Kind::store:
            cpu.monitored_line_written();
            break;
        case Kind::release:
            cpu.release();
            break;
    }
}

}  // namespace idlesim
