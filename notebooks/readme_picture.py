# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the README, docs/context_switch.png and docs/specjbb.png, in a minute:
readme_picture.py [FOLDER]"""

import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

import idlesim_results as r

PUBLISHED = {"hlt": 1e9 / 190184, "mwait": 1e9 / 277444}  # aebef63cf7ff, medians


def draw_context_switch(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        r.idlesim("run", "02_zen3_context_switch2", "--replications", 2,
                  "--set", "workload.duration=200 ms", "--set", "workload.interval=50 ms",
                  "--out", f"{folder}/run")
        run = r.load_run(f"{folder}/run")
        change = r.step_change(run, "hlt", "mwait").set_index("step")["delta_ns"]
        hlt = run.value("hlt", "wake_latency", "mean")
    large = change[change.abs() >= 15]
    exits = ["hlt_exit", "mwait_exit"]
    large = pd.concat([large[exits], large.drop(exits)])
    parts = large.to_dict() | {"everything else": change.sum() - large.sum()}
    ax = plt.subplots(figsize=(8, 4.2))[1]
    r.plot_waterfall(parts, ax=ax, start=("HLT", hlt), end="MWAIT")
    last = len(parts) + 1
    for row, arm in ((0, "hlt"), (last, "mwait")):
        ax.plot([PUBLISHED[arm]] * 2, [row - 0.45, row + 0.45], color=r.COLOURS[1], linewidth=3,
                label="published" if row == 0 else None)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 0.15))
    ax.set_xlabel("one context switch between two CPUs (ns)")
    ax.set_title("Where MWAIT's 46 % more context switches come from (Zen 3)")
    ax.figure.savefig(target, dpi=100)


def draw_load_curve(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        r.idlesim("run", "19_skx_specjbb_ibrs_off", "--replications", 1,
                  "--set", "workload.collections=60", "--out", f"{folder}/run")
        curve = r.load_run(f"{folder}/run").all_load_curves()
    curve = curve.assign(p99=curve.p99_ns / 1e6, rate_kjops=curve.rate / 1e3)
    ax = r.plot_load_curve(curve, "rate_kjops", "p99", ax=plt.subplots(figsize=(8, 4.2))[1],
                           limits_ms=[10, 25, 50, 75, 100])
    ax.set_xlabel("injected requests a second (thousands)")
    ax.set_title("SPECjbb2015 on 112 CPUs: siblings that idle without IBRS answer sooner (Skylake)")
    ax.figure.savefig(target, dpi=100)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else \
        Path(__file__).resolve().parent.parent / "docs"
    r.use_style()
    plt.rcParams.update({"font.size": 9})
    draw_context_switch(folder / "context_switch.png")
    draw_load_curve(folder / "specjbb.png")


if __name__ == "__main__":
    main()
