# SPDX-License-Identifier: Apache-2.0
"""configs/schema/*.json against every shipped YAML and every bad configuration of tests/golden.

Reads YAML as editors do: by the rules of YAML 1.2.
"""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "configs" / "schema"
BAD = ROOT / "tests" / "golden" / "bad_config"

FOLDERS = {
    "docs/examples": "experiment",
    "experiments": "experiment",
    "experiments/examples": "experiment",
    "experiments/predictions": "experiment",
    "experiments/sweeps": "sweep",
    "experiments/calibrations": "calibration",
    "configs/platforms": "platform",
}

# What only the loader finds, with the reason.
BEYOND_A_SCHEMA = {
    "anchor": "an anchor is gone when YAML has been read",
    "directive": "a directive is gone when YAML has been read",
    "duplicate_key": "the last one wins when YAML has been read",
    "duplicate_nested": "the same",
    "hex_number": "an integer is one however it is written",
    "integer_overflow": "integers of JSON have no end",
    "overflow": "the size of a duration",
    "second_set": "the fault is in a --set",
    "tag": "a tag is gone when YAML has been read",
    "too_fine": "the resolution of a duration",
}


class Loader(yaml.SafeLoader):
    """The core schema of YAML 1.2: true and false, decimal, 0o and 0x integers."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"^(?:true|false)$", "tf"),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$",
     "-+0123456789."),
    ("null", r"^(?:~|null|)$", ["~", "n", ""]),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))


def check_keys(value: Any) -> None:
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key that is no string: not JSON")
        for item in value.values():
            check_keys(item)
    elif isinstance(value, list):
        for item in value:
            check_keys(item)


def read(path: Path) -> Any:
    document = yaml.load(path.read_bytes(), Loader)
    check_keys(document)
    return document


def validator(path: Path) -> jsonschema.Draft7Validator:
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


VALIDATORS = {name: validator(SCHEMAS / f"{name}.json") for name in set(FOLDERS.values())}
SHIPPED = [(path, kind) for folder, kind in FOLDERS.items()
           for path in sorted((ROOT / folder).glob("*.yaml"))]


def ids(value: Any) -> str:
    return value.stem if isinstance(value, Path) else str(value)


def faults(name: str, document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}"
            for error in VALIDATORS[name].iter_errors(document)]


def test_every_folder_with_yaml_files_is_looked_at() -> None:
    with_files = {path.parent.relative_to(ROOT).as_posix()
                  for top in ("experiments", "configs", "docs") for path in (ROOT / top).rglob("*.yaml")}
    assert with_files <= set(FOLDERS)


@pytest.mark.parametrize("path,kind", SHIPPED, ids=ids)
def test_a_shipped_file_is_valid(path: Path, kind: str) -> None:
    assert faults(kind, read(path)) == []


@pytest.mark.parametrize("path,kind", SHIPPED, ids=ids)
def test_a_shipped_file_tells_editors_its_schema(path: Path, kind: str) -> None:
    line = re.search(r"^# yaml-language-server: \$schema=(\S+)$", path.read_text(), re.MULTILINE)
    assert line, "its second line should be # yaml-language-server: $schema=.../" + kind + ".json"
    assert (path.parent / line[1]).resolve() == SCHEMAS / f"{kind}.json"


DEMO = validator(BAD / "demo.schema.json")


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=ids)
def test_a_bad_configuration_is_found_where_a_schema_can(path: Path) -> None:
    try:
        document = read(path)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        return  # no YAML, or no JSON
    found = list(DEMO.iter_errors(document))
    assert bool(found) != (path.stem in BEYOND_A_SCHEMA), \
        "the schema misses it" if not found else "the schema finds it: take it from BEYOND_A_SCHEMA"


EXPERIMENT = read(ROOT / "experiments/examples/own_strategy.yaml")


def test_a_mistyped_key_a_missing_unit_and_an_unknown_kind_are_found() -> None:
    for change in ({"replicatons": 3},
                   {"workload": {"kind": "ipi_wake", "wakeup": 3}},
                   {"workload": {"kind": "ipi_wake", "interval": 20}},
                   {"workload": {"kind": "ipi_woke"}},
                   {"interrupts": [{"mean_interval": "1 ms"}]},
                   {"kernel": {"hz": 251}},
                   {"arms": {}},
                   {"arms": {"a": {"governor": {"governor": "menu"}}}},
                   {"targets": [{"arm": "a"}]},
                   {"targets": [{"arm": "own", "metric": "wake_latenzy", "stat": "p50", "source": "x"}]},
                   {"targets": [{"arm": "own", "metric": "energy", "stat": "p51", "source": "x"}]}):
        assert faults("experiment", EXPERIMENT | change), change


def test_an_arm_may_leave_the_kind_to_what_stands_above() -> None:
    arms = {"near": None, "far": {"workload": {"target_cpu": 8}},
            "slow": {"platform": {"costs": {"hlt_exit": {"value": "2 us"}}}}}
    assert faults("experiment", EXPERIMENT | {"arms": arms}) == []
    assert faults("experiment", EXPERIMENT | {"arms": {"far": {"workload": {"target_cpus": 8}}}})


def test_a_platform_is_complete_or_extends_another() -> None:
    platform = read(ROOT / "configs/platforms/amd-zen3-server.yaml")
    del platform["costs"]["hlt_exit"]["basis"]
    assert faults("platform", platform)
    assert faults("platform", {"extends": "amd-zen3-server", "core_clock": "2 GHz"}) == []
    assert faults("platform", {"extends": "amd-zen3-server", "core_clok": "2 GHz"})
