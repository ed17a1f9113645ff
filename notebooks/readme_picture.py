# SPDX-License-Identifier: Apache-2.0
"""Draws docs/context_switch.png, the picture of the README: readme_picture.py [FILE.png]"""

import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

import idlesim_results as r

PUBLISHED = {"hlt": 1e9 / 190184, "mwait": 1e9 / 277444}  # aebef63cf7ff, medians


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else \
        Path(__file__).resolve().parent.parent / "docs" / "context_switch.png"
    r.use_style()
    plt.rcParams.update({"font.size": 9})
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


if __name__ == "__main__":
    main()
