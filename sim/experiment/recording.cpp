// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/recording.hpp"

#include "sim/experiment/data_files.hpp"
#include "sim/experiment/ftrace_idle.hpp"

#include <optional>

#include <fmt/format.h>

namespace idlesim {
namespace {

// As a name alone, and as shipped experiments spell it.
constexpr const char* kTraceFolder = "experiments/traces";
constexpr const char* kExperimentFolder = "experiments";

Duration from_nanoseconds(std::int64_t value) {
    return std::chrono::nanoseconds{value};
}

/// Turns idle intervals into arrivals. The work of a wake-up is known when the next interval
/// begins.
class Arrivals {
public:
    explicit Arrivals(FtraceReader& reader) : reader_{reader} {}

    void add(const IdleInterval& interval) {
        const std::int64_t start = reader_.summary().first_time;
        Cpu& cpu = cpus_[interval.cpu];
        if (cpu.last && !interval.stayed) {
            cpu.wakes.arrivals[*cpu.last].work = from_nanoseconds(interval.begin - cpu.last_end);
        }
        cpu.last.reset();
        if (interval.cause.kind == WakeKind::tick) {
            return;
        }
        Arrival arrival;
        arrival.at = from_nanoseconds(interval.end - start);
        arrival.kind = kind_of(interval.cause.kind);
        arrival.irq = arrival.kind == ArrivalKind::device ? device(interval.cause.irq) : 0;
        cpu.last = cpu.wakes.arrivals.size();
        cpu.last_end = interval.end;
        cpu.wakes.arrivals.push_back(arrival);
    }

    [[nodiscard]] RecordedWakes finish() {
        RecordedWakes wakes;
        for (auto& [number, cpu] : cpus_) {
            if (cpu.last) {
                // It worked to the end of the trace, as far as that tells.
                const std::int64_t rest = reader_.summary().last_time - cpu.last_end;
                cpu.wakes.arrivals[*cpu.last].work = from_nanoseconds(rest);
            }
            if (!cpu.wakes.arrivals.empty()) {
                cpu.wakes.cpu = number;
                wakes.cpus.push_back(std::move(cpu.wakes));
            }
        }
        wakes.devices.resize(devices_.size());
        for (const auto& [irq, index] : devices_) {
            const auto name = reader_.irq_names().find(irq);
            wakes.devices[static_cast<std::size_t>(index)] = fmt::format(
                "irq {}{}", irq, name == reader_.irq_names().end() ? "" : " " + name->second);
        }
        wakes.length = from_nanoseconds(reader_.summary().last_time - reader_.summary().first_time);
        return wakes;
    }

private:
    struct Cpu {
        CpuArrivals wakes;
        std::optional<std::size_t> last;  ///< arrival whose work is not known yet
        std::int64_t last_end = 0;
    };

    static ArrivalKind kind_of(WakeKind kind) {
        switch (kind) {
            case WakeKind::timer:
                return ArrivalKind::timer;
            case WakeKind::device:
            case WakeKind::other_interrupt:
                return ArrivalKind::device;
            default:
                return ArrivalKind::remote;
        }
    }

    int device(int irq) {
        return devices_.try_emplace(irq, static_cast<int>(devices_.size())).first->second;
    }

    FtraceReader& reader_;
    std::map<int, Cpu> cpus_;
    std::map<int, int> devices_;
};

}  // namespace

RecordedWakes read_recorded_wakes(const std::string& path) {
    FtraceReader reader{path};
    Arrivals arrivals{reader};
    IdleIntervals intervals{[&](const IdleInterval& interval) { arrivals.add(interval); }};
    FtraceEvent event;
    while (reader.next(event)) {
        intervals.add(event);
    }
    intervals.finish();
    RecordedWakes wakes = arrivals.finish();
    if (wakes.cpus.empty()) {
        reader.fail(
            "no CPU is woken from idle here; expected ftrace text with cpu_idle events, such as "
            "\"<idle>-0 [002] 153.042137: cpu_idle: state=1 cpu_id=2\"");
    }
    return wakes;
}

std::shared_ptr<const RecordedWakes> Recordings::read(const std::string& path) {
    const std::scoped_lock lock{mutex_};
    std::shared_ptr<const RecordedWakes>& recorded = by_path_[path];
    if (!recorded) {
        recorded = std::make_shared<const RecordedWakes>(read_recorded_wakes(path));
    }
    return recorded;
}

void read_recording(Scenario& scenario,
                    const std::filesystem::path& naming_file,
                    Recordings& recordings,
                    config::Diagnostics& diagnostics) {
    if (!scenario.workload.make) {
        return;
    }
    const auto workload = scenario.workload.make();
    const config::Located<std::string>* named = workload->recording();
    if (named == nullptr) {
        return;
    }
    std::optional<FoundFile> found = find_data_file(named->value, naming_file, kTraceFolder);
    if (!found) {
        found = find_data_file(named->value, naming_file, kExperimentFolder);
    }
    if (!found) {
        diagnostics.error(
            named->location,
            fmt::format(
                "there is no trace '{}' beside this file or in {}", named->value, kTraceFolder));
        return;
    }
    try {
        scenario.recorded = recordings.read(displayed(found->path));
    } catch (const config::ConfigError& error) {
        diagnostics.error(named->location,
                          fmt::format("the trace cannot be used:\n{}", error.what()));
    }
}

}  // namespace idlesim
