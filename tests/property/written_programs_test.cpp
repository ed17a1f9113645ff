// SPDX-License-Identifier: Apache-2.0
// What find_lost_wakeup() accepts on its plain machine holds on any other.
#include "models/lost_wakeup.hpp"
#include "models/wake_scene.hpp"
#include "sim/config/load.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

std::size_t below(std::size_t count, RandomStream& stream) {
    return static_cast<std::size_t>(stream.uniform() * static_cast<double>(count));
}

/// Operations in any order; many a one is refused, and most lose wake-ups.
std::string random_operations(RandomStream& stream) {
    constexpr std::array kOperations{"cli",
                                     "sti",
                                     "sti",
                                     "set_polling",
                                     "set_polling",
                                     "clear_polling",
                                     "test_need_resched out",
                                     "test_need_resched out",
                                     "test_need_resched out",
                                     "monitor",
                                     "monitor",
                                     "mwait",
                                     "mwait break_on_irq",
                                     "hlt",
                                     "io_read",
                                     "work flush",
                                     "pause_loop 1 us"};
    std::string operations;
    for (std::size_t i = 2 + below(7, stream); i > 0; --i) {
        operations += kOperations[below(kOperations.size(), stream)];
        operations += ", ";
    }
    return operations + "label out, cli, clear_polling";
}

std::unique_ptr<IdleStrategy> read(const std::string& operations) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        "{strategy: program, operations: [" + operations + "]}", "p", diagnostics);
    Choice<IdleStrategy> choice;
    const bool good = config::Converter<Choice<IdleStrategy>>::read(root, choice, diagnostics);
    return good ? choice.make() : nullptr;
}

PlatformSpec with_random_costs(PlatformSpec platform, RandomStream& stream) {
    for (auto& entry : platform.costs.entries) {
        entry.value.value = Duration{1 + static_cast<std::int64_t>(below(20'000, stream))};
    }
    return platform;
}

Duration random_time(RandomStream& stream) {
    return Duration{static_cast<std::int64_t>(below(6'000'000, stream) >> below(4, stream))};
}

WakeScript random_script(RandomStream& stream) {
    WakeScript script;
    script.event = static_cast<WakeEvent>(below(3, stream));
    script.at = random_time(stream);
    script.disturbance = static_cast<Disturbance>(below(2, stream));
    for (std::size_t i = below(3, stream); i > 0; --i) {
        const Duration at = random_time(stream);
        // One that came later would come to the rescue.
        if (at < *script.at) {
            script.disturbed_at.push_back(at);
        }
    }
    return script;
}

}  // namespace

TEST_CASE("a program without a lost wake-up loses none at any costs", "[property]") {
    RandomStream stream{2024, "test.written_programs"};
    int accepted = 0;
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        const std::string operations = random_operations(stream);
        const std::unique_ptr<IdleStrategy> strategy = read(operations);
        if (strategy == nullptr) {
            continue;
        }
        if (const auto found = find_lost_wakeup(*strategy)) {
            ++refused;
            INFO(operations << ": " << found->interleaving);
            CHECK(found->interleaving.find(">>>") != std::string::npos);
            continue;
        }
        ++accepted;
        const PlatformSpec plain = platform_for(*strategy);
        for (int attempt = 0; attempt < 60; ++attempt) {
            const PlatformSpec platform = with_random_costs(plain, stream);
            const WakeScript script = random_script(stream);
            WakeScene scene{platform, *strategy, script};
            scene.start();
            INFO(operations << ", " << name_of(script.event) << " at " << script.at->count()
                            << " ps");
            CHECK(scene.comes_through());
        }
    }
    INFO(accepted << " accepted, " << refused << " refused");
    CHECK(accepted > 50);
    CHECK(refused > 30);
}

}  // namespace idlesim
