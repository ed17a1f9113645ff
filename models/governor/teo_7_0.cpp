// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/teo7_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/teo.c, 7.0.9.
class Teo70 final : public Teo7Governor {
public:
    struct Params {};

    explicit Teo70(Params /*params*/) : Teo7Governor{Teo7Rules::floor} {}
};

const Register<Governor, Teo70> kTeo70{
    "teo@7.0", "teo of Linux 7.0: with the tick stopped never below a state of a tick"};

}  // namespace
}  // namespace idlesim
