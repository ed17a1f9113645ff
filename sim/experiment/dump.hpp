// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The files of a stateN directory that hold a number (drivers/cpuidle/sysfs.c, 6.3).
enum class DumpValue : std::uint8_t {
    latency,
    residency,
    power,
    disable,
    usage,
    time,
    above,
    below,
    rejected,
};

inline constexpr std::array<std::string_view, 9> kDumpValueNames{
    "latency", "residency", "power", "disable", "usage", "time", "above", "below", "rejected"};

/// The largest number that is believed: 285 years in microseconds. Sums over 1024 CPUs fit.
inline constexpr std::uint64_t kLargestDumpValue = std::uint64_t{1} << 53U;

/// `power` of a state that sets none: -1 printed as an unsigned 32-bit number.
inline constexpr std::uint64_t kUnsetPower = 0xffffffff;

/// One idle state of one CPU, or of several whose counters are added. What the kernel did not show
/// is absent, not zero.
struct DumpState {
    int index = 0;
    std::string name;
    std::string desc;
    std::string default_status;
    std::array<std::optional<std::uint64_t>, kDumpValueNames.size()> values{};
    int line = 0;  ///< of the file, where the state appears first; 0: unknown

    [[nodiscard]] const std::optional<std::uint64_t>& value(DumpValue which) const {
        return values[static_cast<std::size_t>(which)];
    }

    [[nodiscard]] std::optional<std::uint64_t>& value(DumpValue which) {
        return values[static_cast<std::size_t>(which)];
    }

    [[nodiscard]] bool is_off() const { return value(DumpValue::disable).value_or(0) != 0; }

    /// Name for people: never empty.
    [[nodiscard]] std::string title() const;
};

struct DumpCpu {
    int number = 0;
    std::string core_type;          ///< where the dump tells: "cpu_core", "capacity 446"
    std::vector<DumpState> states;  ///< by index
};

/// In what form a dump came.
enum class DumpFormat : std::uint8_t { grep, bare, pepc, stats_collect, headed, cpupower, tree };

[[nodiscard]] std::string_view to_text(DumpFormat format);

/// The cpuidle part of a sysfs tree, read from text that somebody pasted or from the live machine;
/// or the difference of two.
struct Dump {
    std::string path;
    DumpFormat format = DumpFormat::grep;
    std::string driver;
    std::string governor;
    /// The text names its CPUs. If not, they are counted from 0 in the order of the text, which is
    /// the shell's (cpu0 cpu1 cpu10), not the machine's.
    bool numbered = true;
    std::vector<DumpCpu> cpus;                ///< those with idle states, by number
    std::vector<int> cpus_without_cpuidle{};  ///< named by the dump, but without idle states
    int ignored_lines = 0;                    ///< lines of the file that say nothing about CPUs
    int first_ignored_line = 0;

    /// "3", or "#3" where the dump does not name its CPUs.
    [[nodiscard]] std::string cpu_name(int number) const;
};

/// CPUs, and their idle states with the counters added. A counter that any of them lacks is absent,
/// as is a declared number on which they differ.
struct DumpGroup {
    std::string label;
    std::vector<int> cpus;
    std::vector<DumpState> states;

    /// Sum over the states; absent where a state lacks it.
    [[nodiscard]] std::optional<std::uint64_t> total(DumpValue which) const;
};

/// Groups the CPUs by core type and table of states (name, description, declared numbers).
[[nodiscard]] std::vector<DumpGroup> classes_of(const Dump& dump);

/// All CPUs. States of different tables are taken for the same one where they have the same name.
[[nodiscard]] DumpGroup all_of(const Dump& dump);

[[nodiscard]] DumpGroup group_of(const Dump& dump, const DumpCpu& cpu);

/// Like the kernel's lists: "0-3,128-131".
[[nodiscard]] std::string cpu_list(const std::vector<int>& cpus);

}  // namespace idlesim
