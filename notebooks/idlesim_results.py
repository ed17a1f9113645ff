# SPDX-License-Identifier: Apache-2.0
"""Results of idlesim as tidy pandas frames, and the figures that they are looked at with.

Only files that idlesim wrote are read. A frame carries `attrs["units"]` (column -> unit) and
`attrs["info"]` (the run's info.yml). Whatever cannot be read is a ResultError that names the file
and says what to do. Times are in the unit that the column's name ends in.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import yaml
from matplotlib.axes import Axes

FORMAT_VERSION = 1
ALL = "all"  # the replication that pools all of them

# Okabe and Ito: told apart by the colour-blind; line styles and hatches tell them apart in print.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]
LINES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2))]
HATCHES = ["", "///", "...", "xxx", "\\\\\\", "---", "+++", "ooo"]

SUMMARY = ["arm", "replication", "metric", "stat", "value", "unit", "ci_low", "ci_high"]
COMPARISON = ["metric", "stat", "baseline", "arm", "baseline_value", "value", "delta",
              "delta_percent", "ci_low", "ci_high", "unit"]
TARGETS = ["experiment", "arm", "metric", "stat", "documented", "unit", "simulated", "ci_low",
           "ci_high", "prior_low", "prior_high", "error_percent", "tolerance", "use", "verdict",
           "source"]
FINDINGS = ["time_us", "cpu", "kind", "program", "step", "detail"]
LOAD_CURVE = ["replication", "percent", "rate", "p50_ns", "p99_ns", "pause_ns", "sustained"]
BREAKDOWN = ["step", "mean_ns", "share_percent", "p50_ns", "p99_ns"]
CPUIDLE = ["replication", "cpu", "state", "name", "latency_us", "residency_us", "usage", "time_us",
           "above", "below", "rejected", "too_deep_percent", "too_shallow_percent",
           "granted_time_us"]
REPLAY = ["governor", "state", "name", "latency_us", "residency_us", "entries", "time_us",
          "time_share_percent", "too_deep", "too_deep_percent", "too_shallow",
          "too_shallow_percent", "wakes", "added_latency_us"]


class ResultError(Exception):
    """A file is missing, empty, of another version, or lacks a column."""


# Reading.


def _read_info(folder: Path) -> dict[str, Any]:
    path = folder / "info.yml"
    try:
        info = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ResultError(f"{folder} is no result of idlesim: it has no info.yml. "
                          "`idlesim run EXPERIMENT --out DIR` writes one.") from None
    except yaml.YAMLError as error:
        raise ResultError(f"{path} cannot be read: {error}") from None
    if not isinstance(info, dict) or info.get("toolname") != "idlesim":
        raise ResultError(f"{path} was not written by idlesim")
    if info.get("format_version") != FORMAT_VERSION:
        raise ResultError(f"{path} has format_version {info.get('format_version')} (idlesim "
                          f"{info.get('toolver')}), this module reads {FORMAT_VERSION}: run the "
                          "experiment again, or take the module of that version")
    return info


def _unit_of(column: str) -> str:
    for suffix, unit in (("_ns", "ns"), ("_us", "us"), ("_percent", "%")):
        if column.endswith(suffix):
            return unit
    return ""


def _read_csv(path: Path, columns: Sequence[str], info: Mapping[str, Any]) -> pd.DataFrame:
    # Nothing is taken for a missing value but an empty cell: an arm may be called "NA".
    try:
        frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except FileNotFoundError:
        raise ResultError(f"{path} does not exist") from None
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise ResultError(f"{path} is empty or damaged: {error}") from None
    absent = [column for column in columns if column not in frame.columns]
    if absent:
        raise ResultError(f"{path} lacks the column{'s' if len(absent) > 1 else ''} "
                          f"{', '.join(absent)}: it is from another version of idlesim, or was "
                          "changed")
    frame.attrs["units"] = {name: _unit_of(name) for name in frame.columns if _unit_of(name)}
    frame.attrs["info"] = dict(info)
    return frame


@dataclass(frozen=True)
class Run:
    """A directory that `idlesim run --out` wrote."""

    folder: Path
    info: dict[str, Any]
    arms: list[str]

    def _table(self, name: str, columns: Sequence[str]) -> pd.DataFrame:
        return _read_csv(self.folder / name, columns, self.info)

    def _of_arm(self, arm: str, name: str, columns: Sequence[str]) -> pd.DataFrame:
        if arm not in self.arms:
            raise ResultError(f"{self.folder} has no arm '{arm}', only {', '.join(self.arms)}")
        return self._table(f"{arm}/{name}", columns)

    @property
    def summary(self) -> pd.DataFrame:
        """One statistic of one metric a row; `replication` is 1..n or "all"."""
        frame = self._table("summary.csv", SUMMARY)
        attrs = frame.attrs
        frame = frame.astype({"replication": str})
        frame.attrs = attrs
        return frame

    @property
    def comparison(self) -> pd.DataFrame:
        """Arms against the baseline, paired; the interval is of `delta_percent`."""
        return self._table("comparison.csv", COMPARISON)

    def load_curve(self, arm: str) -> pd.DataFrame:
        """Steps of SPECjbb's response-throughput curve, rising rate; workload specjbb only."""
        return self._of_arm(arm, "load_curve.csv", LOAD_CURVE)

    def all_load_curves(self) -> pd.DataFrame:
        """The curves of all arms that have one, with a column `arm`."""
        parts = [self.load_curve(arm).assign(arm=arm) for arm in self.arms
                 if (self.folder / arm / "load_curve.csv").exists()]
        return pd.concat(parts, ignore_index=True)

    @property
    def targets(self) -> pd.DataFrame:
        return self._table("targets.csv", TARGETS)

    @property
    def findings(self) -> pd.DataFrame:
        """What went wrong in the simulated kernel; often empty."""
        return self._table("findings.csv", FINDINGS)

    def samples(self, arm: str) -> pd.DataFrame:
        """One sample a row: the metric and a column for each of its steps, in ns.

        `attrs["metric"]` names the metric's column, `attrs["steps"]` those of the steps.
        """
        frame = self._of_arm(arm, "samples.csv", ["replication", "time_us", "cpu"])
        times = [name for name in frame.columns if name.endswith("_ns")]
        if not times:
            raise ResultError(f"{self.folder / arm / 'samples.csv'} holds no metric")
        frame.attrs |= {"metric": times[0], "steps": times[1:], "arm": arm,
                        "every_nth": self.info.get("samples_every_nth", {}).get(arm, 1)}
        return frame

    def all_samples(self) -> pd.DataFrame:
        """The metric of all arms that have samples: arm, replication, time_us, cpu, value_ns."""
        parts = []
        for arm in self.arms:
            if (self.folder / arm / "samples.csv").exists():
                frame = self.samples(arm)
                part = frame[["replication", "time_us", "cpu"]].copy()
                part["value_ns"] = frame[frame.attrs["metric"]]
                part.insert(0, "arm", arm)
                parts.append(part)
        if not parts:
            raise ResultError(f"{self.folder}: no arm has samples; this workload reports rates")
        result = pd.concat(parts, ignore_index=True)
        result.attrs = {"units": {"value_ns": "ns", "time_us": "us"}, "info": self.info}
        return result

    def breakdown(self, arm: str) -> pd.DataFrame:
        """Steps of the metric with their means; the means add up to the metric's."""
        return self._of_arm(arm, "breakdown.csv", BREAKDOWN)

    def cpuidle(self, arm: str) -> pd.DataFrame:
        """Idle states by replication and CPU, as sysfs counts them."""
        return self._of_arm(arm, "cpuidle.csv", CPUIDLE)

    def value(self, arm: str, metric: str, stat: str) -> float:
        """One number over all replications."""
        frame = self.summary
        row = frame[(frame.arm == arm) & (frame.replication == ALL) & (frame.metric == metric) &
                    (frame.stat == stat)]
        if row.empty and self.info.get("replications") == 1:
            row = frame[(frame.arm == arm) & (frame.metric == metric) & (frame.stat == stat)]
        if row.empty:
            raise ResultError(f"{self.folder}: no {metric} {stat} of arm '{arm}'; there are "
                              f"{', '.join(sorted(frame.metric.unique()))}")
        return float(row.iloc[0]["value"])


@dataclass(frozen=True)
class Sweep:
    """A directory that `idlesim sweep --out` wrote."""

    folder: Path
    info: dict[str, Any]
    points: pd.DataFrame
    parameters: list[str]  # the columns that were varied

    def tidy(self) -> pd.DataFrame:
        """One value a row, with unit and interval; needs `idlesim sweep --tidy`."""
        path = self.folder / "points_tidy.csv"
        if not path.exists():
            raise ResultError(f"{path} does not exist: run the sweep with --tidy")
        return _read_csv(path, ["id", "arm", "metric", "stat", "value", "unit"], self.info)


def load_run(folder: str | os.PathLike[str]) -> Run:
    """The result of `idlesim run --out folder`."""
    path = Path(folder)
    info = _read_info(path)
    _read_csv(path / "summary.csv", SUMMARY, info)
    frame = pd.read_csv(path / "summary.csv", usecols=["arm"], dtype=str, keep_default_na=False)
    arms = list(dict.fromkeys(frame["arm"]))
    arms += sorted(entry.name for entry in path.iterdir()
                   if entry.is_dir() and entry.name not in arms)
    return Run(path, info, arms)


def load_ledger(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """The result of `idlesim validate --out folder`: documented against simulated."""
    path = Path(folder)
    return _read_csv(path / "ledger.csv", TARGETS, _read_info(path))


def load_sweep(folder: str | os.PathLike[str]) -> Sweep:
    """The result of `idlesim sweep --out folder`, one point a row."""
    path = Path(folder)
    info = _read_info(path)
    if not (path / "points.csv").exists():
        raise ResultError(f"{path} is not finished: `idlesim sweep SWEEP --out {path} --resume` "
                          "goes on with it")
    points = _read_csv(path / "points.csv", ["id"], info)
    plan = _read_csv(path / "plan.csv", ["index", "id"], info)
    parameters = [name for name in plan.columns if name not in ("index", "id")]
    return Sweep(path, info, points, parameters)


def load_replay(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """The result of `idlesim replay TRACE --out folder`: one governor and state a row.

    The totals of a governor have `state` "all"; `recorded` is what the trace's kernel did.
    """
    path = Path(folder)
    frame = _read_csv(path / "replay.csv", REPLAY, _read_info(path))
    attrs = frame.attrs
    frame = frame.astype({"state": str})
    frame.attrs = attrs
    return frame


_CPU_IDLE = re.compile(r"\[(\d+)\]\s+\S+\s+([\d.]+): cpu_idle: state=(\d+) cpu_id=(\d+)")
_TIME = re.compile(r"\s([\d.]+): ")
_AWAKE = 4294967295


def load_timeline(folder: str | os.PathLike[str], arm: str) -> pd.DataFrame:
    """When each CPU was in which state, from the trace of `idlesim run --trace`.

    Columns cpu, begin_us, end_us, state; state -1 is awake. What lies before the first event of a
    CPU is not there.
    """
    run = load_run(folder)
    path = run.folder / arm / "trace.txt"
    if not path.exists():
        raise ResultError(f"{path} does not exist: run the experiment with --trace")
    rows: list[tuple[int, float, float, int]] = []
    last: dict[int, tuple[float, int]] = {}
    for match in _CPU_IDLE.finditer(path.read_text(encoding="utf-8")):
        cpu, now, state = int(match[4]), float(match[2]) * 1e6, int(match[3])
        if cpu in last:
            rows.append((cpu, last[cpu][0], now, last[cpu][1]))
        last[cpu] = (now, -1 if state == _AWAKE else state)
    if not rows:
        raise ResultError(f"{path} has no cpu_idle events")
    frame = pd.DataFrame(rows, columns=["cpu", "begin_us", "end_us", "state"])
    frame.attrs = {"units": {"begin_us": "us", "end_us": "us"}, "info": run.info, "arm": arm}
    return frame


# Running idlesim.


def load_event_times(folder: str | os.PathLike[str], arm: str, text: str) -> list[float]:
    """When the trace of `idlesim run --trace` has a line with this text, in microseconds."""
    path = load_run(folder).folder / arm / "trace.txt"
    if not path.exists():
        raise ResultError(f"{path} does not exist: run the experiment with --trace")
    with path.open(encoding="utf-8") as lines:
        return [float(_TIME.search(line)[1]) * 1e6 for line in lines if text in line]


def find_idlesim() -> str:
    """The program: $IDLESIM, else PATH, else build/release of the source tree."""
    here = Path(__file__).resolve().parent
    candidates = [os.environ.get("IDLESIM"), shutil.which("idlesim"),
                  str(here.parent / "build/release/idlesim")]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    raise ResultError("there is no idlesim: build it with `./bootstrap build`, or name it in the "
                      "environment variable IDLESIM")


def idlesim(*words: str | int | os.PathLike[str]) -> str:
    """Runs idlesim and returns what it printed.

    Exit status 1 is no error: it ran to the end, and the answer is no (a target was missed).
    """
    command = [find_idlesim(), *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1 or done.returncode < 0:
        raise ResultError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


# Figures. Each draws into `ax` (or a new figure) and returns it.


def use_style() -> None:
    """Fonts and sizes of all figures; call it once."""
    plt.rcParams.update({
        "figure.figsize": (8, 4.5), "figure.dpi": 110, "figure.constrained_layout.use": True,
        "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True, "axes.spines.top": False,
        "axes.spines.right": False, "axes.titlelocation": "left", "legend.frameon": False,
        "hatch.linewidth": 0.6, "axes.prop_cycle": plt.cycler(color=COLOURS)})


def _axes(ax: Axes | None) -> Axes:
    return ax if ax is not None else plt.subplots()[1]


def plot_ecdf(run: Run, arms: Iterable[str] | None = None, ax: Axes | None = None,
              unit: str = "us", published: bool = True) -> Axes:
    """How many of the samples took at most so long; published percentiles as dots."""
    ax = _axes(ax)
    scale = {"ns": 1.0, "us": 1e-3, "ms": 1e-6}[unit]
    targets = run.targets
    metric = ""
    highest = 0.0
    for index, arm in enumerate(run.arms if arms is None else arms):
        samples = run.samples(arm)
        metric = samples.attrs["metric"].removesuffix("_ns")
        values = np.sort(samples[samples.attrs["metric"]].to_numpy()) * scale
        share = np.arange(1, len(values) + 1) / len(values) * 100
        ax.step(values, share, where="post", color=COLOURS[index], linestyle=LINES[index],
                label=arm)
        highest = max(highest, float(np.quantile(values, 0.998)))
        points = targets[(targets.arm == arm) & (targets.metric == metric)]
        points = points[points["stat"].str.match(r"p[\d.]+$") & (points["unit"] == "ns")]
        if published and not points.empty:
            level = points["stat"].str[1:].astype(float)
            number = pd.to_numeric(points["documented"], errors="coerce") * scale
            ax.plot(number, level, linestyle="", marker="os^Dv<>p"[index % 8], markersize=6,
                    color=COLOURS[index], markeredgecolor="black", label=f"{arm}, published")
            inside = number[level <= 99.9]
            highest = max(highest, float(inside.max()) if not inside.empty else 0.0)
    ax.set_xlim(right=highest * 1.05)
    ax.set_xlabel(f"{metric.replace('_', ' ')} ({unit})")
    ax.set_ylabel("samples at or below (%)")
    ax.legend(loc="lower right")
    return ax


def step_change(run: Run, baseline: str, arm: str) -> pd.DataFrame:
    """Mean of each step in two arms and their difference, largest saving first; steps that cost
    nothing in both are left out. The differences add up to the difference of the metric."""
    one, two = (run.breakdown(name).set_index("step")["mean_ns"] for name in (baseline, arm))
    frame = pd.DataFrame({"baseline_ns": one, "arm_ns": two}).fillna(0.0)
    frame["delta_ns"] = frame["arm_ns"] - frame["baseline_ns"]
    frame = frame[(frame[["baseline_ns", "arm_ns"]] != 0).any(axis=1)]
    frame = frame.sort_values("delta_ns").rename_axis("step").reset_index()
    frame.attrs = {"units": {"baseline_ns": "ns", "arm_ns": "ns", "delta_ns": "ns"}}
    return frame


def plot_waterfall(parts: Mapping[str, float], ax: Axes | None = None, unit: str = "ns",
                   start: tuple[str, float] | None = None, end: str = "total") -> Axes:
    """Parts that add up, one behind the other; with `start` they are changes to that value."""
    ax = _axes(ax)
    bars = [] if start is None else [(start[0], 0.0, start[1], "#999999")]
    level = 0.0 if start is None else start[1]
    for name, value in parts.items():
        colour = COLOURS[0] if value >= 0 else COLOURS[2]
        bars.append((name, min(level, level + value), abs(value), colour))
        level += value
    bars.append((end, 0.0, level, "#999999"))
    for row, (name, left, width, colour) in enumerate(bars):
        hatch = "" if colour == "#999999" else ("///" if colour == COLOURS[2] else "...")
        ax.barh(row, width, left=left, color=colour, edgecolor="white", hatch=hatch)
        if colour == "#999999":
            ax.text(left + width, row, f"{width:.0f} ", va="center", ha="right", color="white",
                    fontsize=8)
        else:
            text = f" {parts[name]:.0f}" if start is None else f" {parts[name]:+.0f}"
            ax.text(left + width, row, text, va="center", fontsize=8)
    ax.set_yticks(range(len(bars)), [bar[0].replace("_", " ") for bar in bars])
    ax.invert_yaxis()
    ax.set_xlabel(unit)
    ax.grid(axis="y", visible=False)
    ax.margins(x=0.1)
    return ax


def residency(run: Run, replication: int = 1) -> pd.DataFrame:
    """Time by arm and requested state over the CPUs that ever slept: arm, name, time_us."""
    parts = []
    for arm in run.arms:
        frame = run.cpuidle(arm)
        frame = frame[frame.replication == replication]
        slept = frame.groupby("cpu")["usage"].transform("sum") > 0
        part = frame[slept].groupby(["state", "name"], as_index=False)["time_us"].sum()
        part.insert(0, "arm", arm)
        parts.append(part)
    result = pd.concat(parts, ignore_index=True)
    result.attrs = {"units": {"time_us": "us"}, "info": run.info}
    return result


def plot_residency(frame: pd.DataFrame, ax: Axes | None = None, by: str = "arm",
                   value: str = "time_us") -> Axes:
    """Share of the idle time that each state has, one bar a group; the shares add up to 100."""
    ax = _axes(ax)
    table = frame.pivot_table(index=by, columns="name", values=value, aggfunc="sum", sort=False)
    table = table.fillna(0.0)
    table = table.div(table.sum(axis=1), axis=0) * 100
    left = np.zeros(len(table))
    for index, state in enumerate(table.columns):
        ax.barh(table.index, table[state], left=left, label=state, color=COLOURS[index % 8],
                hatch=HATCHES[index % 8], edgecolor="white")
        left += table[state].to_numpy()
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.set_xlabel("share of the idle time (%)")
    ax.legend(ncol=max(1, len(table.columns)), loc="upper center", bbox_to_anchor=(0.5, -0.15))
    ax.grid(axis="y", visible=False)
    return ax


def plot_timeline(frame: pd.DataFrame, names: Mapping[int, str], begin_us: float, end_us: float,
                  ax: Axes | None = None, cpus: Sequence[int] | None = None) -> Axes:
    """Which state each CPU was in between two times; a thin line is awake. `cpus`: these, from top
    to bottom; else all of them, rising."""
    ax = _axes(ax)
    part = frame[(frame.end_us > begin_us) & (frame.begin_us < end_us)]
    cpus = sorted(part.cpu.unique()) if cpus is None else list(cpus)
    part = part[part.cpu.isin(cpus)]
    seen: set[int] = set()
    for row in part.itertuples():
        left = max(row.begin_us, begin_us)
        width = min(row.end_us, end_us) - left
        line = cpus.index(row.cpu)
        if row.state < 0:
            label = None if -1 in seen else "awake"
            ax.barh(line, width, left=left, height=0.12, color="black", label=label)
        else:
            label = None if row.state in seen else names.get(row.state, f"state {row.state}")
            ax.barh(line, width, left=left, height=0.6, color=COLOURS[row.state % 8],
                    hatch=HATCHES[row.state % 8], edgecolor="white", linewidth=0, label=label)
        seen.add(int(row.state))
    ax.set_yticks(range(len(cpus)), [f"CPU {cpu}" for cpu in cpus])
    ax.set_xlim(begin_us, end_us)
    ax.set_ylim(max(len(cpus), 3) - 0.5, -0.5)
    ax.set_xlabel("simulated time (us)")
    ax.legend(ncol=5, loc="upper center", bbox_to_anchor=(0.5, -0.15))
    ax.grid(axis="y", visible=False)
    return ax


def plot_deltas(frame: pd.DataFrame, labels: Sequence[str], ax: Axes | None = None) -> Axes:
    """Paired differences from the baseline in percent, with their 95 % intervals. `frame` has the
    columns of comparison.csv; a row without interval is a hollow dot."""
    ax = _axes(ax)
    rows = np.arange(len(frame))
    low = (frame["delta_percent"] - frame["ci_low"]).fillna(0.0)
    high = (frame["ci_high"] - frame["delta_percent"]).fillna(0.0)
    known = frame["ci_low"].notna().to_numpy()
    ax.errorbar(frame["delta_percent"], rows, xerr=[low, high], linestyle="", color=COLOURS[0],
                capsize=4, elinewidth=2)
    for hollow in (False, True):
        mask = ~known if hollow else known
        ax.plot(frame["delta_percent"][mask], rows[mask], linestyle="", marker="o", markersize=7,
                color=COLOURS[0], markerfacecolor="white" if hollow else COLOURS[0])
    for row, value in zip(rows, frame["delta_percent"]):
        ax.annotate(f"{value:+.2f} %", (value, row), textcoords="offset points", xytext=(0, 9),
                    ha="center", fontsize=8)
    ax.axvline(0, color="black", linewidth=1)
    ax.set_yticks(rows, labels)
    ax.set_ylim(len(frame) - 0.5, -0.6)
    ax.margins(x=0.15)
    ax.set_xlabel("difference from the baseline (%)")
    return ax


def plot_load_curve(frame: pd.DataFrame, rate: str, latency: str, by: str = "arm",
                    limits_ms: Sequence[float] = (), ax: Axes | None = None) -> Axes:
    """Latency against load, one line a group; `frame[latency]` in ms, limits as dashed lines."""
    ax = _axes(ax)
    for index, (name, group) in enumerate(frame.groupby(by, sort=False)):
        group = group.sort_values(rate)
        ax.plot(group[rate], group[latency], marker="os^Dv<>p"[index % 8], markersize=5,
                color=COLOURS[index], linestyle=LINES[index], label=str(name))
    for limit in limits_ms:
        ax.axhline(limit, color="black", linewidth=0.8, linestyle=":")
        ax.annotate(f"SLA {limit:g} ms", (0.01, limit), xycoords=("axes fraction", "data"),
                    ha="left", va="bottom", fontsize=8)
    ax.set_yscale("log")
    ax.set_xlabel(f"{rate.replace('_', ' ')}")
    ax.set_ylabel(f"{latency.replace('_', ' ')} (ms)")
    ax.legend(loc="lower right")
    return ax


def plot_heat_map(sweep: Sweep, x: str, y: str, value: str, label: str,
                  ax: Axes | None = None) -> Axes:
    """A column of points.csv over two swept parameters."""
    ax = _axes(ax)
    for name in (x, y, value):
        if name not in sweep.points.columns:
            raise ResultError(f"{sweep.folder / 'points.csv'} lacks the column {name}; it has "
                              f"{', '.join(sweep.points.columns)}")
    table = sweep.points.pivot(index=y, columns=x, values=value)
    image = ax.pcolormesh(np.arange(len(table.columns) + 1), np.arange(len(table.index) + 1),
                          table.to_numpy(), cmap="cividis")
    ax.set_xticks(np.arange(len(table.columns)) + 0.5, [f"{v:g}" for v in table.columns],
                  rotation=90)
    ax.set_yticks(np.arange(len(table.index)) + 0.5, [f"{v:g}" for v in table.index])
    ax.grid(visible=False)
    plt.colorbar(image, ax=ax, label=label)
    return ax
