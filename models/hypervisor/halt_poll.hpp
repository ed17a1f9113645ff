// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/virtual_machine_spec.hpp"

#include <cstdint>

namespace idlesim {

/// How long the host polls for one virtual CPU: longer after halts that a longer poll would have
/// caught, shorter after those that none would (kvm_vcpu_halt(), grow_halt_poll_ns(),
/// shrink_halt_poll_ns(), virt/kvm/kvm_main.c, 6.12). In whole nanoseconds of 32 bits, as there.
class HaltPollWindow {
public:
    explicit HaltPollWindow(const HaltPollSpec& spec);

    /// A halt begins: how long to poll, in nanoseconds.
    [[nodiscard]] std::uint32_t begin();

    /// It is over, after so long in all.
    void end(std::int64_t halted);

    [[nodiscard]] std::uint32_t length() const { return length_; }

private:
    void grow();
    void shrink();

    std::uint32_t max_;
    std::uint32_t grow_;
    std::uint32_t grow_start_;
    std::uint32_t shrink_;
    std::uint32_t length_ = 0;
};

}  // namespace idlesim
