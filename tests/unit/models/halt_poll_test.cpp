// SPDX-License-Identifier: Apache-2.0
// The host's poll window against the rules of kvm_vcpu_halt(), virt/kvm/kvm_main.c, 6.12.
#include "models/hypervisor/halt_poll.hpp"

#include "tests/catch.hpp"

#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// Windows with which halts of these lengths, in nanoseconds, begin; the first is that of boot.
std::vector<std::uint32_t> windows(const HaltPollSpec& spec, const std::vector<int>& halts) {
    HaltPollWindow window{spec};
    std::vector<std::uint32_t> lengths;
    for (const int halt : halts) {
        lengths.push_back(window.begin());
        window.end(halt);
    }
    lengths.push_back(window.begin());
    return lengths;
}

using Lengths = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the poll window grows from its start by its factor up to the longest", "[vm]") {
    CHECK(windows({}, {50'000, 50'000, 50'000, 50'000, 50'000}) ==
          Lengths{0, 10'000, 20'000, 40'000, 80'000, 80'000});
    CHECK(windows({}, {199'999, 199'999, 199'999, 199'999, 199'999, 199'999}) ==
          Lengths{0, 10'000, 20'000, 40'000, 80'000, 160'000, 200'000});
}

TEST_CASE("a halt within the window, or as long as the longest, leaves it as it is", "[vm]") {
    CHECK(windows({}, {50'000, 10'000, 1}) == Lengths{0, 10'000, 10'000, 10'000});
    CHECK(windows({}, {50'000, 200'000}) == Lengths{0, 10'000, 10'000});
}

TEST_CASE("a long halt shrinks the window, to nothing below its start", "[vm]") {
    CHECK(windows({}, {50'000, 50'000, 50'000, 200'001, 200'001, 200'001, 200'001}) ==
          Lengths{0, 10'000, 20'000, 40'000, 20'000, 10'000, 0, 0});
    HaltPollSpec up_to_6_8;
    up_to_6_8.shrink = 0;
    CHECK(windows(up_to_6_8, {50'000, 50'000, 200'001}) == Lengths{0, 10'000, 20'000, 0});
}

TEST_CASE("a factor of 0 never grows, a longest of 0 never polls", "[vm]") {
    HaltPollSpec still;
    still.grow = 0;
    CHECK(windows(still, {50'000, 50'000}) == Lengths{0, 0, 0});
    HaltPollSpec none;
    none.max = 0us;
    CHECK(windows(none, {50'000, 1}) == Lengths{0, 0, 0});
}

}  // namespace idlesim
