// SPDX-License-Identifier: Apache-2.0
#include "sim/output/cyclictest_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// The latencies of a thread in whole units, as cyclictest sees them.
struct Cycles {
    std::vector<std::int64_t> values;
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::int64_t last = 0;
    double average = 0.0;
};

Cycles cycles_of(const CyclictestThread& thread, bool nanoseconds) {
    const std::int64_t unit = nanoseconds ? 1000 : 1'000'000;
    Cycles cycles;
    std::int64_t sum = 0;
    for (const std::int64_t picoseconds : thread.latencies) {
        cycles.values.push_back(picoseconds / unit);
        sum += cycles.values.back();
    }
    if (!cycles.values.empty()) {
        const auto [min, max] = std::minmax_element(cycles.values.begin(), cycles.values.end());
        cycles.min = *min;
        cycles.max = *max;
        cycles.last = cycles.values.back();
        cycles.average = static_cast<double>(sum) / static_cast<double>(cycles.values.size());
    }
    return cycles;
}

/// A thread's latencies in bins of one unit.
struct Histogram {
    std::vector<std::int64_t> bins;
    std::vector<std::size_t> overflows;  ///< cycles whose latency has no bin
    std::int64_t total = 0;              ///< in the bins
};

Histogram histogram_of(const Cycles& cycles, std::int64_t bins) {
    Histogram histogram;
    histogram.bins.resize(static_cast<std::size_t>(bins));
    for (std::size_t i = 0; i < cycles.values.size(); ++i) {
        if (cycles.values[i] < bins) {
            ++histogram.bins[static_cast<std::size_t>(cycles.values[i])];
            ++histogram.total;
        } else {
            histogram.overflows.push_back(i);
        }
    }
    return histogram;
}

/// A thread with its numbers.
struct Counted {
    Cycles cycles;
    Histogram histogram;
};

std::vector<Counted> count(const CyclictestRun& run) {
    std::vector<Counted> threads;
    for (const CyclictestThread& thread : run.threads) {
        Cycles cycles = cycles_of(thread, run.nanoseconds);
        Histogram histogram = histogram_of(cycles, run.histogram);
        threads.push_back({std::move(cycles), std::move(histogram)});
    }
    return threads;
}

std::int64_t whole_us(Duration duration) {
    return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

/// "# <title>: <number of the first thread> <number of the second>", padded with zeros.
template <class Number>
std::string row(std::string_view title,
                int width,
                const std::vector<Counted>& threads,
                const Number& number) {
    std::string text = fmt::format("# {}:", title);
    for (const Counted& thread : threads) {
        text += fmt::format(" {:0{}}", static_cast<std::int64_t>(number(thread)), width);
    }
    return text + '\n';
}

std::string bins_text(const std::vector<Counted>& threads, std::size_t bins) {
    std::string text;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        text += fmt::format("{:06}", bin);
        char separator = ' ';
        for (const Counted& thread : threads) {
            text += fmt::format("{}{:06}", separator, thread.histogram.bins[bin]);
            separator = '\t';
        }
        text += '\n';
    }
    return text;
}

// At most as many cycles are listed as there are bins.
std::string overflows_text(const std::vector<Counted>& threads, std::size_t listed) {
    std::string text = "# Histogram Overflow at cycle number:\n";
    for (std::size_t i = 0; i < threads.size(); ++i) {
        text += fmt::format("# Thread {}:", i);
        const std::vector<std::size_t>& overflows = threads[i].histogram.overflows;
        for (std::size_t k = 0; k < std::min(listed, overflows.size()); ++k) {
            text += fmt::format(" {:05}", overflows[k]);
        }
        if (overflows.size() > listed) {
            text += fmt::format(" # {:05} others", overflows.size() - listed);
        }
        text += '\n';
    }
    return text + '\n';
}

/// `text` as a JSON string.
std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        if (static_cast<unsigned char>(c) < ' ') {
            result += fmt::format("\\u{:04x}", c);
        } else {
            result += c;
        }
    }
    return result + '"';
}

/// "Thu, 01 Jan 1970 00:00:01 +0000".
std::string date_text(Duration since_1970) {
    constexpr std::array<std::string_view, 7> kDays{
        "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<std::string_view, 12> kMonths{
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::chrono::sys_seconds second{
        std::chrono::duration_cast<std::chrono::seconds>(since_1970)};
    const auto day = std::chrono::floor<std::chrono::days>(second);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{second - day};
    return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} +0000",
                       kDays[std::chrono::weekday{day}.c_encoding()],
                       static_cast<unsigned>(date.day()),
                       kMonths[static_cast<unsigned>(date.month()) - 1],
                       static_cast<int>(date.year()),
                       time.hours().count(),
                       time.minutes().count(),
                       time.seconds().count());
}

// Empty bins are left out; without any the braces stay on one line.
std::string json_histogram(const Histogram& histogram) {
    std::string text = "      \"histogram\": {";
    std::string_view separator = "\n";
    for (std::size_t bin = 0; bin < histogram.bins.size(); ++bin) {
        if (histogram.bins[bin] > 0) {
            text += fmt::format("{}        \"{}\": {}", separator, bin, histogram.bins[bin]);
            separator = ",\n";
        }
    }
    return text + (histogram.total > 0 ? "\n" : "") + "      },\n";
}

// The node is -1 for a thread that was bound to no NUMA node.
std::string json_thread(std::size_t index, const CyclictestThread& thread, const Counted& counted) {
    return fmt::format(
        "    \"{}\": {{\n{}      \"cycles\": {},\n      \"min\": {},\n      \"max\": {},\n"
        "      \"avg\": {:.2f},\n      \"cpu\": {},\n      \"node\": -1\n    }}",
        index,
        json_histogram(counted.histogram),
        counted.cycles.values.size(),
        counted.cycles.min,
        counted.cycles.max,
        counted.cycles.average,
        thread.cpu);
}

// Two keys end in a colon, by mistake in rt-tests and for good in what reads these files.
std::string json_head(const CyclictestRun& run) {
    return fmt::format(
        "{{\n  \"file_version\": 1,\n  \"cmdline:\": {},\n  \"rt_test_version:\": {},\n"
        "  \"start_time\": \"{}\",\n  \"end_time\": \"{}\",\n  \"return_code\": 0,\n",
        json_string(run.command),
        json_string(run.tool_version),
        date_text(run.start),
        date_text(run.end));
}

std::string json_machine(const CyclictestMachine& machine) {
    return fmt::format(
        "  \"sysinfo\": {{\n    \"sysname\": \"Linux\",\n    \"nodename\": {},\n"
        "    \"release\": {},\n    \"version\": {},\n    \"machine\": {},\n"
        "    \"realtime\": {}\n  }},\n",
        json_string(machine.node_name),
        json_string(machine.release),
        json_string(machine.version),
        json_string(machine.architecture),
        machine.realtime ? 1 : 0);
}

}  // namespace

std::string cyclictest_summary(const CyclictestRun& run) {
    const int width = run.nanoseconds ? 8 : 5;
    std::string text;
    for (std::size_t i = 0; i < run.threads.size(); ++i) {
        const CyclictestThread& thread = run.threads[i];
        const Cycles cycles = cycles_of(thread, run.nanoseconds);
        text +=
            fmt::format("T:{:2} ({:5}) P:{:2} I:{} C:{:7} Min:{:7} Act:{:{}} Avg:{:{}} Max:{:8}\n",
                        i,
                        thread.pid,
                        thread.priority,
                        whole_us(thread.interval),
                        cycles.values.size(),
                        cycles.min,
                        cycles.last,
                        width,
                        static_cast<std::int64_t>(cycles.average),
                        width,
                        cycles.max);
    }
    return text;
}

std::string cyclictest_histogram(const CyclictestRun& run) {
    const std::vector<Counted> threads = count(run);
    const auto bins = static_cast<std::size_t>(run.histogram);
    std::string text;
    if (run.latency_limit) {
        text += fmt::format("# /dev/cpu_dma_latency set to {}us\n", whole_us(*run.latency_limit));
    }
    text += "# Histogram\n" + bins_text(threads, bins);
    text += row("Total", 9, threads, [](const Counted& c) { return c.histogram.total; });
    text += row("Min Latencies", 5, threads, [](const Counted& c) { return c.cycles.min; });
    text += row("Avg Latencies", 5, threads, [](const Counted& c) { return c.cycles.average; });
    text += row("Max Latencies", 5, threads, [](const Counted& c) { return c.cycles.max; });
    text += row("Histogram Overflows", 5, threads, [](const Counted& c) {
        return c.histogram.overflows.size();
    });
    return text + overflows_text(threads, bins);
}

std::string cyclictest_json(const CyclictestRun& run) {
    const std::vector<Counted> threads = count(run);
    std::string text = json_head(run) + json_machine(run.machine);
    text += fmt::format("  \"num_threads\": {},\n  \"resolution_in_ns\": {},\n  \"thread\": {{\n",
                        threads.size(),
                        run.nanoseconds ? 1 : 0);
    for (std::size_t i = 0; i < threads.size(); ++i) {
        text += json_thread(i, run.threads[i], threads[i]);
        text += i + 1 < threads.size() ? ",\n" : "\n";
    }
    return text + "  }\n}\n";
}

}  // namespace idlesim
