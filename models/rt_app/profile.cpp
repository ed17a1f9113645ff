// SPDX-License-Identifier: Apache-2.0
#include "models/rt_app/profile.hpp"

#include "sim/config/input_file.hpp"
#include "sim/config/json_tree.hpp"

#include <algorithm>

namespace idlesim::rt_app {

int Profile::instances() const {
    int count = 0;
    for (const TaskSpec& task : tasks) {
        count += task.instances;
    }
    return count;
}

bool Profile::is_endless() const {
    return std::any_of(tasks.begin(), tasks.end(), [](const TaskSpec& task) {
        return task.loop == kForever ||
               std::any_of(task.phases.begin(), task.phases.end(), [](const Phase& phase) {
                   return phase.loop == kForever;
               });
    });
}

double Profile::phase_count() const {
    double count = 0;
    for (const TaskSpec& task : tasks) {
        double once = 0;
        for (const Phase& phase : task.phases) {
            once += static_cast<double>(phase.loop);
        }
        count += once * static_cast<double>(task.loop) * task.instances;
    }
    return count;
}

}  // namespace idlesim::rt_app

namespace idlesim::config {

namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20U;

}  // namespace

bool Converter<rt_app::ProfileFile>::read(const Node& node,
                                          rt_app::ProfileFile& out,
                                          Diagnostics& diagnostics) {
    const auto file = read_input_file(node, {kMostBytes, "profile of rt-app"}, diagnostics);
    if (!file) {
        return false;
    }
    const Node root = parse_json(file->text, file->name, diagnostics);
    auto profile = rt_app::read_profile(root, diagnostics);
    if (!profile) {
        return false;
    }
    out.path = node.text();
    out.profile = std::make_shared<const rt_app::Profile>(std::move(*profile));
    return true;
}

std::string Converter<rt_app::ProfileFile>::write(const rt_app::ProfileFile& value) {
    return Converter<std::string>::write(value.path);
}

std::optional<Node> Converter<rt_app::ProfileFile>::to_node(const rt_app::ProfileFile& /*value*/) {
    return std::nullopt;
}

TypeDescription Converter<rt_app::ProfileFile>::describe(int /*depth*/) {
    TypeDescription description;
    description.form = TypeDescription::Form::string;
    description.name = "path";
    return description;
}

}  // namespace idlesim::config
