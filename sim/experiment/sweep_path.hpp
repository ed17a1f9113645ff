// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <string>

namespace idlesim {

/// Puts `value` at "a.b[2].c" below `root`, in place of what was there; maps that are missing on
/// the way are made. The key gets the place `where`. False, reported, when there is no such place.
bool put_at_path(config::Node& root,
                 const std::string& path,
                 const config::Location& where,
                 const config::Node& value,
                 config::Diagnostics& diagnostics);

}  // namespace idlesim
