// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/phase.hpp"
#include "sim/engine/time.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace idlesim {

class Simulation;

/// What an event calls when it fires: a plain function and its argument, so that no event ever
/// allocates.
struct Callback {
    void (*handler)(void* context);
    void* context;
};

/// bind<&Timer::expire>(this) calls this->expire().
template <auto Method, class T>
Callback bind(T* object) {
    return {[](void* context) { (static_cast<T*>(context)->*Method)(); }, object};
}

/// Something that happens at a time. Owned by its component, which arms and re-arms it through
/// the Simulation; pinned, since the simulation knows its address; unregisters (and cancels)
/// itself on destruction, also from inside its own handler. The simulation must outlive it.
class Event {
public:
    using Handler = void (*)(void* context);

    /// The name serves messages, traces and the fingerprint; it need not be unique.
    Event(Simulation& simulation, std::string name, Phase phase, Callback callback);

    Event(Simulation& simulation, std::string name, Phase phase, Handler handler, void* context)
        : Event{simulation, std::move(name), phase, Callback{handler, context}} {}

    Event(const Event&) = delete;
    Event(Event&&) = delete;
    Event& operator=(const Event&) = delete;
    Event& operator=(Event&&) = delete;
    ~Event();

    /// False inside the event's own handler until it is armed again.
    [[nodiscard]] bool is_scheduled() const;

    /// When it will fire; only for a scheduled event.
    [[nodiscard]] Time time() const;

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] Phase phase() const { return phase_; }

private:
    friend class Simulation;

    Callback callback_;
    std::uint64_t identity_;
    Simulation* simulation_;
    std::uint32_t slot_ = 0;
    Phase phase_;
    std::string name_;
};

}  // namespace idlesim
