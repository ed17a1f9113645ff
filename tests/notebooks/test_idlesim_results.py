# SPDX-License-Identifier: Apache-2.0
"""notebooks/idlesim_results.py against results that idlesim writes here and now.

$IDLESIM names the program.
"""

import os
import shutil
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "notebooks"))

import idlesim_results as r  # noqa: E402

EXPERIMENT = """
title: Short wake-ups, published as anything
platform: amd-zen3-server
kernel: { version: "5.18", hz: 250, cpuidle: none }
workload: { kind: ipi_wake, source_cpu: 0, target_cpu: 2, wakeups: 300 }
arms:
  hlt: { idle: { strategy: hlt } }
  mwait: { idle: { strategy: mwait_c1 } }
replications: 2
targets:
  - { arm: hlt, metric: wake_latency, stat: p50, documented: 2000 ns, use: context,
      source: nowhere }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results")
    (path / "short.yaml").write_text(EXPERIMENT)
    r.idlesim("run", path / "short.yaml", "--out", path / "run")
    r.idlesim("run", path / "short.yaml", "--replications", 1, "--trace", "--out", path / "traced")
    r.idlesim("validate", path / "short.yaml", "--out", path / "ledger")
    (path / "sweep.yaml").write_text("""
title: Two by two
experiment: short.yaml
set: { workload.wakeups: 50 }
axes:
  platform.costs.hlt_exit.value: [300 ns, 500 ns]
  workload.interval: [20 us, 50 us]
metrics:
  - { metric: wake_latency, stats: [p50] }
""")
    r.idlesim("sweep", path / "sweep.yaml", "--tidy", "--out", path / "sweep")
    return path


@pytest.fixture()
def copy(folder: Path, tmp_path: Path) -> Path:
    """A run that a test may damage."""
    shutil.copytree(folder / "run", tmp_path / "run")
    return tmp_path / "run"


def test_a_run_knows_its_arms_and_where_it_came_from(folder: Path) -> None:
    run = r.load_run(folder / "run")
    assert run.arms == ["hlt", "mwait"]
    assert run.info["toolname"] == "idlesim"
    assert run.summary.attrs["info"]["replications"] == 2


def test_the_summary_agrees_with_the_samples(folder: Path) -> None:
    run = r.load_run(folder / "run")
    values = run.samples("mwait")["wake_latency_ns"]
    assert run.value("mwait", "wake_latency", "p99") == pytest.approx(values.quantile(0.99))
    assert run.value("mwait", "wake_latency", "mean") == pytest.approx(values.mean())


def test_the_steps_of_every_sample_add_up_to_it(folder: Path) -> None:
    samples = r.load_run(folder / "run").samples("hlt")
    total = samples[samples.attrs["steps"]].sum(axis=1)
    assert (total - samples[samples.attrs["metric"]]).abs().max() < 1e-6


def test_columns_with_a_unit_in_their_name_carry_it_as_metadata(folder: Path) -> None:
    run = r.load_run(folder / "run")
    assert run.samples("hlt").attrs["units"]["time_us"] == "us"
    assert run.breakdown("hlt").attrs["units"]["share_percent"] == "%"


def test_samples_of_all_arms_are_one_tidy_frame(folder: Path) -> None:
    frame = r.load_run(folder / "run").all_samples()
    assert list(frame.columns) == ["arm", "replication", "time_us", "cpu", "value_ns"]
    assert frame.groupby("arm").size().to_dict() == {"hlt": 600, "mwait": 600}


def test_the_changes_of_the_steps_add_up_to_the_change_of_the_metric(folder: Path) -> None:
    run = r.load_run(folder / "run")
    change = r.step_change(run, "hlt", "mwait")
    whole = run.value("mwait", "wake_latency", "mean") - run.value("hlt", "wake_latency", "mean")
    assert change["delta_ns"].sum() == pytest.approx(whole)


def test_a_ledger_has_documented_beside_simulated(folder: Path) -> None:
    ledger = r.load_ledger(folder / "ledger")
    assert ledger.loc[0, "documented"] == 2000
    assert ledger.loc[0, "verdict"] == "context"


def test_a_sweep_names_what_was_varied(folder: Path) -> None:
    sweep = r.load_sweep(folder / "sweep")
    assert sweep.parameters == ["platform.costs.hlt_exit.value_ns", "workload.interval_ns"]
    assert len(sweep.points) == 4
    assert set(sweep.tidy()["arm"]) == {"hlt", "mwait"}


def test_a_timeline_leaves_no_gap(folder: Path) -> None:
    frame = r.load_timeline(folder / "traced", "hlt")
    of_target = frame[frame.cpu == 2]
    assert (of_target.begin_us.iloc[1:].to_numpy() == of_target.end_us.iloc[:-1].to_numpy()).all()
    assert {-1, 1} == set(of_target.state)


def test_a_folder_without_info_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(r.ResultError, match="no info.yml.*--out"):
        r.load_run(tmp_path)


def test_a_result_of_another_program_is_refused(copy: Path) -> None:
    (copy / "info.yml").write_text("toolname: wult\n")
    with pytest.raises(r.ResultError, match="not written by idlesim"):
        r.load_run(copy)


def test_another_format_version_is_refused_by_both_names(copy: Path) -> None:
    info = (copy / "info.yml").read_text().replace("format_version: 1", "format_version: 9")
    (copy / "info.yml").write_text(info)
    with pytest.raises(r.ResultError, match="format_version 9.*reads 1"):
        r.load_run(copy)


def test_an_empty_file_is_named(copy: Path) -> None:
    (copy / "comparison.csv").write_text("")
    with pytest.raises(r.ResultError, match="comparison.csv is empty"):
        r.load_run(copy).comparison


def test_a_table_without_rows_is_no_error(folder: Path) -> None:
    assert r.load_run(folder / "run").findings.empty


def test_a_missing_column_is_named(copy: Path) -> None:
    frame = pd.read_csv(copy / "hlt/breakdown.csv").drop(columns="share_percent")
    frame.to_csv(copy / "hlt/breakdown.csv", index=False)
    with pytest.raises(r.ResultError, match="breakdown.csv lacks the column share_percent"):
        r.load_run(copy).breakdown("hlt")


def test_an_unknown_arm_is_answered_with_those_that_exist(folder: Path) -> None:
    with pytest.raises(r.ResultError, match="no arm 'halt', only hlt, mwait"):
        r.load_run(folder / "run").samples("halt")


def test_a_trace_that_was_not_recorded_says_how_to_get_one(folder: Path) -> None:
    with pytest.raises(r.ResultError, match="--trace"):
        r.load_timeline(folder / "run", "hlt")


@pytest.fixture()
def ax() -> plt.Axes:
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def test_events_of_a_trace_are_found_by_their_text(folder: Path) -> None:
    times = r.load_event_times(folder / "traced", "hlt", "cpu_idle: state=")
    assert len(times) > 10
    assert times == sorted(times)
    assert r.load_event_times(folder / "traced", "hlt", "no such event") == []
    with pytest.raises(r.ResultError, match="--trace"):
        r.load_event_times(folder / "run", "hlt", "cpu_idle")


def test_a_timeline_shows_the_cpus_that_it_is_asked_for(folder: Path, ax: plt.Axes) -> None:
    timeline = r.load_timeline(folder / "traced", "hlt")
    r.plot_timeline(timeline, {1: "C1"}, 0, 500, ax=ax, cpus=[2, 0])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["CPU 2", "CPU 0"]


def test_an_unfinished_sweep_says_how_to_go_on(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "sweep", tmp_path / "sweep")
    os.remove(tmp_path / "sweep/points.csv")
    with pytest.raises(r.ResultError, match="--resume"):
        r.load_sweep(tmp_path / "sweep")


def test_what_idlesim_complains_about_is_passed_on() -> None:
    with pytest.raises(r.ResultError, match="ended with 2:\n.*unknown verb"):
        r.idlesim("rum")


def test_every_figure_names_its_axis_with_a_unit(folder: Path, ax: plt.Axes) -> None:
    run = r.load_run(folder / "run")
    assert r.plot_ecdf(run, ax=ax).get_xlabel() == "wake latency (us)"
    ax.clear()
    assert "(us)" in r.plot_timeline(r.load_timeline(folder / "traced", "hlt"), {1: "C1"}, 0, 500,
                                     ax=ax).get_xlabel()
    ax.clear()
    assert "(%)" in r.plot_residency(r.residency(run), ax=ax).get_xlabel()
    ax.clear()
    assert "(%)" in r.plot_deltas(run.comparison.head(3), ["a", "b", "c"], ax=ax).get_xlabel()
    ax.clear()
    assert r.plot_waterfall({"a": 1.0, "b": 2.0}, ax=ax).get_xlabel() == "ns"


def test_lines_of_an_ecdf_differ_in_style_for_print(folder: Path, ax: plt.Axes) -> None:
    r.plot_ecdf(r.load_run(folder / "run"), published=False, ax=ax)
    assert len({line.get_linestyle() for line in ax.lines}) == 2


def test_published_percentiles_stand_on_the_ecdf_at_their_value(folder: Path, ax: plt.Axes) -> None:
    r.plot_ecdf(r.load_run(folder / "run"), ["hlt"], ax=ax)
    dots = [line for line in ax.lines if "published" in str(line.get_label())]
    assert [tuple(map(float, line.get_xydata()[0])) for line in dots] == [(2.0, 50.0)]


def test_the_last_bar_of_a_waterfall_is_the_sum(ax: plt.Axes) -> None:
    r.plot_waterfall({"saved": -30.0, "added": 10.0}, start=("before", 100.0), end="after", ax=ax)
    assert [bar.get_width() for bar in ax.patches] == [100.0, 30.0, 10.0, 80.0]


def test_shares_of_residency_add_up_to_100(folder: Path, ax: plt.Axes) -> None:
    r.plot_residency(r.residency(r.load_run(folder / "run")), ax=ax)
    ends = [bar.get_x() + bar.get_width() for bar in ax.patches]
    assert max(ends) == pytest.approx(100)


def test_a_delta_without_interval_is_hollow(ax: plt.Axes) -> None:
    frame = pd.DataFrame({"delta_percent": [1.0, 2.0], "ci_low": [0.5, None],
                          "ci_high": [1.5, None]})
    r.plot_deltas(frame, ["known", "unknown"], ax=ax)
    faces = [line.get_markerfacecolor() for line in ax.lines if line.get_marker() == "o"]
    assert faces == [r.COLOURS[0], "white"]


def test_a_load_curve_is_sorted_by_load_and_shows_its_limits(ax: plt.Axes) -> None:
    frame = pd.DataFrame({"arm": "on", "injection_rate": [300, 100, 200], "p99": [9.0, 1.0, 2.0]})
    r.plot_load_curve(frame, "injection_rate", "p99", limits_ms=[10, 25], ax=ax)
    assert list(ax.lines[0].get_xdata()) == [100, 200, 300]
    assert len(ax.lines) == 3


def test_a_heat_map_names_the_columns_when_asked_for_another(folder: Path, ax: plt.Axes) -> None:
    sweep = r.load_sweep(folder / "sweep")
    with pytest.raises(r.ResultError, match="hlt.wake_latency.p50_ns"):
        r.plot_heat_map(sweep, sweep.parameters[0], sweep.parameters[1], "p51", "", ax=ax)
