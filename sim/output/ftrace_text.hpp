// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/stats/trace.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace idlesim {

/// Writes a trace in the text format of the kernel's own `trace` file, events by time, so that what
/// reads ftrace text reads it: Perfetto, LISA, scripts. Formats: Linux 6.3, kernel/trace/trace.c
/// and trace_output.c, include/trace/events/, arch/x86/include/asm/trace/irq_vectors.h;
/// ipi_send_cpu came with 6.4.
void write_ftrace(const std::filesystem::path& path, const Trace& trace);

/// Appends the line of one record of `trace`, with its line end.
///
/// Where the kernel would print what no model knows: addresses are small numbers, functions have
/// no offset, and the preemption depth counts the idle task and the switch itself but no locks.
void append_ftrace_line(fmt::memory_buffer& out, const Trace& trace, const TraceRecord& record);

}  // namespace idlesim
