#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lets idlestat (Debian's package idlestat, 0.8) read a trace and compares what it finds with what
# we expect: an independent reader of our trace, and independent counts of stays that were too short
# or too long.
#
#   idlestat_import.sh TRACE EXPECTED
#
# TRACE is a native file of idlestat, as write_idlestat() (sim/output/idlestat_text.hpp) makes it,
# not a plain `# tracer:` trace: with such a one idlestat forgets the number of CPUs, takes states
# and topology from the computer that it runs on, and reads cpu_idle_miss as an idle entry. It wants
#
#   idlestat version = 0.8
#   cpus=N
#   clusterA:                     packages A, B...; each with all its cores, each of these with
#   <tab>core0                    all its CPUs
#   <tab><tab>cpu0
#   cpuid 0:                      for each CPU: exactly 16 states, each a line with the name, or
#   <tab>POLL                     (null) where there is none, and a line with the target residency
#   <tab>0                        in microseconds
#   ftrace lines with a column of flags, of which it understands cpu_idle, irq_handler_entry (and
#   cpu_frequency and ipi_entry, which we never write)
#
# EXPECTED is a table with tabs and one line of header: cpu, state (index), entries, over, under,
# time_us. States that were never entered may be missing. It follows idlestat's definitions, which
# are not those of cpuidle's `above`, `below` and `time`:
#
#   entries  stays that begin and end in the trace
#   over     stays shorter than the target residency of the state
#   under    other stays at least as long as the target residency of the next deeper state, but only
#            once the CPU has entered that or a deeper one; exit latencies play no part
#   time     from the cpu_idle event of entry to that of exit, as printed: in whole microseconds
#
# A stay as long as a target residency to the microsecond may count either way: idlestat computes
# in floating point.
#
# Exit status: 0 all equal, the time within 2 us per entry; 1 not so, each difference in a line;
# 2 the files cannot be used; 77 idlestat is not installed.
set -euo pipefail

if [[ $# -ne 2 || ! -f $1 || ! -f $2 ]]; then
    echo "usage: ${0##*/} TRACE EXPECTED" >&2
    exit 2
fi
if ! command -v idlestat >/dev/null; then
    echo "skipped: idlestat is not installed"
    exit 77
fi
if [[ $(head -c 16 -- "$1") != "idlestat version" ]]; then
    echo "$1 is no native file of idlestat: its first line is not 'idlestat version = ...'" >&2
    exit 2
fi

report=$(mktemp)
trap 'rm -f -- "$report" "$report.err"' EXIT
if ! idlestat --import -c -r csv -f "$(readlink -f -- "$1")" >"$report" 2>"$report.err"; then
    cat -- "$report.err" >&2
    exit 2
fi
if grep -v '^Log is ' -- "$report.err" >&2; then
    exit 2
fi

# idlestat 0.8 prints no state names, and no states without entries: its rows of a CPU are the
# entered states in their order.
awk -F '\t' -v report="$report" '
function complain(text) { print text; bad = 1 }
function compare(name, found, expected) {
    if (found != expected) complain(where ": " name " " found ", expected " expected)
}
function check(cpu, state,    found, i, slack) {
    where = "cpu" cpu " state" state
    i = ++seen[cpu]
    if (!((cpu, i) in row)) {
        complain(where ": not entered, expected " entries[cpu, state])
        return
    }
    split(row[cpu, i], found, ",")
    compare("entries", found[9], entries[cpu, state])
    compare("over", found[10], over[cpu, state])
    compare("under", found[11], under[cpu, state])
    slack = found[8] - time[cpu, state]
    if (slack > 2 * entries[cpu, state] || -slack > 2 * entries[cpu, state])
        complain(where ": time_us " found[8] ", expected " time[cpu, state])
}
BEGIN {
    cpu = ""
    while ((getline line < report) > 0) {
        if (line ~ /^(cluster[A-Z]|,core[0-9]+)$/) cpu = ""
        if (line ~ /^,,cpu[0-9]+$/) cpu = substr(line, 6)
        if (line ~ /^,,,/ && cpu != "") row[cpu, ++rows[cpu]] = line
    }
}
FNR == 1 { next }
NF != 6 { print "line " FNR ": 6 columns expected"; unusable = 1; exit }
$3 > 0 {
    entries[$1, $2] = $3; over[$1, $2] = $4; under[$1, $2] = $5; time[$1, $2] = $6
    cpus[$1] = 1
    if ($2 + 0 > deepest) deepest = $2 + 0
}
END {
    if (unusable) exit 2
    for (c in cpus)
        for (s = 0; s <= deepest; ++s)
            if ((c, s) in entries) check(c, s)
    for (c in rows)
        if (rows[c] > seen[c])
            complain("cpu" c ": " rows[c] " states entered, expected " seen[c] + 0)
    exit bad
}' "$2"
