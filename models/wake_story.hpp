// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/wake_scene.hpp"

#include <string>

namespace idlesim {

/// Runs a scene whose event is lost and tells it: the operations of the entry in the order of
/// their execution, separated by "; ", the event behind ">>>", and what the CPU is left in.
std::string tell(WakeScene& scene);

}  // namespace idlesim
