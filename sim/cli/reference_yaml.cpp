// SPDX-License-Identifier: Apache-2.0
#include "models/scenario.hpp"
#include "sim/cli/catalogue.hpp"
#include "sim/cli/reference.hpp"
#include "sim/experiment/stat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

using config::FieldDescription;
using config::TypeDescription;
using Form = TypeDescription::Form;

constexpr std::size_t kLongestDefault = 40;

/// Inside a table of Markdown.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '|' ? "\\|" : c == '\n' ? " " : std::string{c};
    }
    return result;
}

std::string type_of(const TypeDescription& type) {
    switch (type.form) {
        case Form::quantity:
            return fmt::format("{} ({})", type.name, type.units);
        case Form::enumeration:
            return fmt::format("`{}`", fmt::join(type.names, "`, `"));
        case Form::list:
            return "list of " + type_of(type.item.front());
        case Form::dictionary:
            return "names, each with " + type_of(type.item.front());
        case Form::choice:
            return fmt::format("map with `{}`, or its value alone", type.kind_key);
        default:
            return type.name;
    }
}

std::string default_of(const FieldDescription& field) {
    if (field.required) {
        return "required";
    }
    const std::string& text = field.default_text;
    return text.empty() || text.size() > kLongestDefault || text == "{}" || text == "[]" ||
                   text == "null" || text == "\"\""
               ? ""
               : "`" + text + "`";
}

void add_rows(const std::vector<FieldDescription>& fields,
              const std::string& prefix,
              std::string& text) {
    for (const FieldDescription& field : fields) {
        const std::string key = prefix + field.key;
        std::string help = field.help;
        if (!field.constraint.empty()) {
            help += "; " + field.constraint;
        }
        text += fmt::format("| `{}` | {} | {} | {} |\n",
                            key,
                            cell(type_of(field.type)),
                            cell(default_of(field)),
                            cell(help));
        if (field.type.form == Form::structure) {
            add_rows(field.type.fields, key + ".", text);
        }
        if (!field.type.item.empty()) {
            add_rows(field.type.item.front().fields,
                     key + (field.type.form == Form::list ? "[]." : ".NAME."),
                     text);
        }
    }
}

std::string table_of(const std::vector<FieldDescription>& fields) {
    if (fields.empty()) {
        return "No parameters.\n\n";
    }
    std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
    add_rows(fields, "", text);
    return text + "\n";
}

/// The parts of an arm but for those that have chapters of their own.
std::vector<FieldDescription> scenario_fields() {
    std::vector<FieldDescription> fields =
        config::describe(parameters(static_cast<const Scenario*>(nullptr)));
    for (FieldDescription& field : fields) {
        if (field.type.form == Form::structure) {
            field.type.fields.clear();
        }
    }
    return fields;
}

std::string part(const char* title, const char* name, const std::vector<CatalogueEntry>& all) {
    for (const CatalogueEntry& entry : all) {
        if (entry.name == name && entry.thing == "part of a file") {
            return fmt::format("## {}\n\n{}", title, table_of(entry.fields));
        }
    }
    return {};
}

std::string kinds(const char* title, const char* thing, const std::vector<CatalogueEntry>& all) {
    std::string text = fmt::format("## {}\n\n", title);
    for (const CatalogueEntry& entry : all) {
        if (entry.thing == thing) {
            text += fmt::format(
                "### `{}`\n\n{}.\n\n{}", entry.name, entry.help, table_of(entry.fields));
        }
    }
    return text;
}

std::string metrics(const std::vector<CatalogueEntry>& all) {
    std::string text = "## Metrics\n\n| metric | what it is |\n|---|---|\n";
    for (const CatalogueEntry& entry : all) {
        if (entry.thing == "metric") {
            text += fmt::format("| `{}` | {} |\n", entry.name, cell(entry.help));
        }
    }
    return text + fmt::format("\nStatistics of each: {}.\n", fmt::join(stat_names(), ", "));
}

constexpr const char* kIntroduction = R"(<!-- SPDX-License-Identifier: Apache-2.0 -->
# Reference of the YAML files

Generated from the tables that read the files; a test keeps it so. `idlesim describe NAME` prints a
part of it, and editors with yaml-language-server complete and check from configs/schema/.

Physical values carry a unit and are written plainly: `2 us`, `1.9 GHz`, `6 %`. Unknown keys, duplicate
keys, numbers without a unit and quoted numbers are errors. `--set path=value` changes a value from the
command line.

)";

}  // namespace

std::string yaml_reference() {
    const std::vector<CatalogueEntry> all = catalogue();
    return kIntroduction + part("An experiment", "experiment", all) +
           "`arms` is a map of names. What an arm holds is laid over what stands at the top:\n\n" +
           table_of(scenario_fields()) + part("The kernel", "kernel", all) +
           part("A platform", "platform", all) +
           "`extends: NAME` lays a platform over another: maps are merged key by key, tables of "
           "states replaced.\n\n" +
           part("A sweep", "sweep", all) + part("A calibration", "calibration", all) +
           kinds("Workloads", "workload", all) + kinds("Idle strategies", "idle strategy", all) +
           kinds("Governors", "governor", all) +
           kinds("Interrupt sources", "interrupt source", all) +
           kinds("Arrival processes", "arrival process", all) +
           kinds("Placements", "placement", all) + metrics(all);
}

}  // namespace idlesim
