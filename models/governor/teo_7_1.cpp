// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/teo7_governor.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// drivers/cpuidle/governors/teo.c, 7.1-rc4.
class Teo71 final : public Teo7Governor {
public:
    struct Params {};

    explicit Teo71(Params /*params*/) : Teo7Governor{Teo7Rules::safe_timer} {}
};

const Register<Governor, Teo71> kTeo71{
    "teo@7.1", "teo of Linux 7.1: with the tick stopped a far timer sends it deeper"};

}  // namespace
}  // namespace idlesim
