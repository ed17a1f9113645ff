// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/event.hpp"

#include "sim/engine/hash.hpp"
#include "sim/engine/simulation.hpp"

namespace idlesim {

Event::Event(Simulation& simulation, std::string name, Phase phase, Callback callback)
    : callback_{callback},
      identity_{mix64(hash_text(name) + static_cast<std::uint64_t>(phase))},
      simulation_{&simulation},
      phase_{phase},
      name_{std::move(name)} {
    slot_ = simulation.register_event(*this);
}

Event::~Event() {
    simulation_->unregister_event(*this);
}

Time Event::time() const {
    IDLESIM_CHECK(is_scheduled(), "only a scheduled event has a time");
    return simulation_->queue_.time(slot_);
}

}  // namespace idlesim
