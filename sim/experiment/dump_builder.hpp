// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/dump.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// Puts a dump together from single sysfs files in any order.
class DumpBuilder {
public:
    DumpBuilder(std::string path, DumpFormat format);

    /// Takes the content of one sysfs file. Returns what is wrong with the content, or nothing.
    /// Files that say nothing about idle states are counted, not refused.
    [[nodiscard]] std::string add_file(std::string_view path, std::string_view content, int line);

    /// The same for a file of a stateN directory.
    [[nodiscard]] std::string add_value(
        int cpu, int state, std::string_view file, std::string_view content, int line);

    void add_cpu(int cpu) { named_.insert(cpu); }

    void add_ignored(int line);

    void set_driver(std::string_view driver) { dump_.driver = driver; }

    void set_governor(std::string_view governor) { dump_.governor = governor; }

    void set_unnumbered() { dump_.numbered = false; }

    /// Nothing at all was found that belongs to a CPU.
    [[nodiscard]] bool is_empty() const { return states_.empty() && named_.empty(); }

    [[nodiscard]] Dump take();

private:
    [[nodiscard]] std::string add_core_type(std::string_view type, std::string_view list);
    void add_global(std::string_view file, std::string_view content);

    Dump dump_;
    std::map<int, std::map<int, DumpState>> states_;
    std::set<int> named_;
    std::map<int, std::string> core_types_;
};

/// A whole number at the start of a name: 12 for "cpu12" after "cpu"; -1 if there is none.
[[nodiscard]] int number_after(std::string_view text, std::string_view prefix);

}  // namespace idlesim
