// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace idlesim {

class Kernel;

/// Something that interrupts CPUs on its own account. Built per run; attach() installs its
/// handlers and arms its first event.
class InterruptSource {
public:
    static constexpr std::string_view kKindKey = "kind";

    InterruptSource() = default;
    InterruptSource(const InterruptSource&) = delete;
    InterruptSource(InterruptSource&&) = delete;
    InterruptSource& operator=(const InterruptSource&) = delete;
    InterruptSource& operator=(InterruptSource&&) = delete;
    virtual ~InterruptSource() = default;

    /// Before Kernel::start(). The kernel outlives the source.
    virtual void attach(Kernel& kernel) = 0;
};

}  // namespace idlesim
