// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/describe.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The kinds of one interface without their types; Registry adds the types. `make` arguments
/// point to the std::function of the interface's Choice.
class KindTable {
public:
    struct Kind {
        std::string help;
        std::function<std::vector<config::FieldDescription>(int depth)> describe;
        std::function<bool(config::Node& map,
                           const std::vector<std::string>& others,
                           void* make,
                           config::Diagnostics& diagnostics)>
            read;
    };

    /// Throws std::logic_error for a name that is taken.
    void add(std::string name, Kind kind);

    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] const Kind& at(std::string_view name) const;
    [[nodiscard]] config::TypeDescription describe(std::string_view kind_key, int depth) const;

    bool read(config::Node& node,
              std::string_view kind_key,
              std::string& kind,
              void* make,
              config::Diagnostics& diagnostics) const;

    void read_default(std::string_view name, void* make) const;

private:
    std::map<std::string, Kind, std::less<>> kinds_;
};

namespace config {

/// The default of a choice: the kind's name, or nothing when there is none.
[[nodiscard]] std::optional<Node> kind_node(const std::string& kind);

}  // namespace config
}  // namespace idlesim
