// SPDX-License-Identifier: Apache-2.0
// The JSON of rt-app as its src/rt-app_parse_config.c takes it: the kind of an event is what its
// key begins with ("run1"), and keys may repeat.
#include "models/rt_app/profile.hpp"
#include "sim/config/suggest.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace idlesim::rt_app {
namespace {

using config::Diagnostics;
using config::Node;
using Strings = std::vector<std::string>;

constexpr std::size_t kMostInstances = 1000;
constexpr std::size_t kMostEvents = 2000;
constexpr std::int64_t kMostLoops = 1'000'000'000;
constexpr std::int64_t kLongestMicroseconds = 3'600'000'000;

struct Word {
    std::string_view key;
    Action action;
};

constexpr std::array kWords{Word{"run", Action::run},
                            Word{"runtime", Action::run},
                            Word{"sleep", Action::sleep},
                            Word{"delay", Action::sleep},
                            Word{"timer", Action::timer},
                            Word{"suspend", Action::suspend},
                            Word{"resume", Action::resume},
                            Word{"lock", Action::lock},
                            Word{"unlock", Action::unlock},
                            Word{"wait", Action::wait},
                            Word{"signal", Action::signal},
                            Word{"broad", Action::broadcast},
                            Word{"sync", Action::sync},
                            Word{"barrier", Action::barrier},
                            Word{"yield", Action::yield}};

/// What a key of rt-app means that changes nothing here, and why.
struct Ignored {
    std::string_view key;
    std::string_view why;
};

constexpr std::string_view kNoClasses = "the modelled scheduler has no policies and no weights";
constexpr std::string_view kNoMemory = "memory and devices are not modelled";

constexpr std::array kIgnored{Ignored{"policy", kNoClasses},
                              Ignored{"priority", kNoClasses},
                              Ignored{"dl-runtime", kNoClasses},
                              Ignored{"dl-period", kNoClasses},
                              Ignored{"dl-deadline", kNoClasses},
                              Ignored{"util_min", kNoClasses},
                              Ignored{"util_max", kNoClasses},
                              Ignored{"taskgroup", "control groups are not modelled"},
                              Ignored{"nodes_membind", kNoMemory},
                              Ignored{"mem", kNoMemory},
                              Ignored{"iorun", kNoMemory},
                              Ignored{"memload", kNoMemory},
                              Ignored{"fork", "tasks are not started by others"}};

/// "run" fits "run", "run1" and "run_a".
bool fits(std::string_view key, std::string_view word) {
    if (!key.starts_with(word)) {
        return false;
    }
    const std::string_view rest = key.substr(word.size());
    return rest.empty() || rest[0] == '_' || rest[0] == '-' || (rest[0] >= '0' && rest[0] <= '9');
}

template <class Table>
auto find_word(const Table& table, std::string_view key) {
    return std::find_if(
        table.begin(), table.end(), [&](const auto& entry) { return fits(key, entry.key); });
}

class ProfileReader {
public:
    explicit ProfileReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    std::optional<Profile> read(const Node& root);

private:
    void read_global(const Node& global);
    void read_tasks(const Node& tasks);
    void read_task(const Node& node);
    void read_setting(const Node& node, TaskSpec& task);
    void read_phases(const Node& node, TaskSpec& task);
    void read_phase(const Node& node, Phase& phase);
    bool read_event(const Node& node, Phase& phase);
    Event event_of(Action action, const Node& node);
    void read_timer(const Node& node, Event& event);
    void read_wait(const Node& node, Event& event);
    void check_loops(const TaskSpec& task, const config::Location& where);
    void count_parties();

    void pass_over(const Node& node, std::string_view why);
    void unknown(const Node& node, Strings known);
    void error(const Node& node, std::string_view what);
    std::int64_t integer(const Node& node, std::int64_t low, std::int64_t high);
    Duration microseconds(const Node& node, std::int64_t low);
    std::string name(const Node& node);
    const Node* member(const Node& map, std::string_view key);
    static int index_of(Strings& names, std::string name);
    int timer_of(std::string name);

    Diagnostics& diagnostics_;
    Profile profile_;
    std::string task_;  // that is being read
    std::set<std::string, std::less<>> passed_over_;
};

std::optional<Profile> ProfileReader::read(const Node& root) {
    const int errors_before = diagnostics_.errors();
    if (root.is_invalid() || !config::expect_map(root, diagnostics_)) {
        return std::nullopt;
    }
    const Node* tasks = nullptr;
    for (const Node& child : root.children()) {
        if (child.key() == "tasks") {
            tasks = &child;
            read_tasks(child);
        } else if (child.key() == "global") {
            read_global(child);
        } else if (child.key() != "resources") {  // these are declared by their use
            unknown(child, {"tasks", "global", "resources"});
        }
    }
    if (tasks == nullptr) {
        diagnostics_.error(root.location(), "key 'tasks' is missing: the tasks by their names");
    } else if (tasks->is_map() && profile_.tasks.empty()) {
        error(*tasks, "there is no task");
    }
    if (profile_.instances() > static_cast<int>(kMostInstances)) {
        error(*tasks, fmt::format("more than {} task instances", kMostInstances));
    }
    count_parties();
    return diagnostics_.errors() == errors_before ? std::optional{std::move(profile_)}
                                                  : std::nullopt;
}

// Logging, calibration and locking of memory change nothing that is simulated.
void ProfileReader::read_global(const Node& global) {
    if (!config::expect_map(global, diagnostics_)) {
        return;
    }
    if (const Node* duration = global.find("duration")) {
        const std::int64_t seconds = integer(*duration, -1, 86'400);
        if (seconds >= 0) {
            profile_.duration = std::chrono::seconds{seconds};
        }
    }
}

void ProfileReader::read_tasks(const Node& tasks) {
    if (!config::expect_map(tasks, diagnostics_)) {
        return;
    }
    for (const Node& task : tasks.children()) {
        if (config::expect_map(task, diagnostics_)) {
            read_task(task);
        }
    }
}

void ProfileReader::read_task(const Node& node) {
    TaskSpec task;
    task.name = task_ = node.key();
    const Node* phases = node.find("phases");
    Phase only;
    for (const Node& child : node.children()) {
        const std::string& key = child.key();
        if (key == "loop" || key == "instance" || key == "cpus" || key == "delay") {
            read_setting(child, task);
        } else if (&child == phases) {
            read_phases(child, task);
        } else if (read_event(child, only) && phases != nullptr) {
            error(child, "events beside 'phases' are not executed by rt-app; move it into a phase");
        }
    }
    if (phases == nullptr) {
        task.phases.push_back(std::move(only));
    }
    std::size_t events = 0;
    for (const Phase& phase : task.phases) {
        events += phase.events.size();
    }
    if (events > kMostEvents) {
        error(node, fmt::format("more than {} events", kMostEvents));
    }
    check_loops(task, node.key_location());
    profile_.tasks.push_back(std::move(task));
}

void ProfileReader::read_setting(const Node& node, TaskSpec& task) {
    if (node.key() == "loop") {
        task.loop = integer(node, kForever, kMostLoops);
    } else if (node.key() == "instance") {
        task.instances = static_cast<int>(integer(node, 0, kMostInstances));
    } else if (node.key() == "delay") {
        task.delay = microseconds(node, 0);
    } else if (config::expect_sequence(node, diagnostics_)) {
        task.cpus_location = node.location();
        for (const Node& cpu : node.children()) {
            task.cpus.push_back(static_cast<int>(integer(cpu, 0, 100'000)));
        }
        std::sort(task.cpus.begin(), task.cpus.end());
        task.cpus.erase(std::unique(task.cpus.begin(), task.cpus.end()), task.cpus.end());
    }
}

void ProfileReader::read_phases(const Node& node, TaskSpec& task) {
    if (!config::expect_map(node, diagnostics_)) {
        return;
    }
    for (const Node& child : node.children()) {
        if (config::expect_map(child, diagnostics_)) {
            read_phase(child, task.phases.emplace_back());
        }
    }
    if (node.children().empty()) {
        error(node, "there is no phase");
    }
}

void ProfileReader::read_phase(const Node& node, Phase& phase) {
    for (const Node& child : node.children()) {
        if (child.key() == "loop") {
            phase.loop = integer(child, kForever, kMostLoops);
        } else if (child.key() == "cpus") {
            pass_over(child, "a task keeps its CPUs from phase to phase");
        } else {
            read_event(child, phase);
        }
    }
}

/// True when the key is that of an event.
bool ProfileReader::read_event(const Node& node, Phase& phase) {
    // "runtime" also begins with "run", but what follows is no number.
    if (const auto* word = find_word(kWords, node.key()); word != kWords.end()) {
        phase.events.push_back(event_of(word->action, node));
        return true;
    }
    if (const auto* ignored = find_word(kIgnored, node.key()); ignored != kIgnored.end()) {
        pass_over(node, ignored->why);
        return false;
    }
    Strings known{"loop", "phases", "instance", "cpus"};
    for (const Word& word : kWords) {
        known.emplace_back(word.key);
    }
    unknown(node, std::move(known));
    return false;
}

Event ProfileReader::event_of(Action action, const Node& node) {
    Event event;
    event.action = action;
    switch (action) {
        case Action::run:
        case Action::sleep:
            event.time = microseconds(node, 0);
            break;
        case Action::timer:
            read_timer(node, event);
            break;
        case Action::suspend:
        case Action::resume: {
            // One that names nothing means the task itself.
            const std::string given = name(node);
            event.resource =
                index_of(profile_.conditions, "suspend " + (given.empty() ? task_ : given));
            break;
        }
        case Action::signal:
        case Action::broadcast:
            event.resource = index_of(profile_.conditions, "wait " + name(node));
            break;
        case Action::wait:
        case Action::sync:
            read_wait(node, event);
            break;
        case Action::lock:
        case Action::unlock:
            event.resource = index_of(profile_.mutexes, name(node));
            break;
        case Action::barrier:
            event.resource = index_of(profile_.barriers, name(node));
            break;
        case Action::yield:
            break;
    }
    return event;
}

void ProfileReader::read_timer(const Node& node, Event& event) {
    if (!config::expect_map(node, diagnostics_)) {
        return;
    }
    const Node* ref = member(node, "ref");
    const Node* period = member(node, "period");
    event.resource = ref != nullptr ? timer_of(name(*ref)) : -1;
    event.time = period != nullptr ? microseconds(*period, 1) : Duration{1};
    for (const Node& child : node.children()) {
        if (child.key() == "mode") {
            const std::string mode = name(child);
            event.absolute = mode == "absolute";
            if (!event.absolute && mode != "relative") {
                error(child, fmt::format("expected \"absolute\" or \"relative\", not '{}'", mode));
            }
        } else if (child.key() != "ref" && child.key() != "period") {
            unknown(child, {"ref", "period", "mode"});
        }
    }
}

void ProfileReader::read_wait(const Node& node, Event& event) {
    if (!config::expect_map(node, diagnostics_)) {
        return;
    }
    const Node* ref = member(node, "ref");
    const Node* mutex = member(node, "mutex");
    if (ref != nullptr && mutex != nullptr) {
        event.resource = index_of(profile_.conditions, "wait " + name(*ref));
        event.mutex = index_of(profile_.mutexes, name(*mutex));
    }
    for (const Node& child : node.children()) {
        if (child.key() != "ref" && child.key() != "mutex") {
            unknown(child, {"ref", "mutex"});
        }
    }
}

// Locks and wake-ups cost what the platform says, which may be nothing.
bool takes_time(const Phase& phase) {
    return std::any_of(phase.events.begin(), phase.events.end(), [](const Event& event) {
        switch (event.action) {
            case Action::run:
            case Action::sleep:
                return event.time > Duration::zero();
            case Action::timer:
            case Action::suspend:
            case Action::wait:
            case Action::sync:
            case Action::barrier:
                return true;
            case Action::resume:
            case Action::lock:
            case Action::unlock:
            case Action::signal:
            case Action::broadcast:
            case Action::yield:
                break;
        }
        return false;
    });
}

void ProfileReader::check_loops(const TaskSpec& task, const config::Location& where) {
    constexpr std::int64_t kManyTimes = 1'000'000;
    constexpr std::string_view kAdvice =
        "without run, sleep, timer or suspend in it; it would never let the others go on";
    const auto spins = [](std::int64_t loop) { return loop == kForever || loop > kManyTimes; };
    if (spins(task.loop) && std::none_of(task.phases.begin(), task.phases.end(), takes_time)) {
        diagnostics_.error(where, fmt::format("{}: loops forever {}", task.name, kAdvice));
        return;
    }
    for (const Phase& phase : task.phases) {
        if (spins(phase.loop) && !takes_time(phase)) {
            diagnostics_.error(where,
                               fmt::format("{}: a phase loops forever {}", task.name, kAdvice));
        }
    }
}

void ProfileReader::count_parties() {
    profile_.barrier_parties.assign(profile_.barriers.size(), 0);
    for (const TaskSpec& task : profile_.tasks) {
        std::set<int> met;
        for (const Phase& phase : task.phases) {
            for (const Event& event : phase.events) {
                if (event.action == Action::barrier && met.insert(event.resource).second) {
                    profile_.barrier_parties[static_cast<std::size_t>(event.resource)] +=
                        task.instances;
                }
            }
        }
    }
}

void ProfileReader::pass_over(const Node& node, std::string_view why) {
    if (passed_over_.insert(node.key()).second) {
        diagnostics_.warning(node.key_location(),
                             fmt::format("'{}' is ignored: {}", node.key(), why));
    }
}

void ProfileReader::unknown(const Node& node, Strings known) {
    diagnostics_.error(
        node.key_location(),
        fmt::format(
            "unknown key '{}'{}", node.key(), config::suggestion_text(node.key(), "keys", known)));
}

void ProfileReader::error(const Node& node, std::string_view what) {
    config::report(node, what, diagnostics_);
}

std::int64_t ProfileReader::integer(const Node& node, std::int64_t low, std::int64_t high) {
    std::int64_t value = low;
    if (config::Converter<std::int64_t>::read(node, value, diagnostics_) &&
        (value < low || value > high)) {
        error(node, fmt::format("must be from {} to {}", low, high));
        value = low;
    }
    return value;
}

Duration ProfileReader::microseconds(const Node& node, std::int64_t low) {
    return std::chrono::microseconds{integer(node, low, kLongestMicroseconds)};
}

std::string ProfileReader::name(const Node& node) {
    if (config::expect_scalar(node, "a name in quotes", diagnostics_) && !node.quoted()) {
        error(node, fmt::format("expected a name in quotes, not '{}'", node.text()));
    }
    return node.text();
}

const Node* ProfileReader::member(const Node& map, std::string_view key) {
    const Node* node = map.find(key);
    if (node == nullptr) {
        error(map, fmt::format("key '{}' is missing", key));
    }
    return node;
}

int ProfileReader::index_of(Strings& names, std::string name) {
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<int>(found - names.begin());
    if (found == names.end()) {
        names.push_back(std::move(name));
    }
    return index;
}

int ProfileReader::timer_of(std::string name) {
    for (std::size_t i = 0; i < profile_.timers.size(); ++i) {
        if (profile_.timers[i].name == name) {
            return static_cast<int>(i);
        }
    }
    const bool is_unique = name.starts_with("unique");
    profile_.timers.push_back({std::move(name), is_unique});
    return static_cast<int>(profile_.timers.size()) - 1;
}

}  // namespace

std::optional<Profile> read_profile(const Node& root, Diagnostics& diagnostics) {
    return ProfileReader{diagnostics}.read(root);
}

}  // namespace idlesim::rt_app
