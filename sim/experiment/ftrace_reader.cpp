// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/ftrace_reader.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace idlesim {
namespace {

// include/trace/events/power.h, 6.3: leaving is state (u32)-1; some tools print it signed.
constexpr std::int64_t kLeave = 4294967295;

constexpr std::int64_t kMostStates = 64;

/// Lines without an event that are nevertheless in order: heads, and stacks below an event.
bool is_remark(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line.starts_with("version =") ||
        line.starts_with("cpus=") || line.starts_with("CPU ") || line.starts_with("trace-cmd")) {
        return true;
    }
    constexpr std::size_t kAddress = 8;
    const std::string_view text = line.substr(begin);
    return text.front() == '#' || text.starts_with("=>") ||
           (begin != 0 && text.size() >= kAddress &&
            text.substr(0, kAddress).find_first_not_of("0123456789abcdef") ==
                std::string_view::npos);
}

/// The CPU in "CPU:2 [LOST 51 EVENTS]"; -1 where the recorder does not name one.
int cpu_of_loss(std::string_view line) {
    const std::size_t at = line.find("CPU:");
    int cpu = -1;
    if (at != std::string_view::npos) {
        for (std::size_t i = at + 4; i < line.size() && line[i] >= '0' && line[i] <= '9'; ++i) {
            cpu = 10 * std::max(cpu, 0) + (line[i] - '0');
        }
    }
    return cpu;
}

/// gzip, xz, zstd, bzip2.
bool is_compressed(std::string_view text) {
    return text.starts_with("\x1f\x8b") ||
           text.starts_with(
               "\xfd"
               "7zXZ") ||
           text.starts_with("\x28\xb5\x2f\xfd") || text.starts_with("BZh");
}

bool is_tick(std::string_view function) {
    // tick_sched_timer up to 6.8, tick_nohz_handler since; with modules a suffix may follow.
    return function.starts_with("tick_sched_timer") || function.starts_with("tick_nohz_");
}

}  // namespace

std::int64_t& FtraceReader::emitted(int cpu) {
    const auto index = static_cast<std::size_t>(cpu);
    if (index >= emitted_.size()) {
        emitted_.resize(index + 1, std::numeric_limits<std::int64_t>::min());
    }
    return emitted_[index];
}

bool FtraceReader::next(FtraceEvent& event) {
    while (!ended_ && window_.size() <= kWindow) {
        ended_ = !read_line();
    }
    if (window_.empty()) {
        return false;
    }
    event = window_.front();
    window_.pop_front();
    emitted(event.cpu) = event.time;
    return true;
}

bool FtraceReader::read_line() {
    if (!lines_.next()) {
        return false;
    }
    const std::string_view text = lines_.line();
    summary_.cut_line = lines_.is_cut() ? lines_.number() : 0;
    if (summary_.lines++ == 0 && text.find("tracing") != std::string_view::npos &&
        text.starts_with("\x17\x08")) {
        lines_.fail("this is trace-cmd's own format; expected text, as of `trace-cmd report`");
    }
    if (summary_.lines == 1 && text.starts_with("PERFILE2")) {
        lines_.fail("this is perf's own format; expected text, as of `perf script`");
    }
    if (summary_.lines == 1 && is_compressed(text)) {
        lines_.fail("this is a compressed file; expected text: unpack it first");
    }
    const std::optional<FtraceLine> line = parse_ftrace_line(text);
    if (!line) {
        read_other(text);
        return true;
    }
    if (summary_.events++ == 0) {
        summary_.first_time = line->time;
        summary_.last_time = line->time;
        summary_.counter_clock = line->counter_clock;
    }
    summary_.first_time = std::min(summary_.first_time, line->time);
    summary_.out_of_order += line->time < summary_.last_time ? 1 : 0;
    summary_.last_time = std::max(summary_.last_time, line->time);
    read_event(*line);
    return true;
}

void FtraceReader::read_event(const FtraceLine& line) {
    const std::string_view event = line.event;
    if (event == "cpu_idle") {
        read_idle(line);
    } else if (event == "sched_switch") {
        read_switch(line);
    } else if (event == "sched_wakeup" || event == "sched_waking" || event == "sched_wakeup_new") {
        const std::optional<std::int64_t> cpu = ftrace_number(line.fields, "target_cpu");
        if (cpu && *cpu >= 0 && *cpu < std::numeric_limits<std::int16_t>::max()) {
            FtraceLine target = line;
            target.cpu = static_cast<int>(*cpu);
            add(target, FtraceKind::wake, line.cpu);
        }
    } else if (event.ends_with("_entry")) {
        read_interrupt(line);
    }
}

void FtraceReader::read_idle(const FtraceLine& line) {
    ++summary_.idle_events;
    const std::optional<std::int64_t> state = ftrace_number(line.fields, "state");
    const std::optional<std::int64_t> cpu = ftrace_number(line.fields, "cpu_id");
    const bool leaves = state && (*state == kLeave || *state == -1);
    if (!state || (!leaves && (*state < 0 || *state >= kMostStates)) ||
        (cpu && (*cpu < 0 || *cpu > std::numeric_limits<std::int16_t>::max()))) {
        if (summary_.bad_idle_events++ == 0) {
            summary_.first_bad_idle_line = lines_.number();
        }
        return;
    }
    FtraceLine own = line;
    own.cpu = cpu ? static_cast<int>(*cpu) : line.cpu;
    add(own,
        leaves ? FtraceKind::idle_exit : FtraceKind::idle_enter,
        leaves ? 0 : static_cast<int>(*state));
}

void FtraceReader::read_switch(const FtraceLine& line) {
    std::optional<std::int64_t> next = ftrace_number(line.fields, "next_pid");
    if (!next) {
        // "sh:6243 [120] x ==> swapper/2:0 [120]"
        const std::size_t arrow = line.fields.find("==> ");
        if (arrow == std::string_view::npos) {
            return;
        }
        next = line.fields.substr(arrow + 4).starts_with("swapper/") ? 0 : 1;
    }
    add(line, *next == 0 ? FtraceKind::switch_to_idle : FtraceKind::switch_to_task);
}

void FtraceReader::read_interrupt(const FtraceLine& line) {
    const std::string_view event = line.event;
    if (event == "local_timer_entry") {
        add(line, FtraceKind::timer_interrupt);
    } else if (event == "hrtimer_expire_entry" || event == "timer_expire_entry") {
        read_timer(line);
    } else if (event == "irq_handler_entry") {
        const std::string_view name = ftrace_word(line.fields, "name");
        const std::optional<std::int64_t> irq = ftrace_number(line.fields, "irq");
        // Arm's local timer is a device interrupt.
        if (name.find("arch_timer") != std::string_view::npos) {
            add(line, FtraceKind::timer_interrupt);
        } else {
            const auto number = static_cast<int>(irq.value_or(-1));
            if (irq_names_.size() < kWindow) {
                irq_names_.try_emplace(number, name);
            }
            add(line, FtraceKind::device_interrupt, number);
        }
    } else if (event == "reschedule_entry" ||
               (event == "ipi_entry" &&
                line.fields.find("Rescheduling") != std::string_view::npos)) {
        add(line, FtraceKind::reschedule);
    } else if (event == "call_function_entry" || event == "call_function_single_entry" ||
               (event == "ipi_entry" &&
                line.fields.find("Function call") != std::string_view::npos)) {
        add(line, FtraceKind::call_function);
    } else if (line.fields.starts_with("vector=") || event == "ipi_entry") {
        add(line, FtraceKind::other_interrupt);
    }
}

void FtraceReader::read_timer(const FtraceLine& line) {
    const bool tick = is_tick(ftrace_word(line.fields, "function"));
    add(line,
        tick ? FtraceKind::tick_expiry : FtraceKind::timer_expiry,
        line.event == "hrtimer_expire_entry" ? 1 : 0);
}

void FtraceReader::read_other(std::string_view line) {
    if (line.find("LOST") != std::string_view::npos ||
        line.find("EVENTS DROPPED") != std::string_view::npos) {
        read_lost(line);
        return;
    }
    if (is_remark(line)) {
        return;
    }
    if (summary_.unreadable++ == 0) {
        summary_.first_unreadable_line = lines_.number();
    }
    // A trace says early that it is one; a novel never does.
    constexpr std::int64_t kPatience = 1000;
    if (summary_.events == 0 && summary_.unreadable >= kPatience) {
        lines_.fail(
            "no event in a thousand lines; expected ftrace text like \"<idle>-0 [002] "
            "153.042137: cpu_idle: state=1 cpu_id=2\"");
    }
}

void FtraceReader::read_lost(std::string_view line) {
    ++summary_.lost_marks;
    const int named = cpu_of_loss(line);
    const int first = named >= 0 ? named : 0;
    // Not told which CPU has lost events: any may have.
    const int last = named >= 0 ? named : cpus_ - 1;
    if (last > std::numeric_limits<std::int16_t>::max()) {
        return;
    }
    for (int cpu = first; cpu <= last; ++cpu) {
        insert({summary_.last_time, cpu, FtraceKind::lost, 0});
    }
}

void FtraceReader::add(const FtraceLine& line, FtraceKind kind, int value) {
    if (line.time < emitted(line.cpu)) {
        ++summary_.too_late;
        return;
    }
    insert({line.time, line.cpu, kind, value});
}

void FtraceReader::insert(const FtraceEvent& event) {
    cpus_ = std::max(cpus_, event.cpu + 1);
    auto place = window_.end();
    while (place != window_.begin() && event.time < std::prev(place)->time) {
        --place;
    }
    window_.insert(place, event);
}

}  // namespace idlesim
