// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/converter.hpp"
#include "sim/engine/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A workload as rt-app reads it from JSON (its doc/tutorial.txt).
namespace idlesim::rt_app {

enum class Action : std::uint8_t {
    run,
    sleep,
    timer,
    suspend,
    resume,
    lock,
    unlock,
    wait,
    signal,
    broadcast,
    sync,
    barrier,
    yield
};

/// One thing that a task does.
struct Event {
    Action action = Action::run;
    Duration time{};        ///< of run and sleep; period of a timer
    int resource = -1;      ///< condition, mutex, timer or barrier
    int mutex = -1;         ///< of wait and sync
    bool absolute = false;  ///< timer: periods that were missed are caught up
};

struct Phase {
    std::int64_t loop = 1;  ///< kForever: without end
    std::vector<Event> events;
};

constexpr std::int64_t kForever = -1;

struct TaskSpec {
    std::string name;
    int instances = 1;
    std::int64_t loop = kForever;
    Duration delay{};       ///< before the first event
    std::vector<int> cpus;  ///< none: wherever the workload may run
    std::vector<Phase> phases;
    config::Location cpus_location;
};

struct TimerSpec {
    std::string name;
    /// A name that begins with "unique" is a timer of each task; any other is shared.
    bool is_unique = false;
};

struct Profile {
    std::vector<TaskSpec> tasks;
    std::optional<Duration> duration;  ///< absent: until all tasks have ended
    std::vector<TimerSpec> timers;
    std::vector<std::string> conditions;
    std::vector<std::string> mutexes;
    std::vector<std::string> barriers;
    std::vector<int> barrier_parties;  ///< [barrier] task instances that meet there

    [[nodiscard]] int instances() const;

    /// Some task never ends by itself.
    [[nodiscard]] bool is_endless() const;

    /// Phases that all tasks execute together, repetitions counted; of a profile with an end.
    [[nodiscard]] double phase_count() const;
};

/// Reads a profile from the tree of its JSON; reports all that is wrong, and warns once about each
/// setting that is passed over because the model has nothing that it could change.
std::optional<Profile> read_profile(const config::Node& root, config::Diagnostics&);

/// The profile in a JSON file that the configuration names.
struct ProfileFile {
    std::string path;
    std::shared_ptr<const Profile> profile;
};

}  // namespace idlesim::rt_app

template <>
struct idlesim::config::Converter<idlesim::rt_app::ProfileFile> {
    static bool read(const Node& node, rt_app::ProfileFile& out, Diagnostics& diagnostics);
    static std::string write(const rt_app::ProfileFile& value);
    static std::optional<Node> to_node(const rt_app::ProfileFile& value);
    static TypeDescription describe(int depth);
};
