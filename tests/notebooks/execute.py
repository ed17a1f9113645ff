# SPDX-License-Identifier: Apache-2.0
"""Executes notebooks as a reader would, and checks that git holds them without outputs.

usage: execute.py NOTEBOOK... [--keep DIR]     (DIR gets the executed notebooks and their figures)
Exit status 77: a package is not installed.
"""

import argparse
import base64
import os
import re
import sys
import time
from pathlib import Path

# The kernel's debugger would complain about frozen modules, once a notebook.
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

try:
    import ipykernel  # noqa: F401
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
    import pandas  # noqa: F401
    import yaml  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


ANSI = re.compile(r"\x1b\[[0-9;]*m")


def is_stripped(notebook: nbformat.NotebookNode) -> bool:
    return all(not cell.outputs and cell.execution_count is None
               for cell in notebook.cells if cell.cell_type == "code")


def execute(path: Path, keep: Path | None) -> bool:
    begin = time.monotonic()
    notebook = nbformat.read(path, as_version=4)
    if not is_stripped(notebook):
        print(f"{path}: holds outputs; jupyter nbconvert --clear-output --inplace {path}")
        return False
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                     resources={"metadata": {"path": str(path.parent)}})
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as error:
        print(f"{path}: {ANSI.sub('', str(error))}")
        return False
    figures = [output for cell in notebook.cells for output in cell.get("outputs", [])
               if "image/png" in output.get("data", {})]
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, keep / path.name)
        for number, figure in enumerate(figures):
            image = base64.b64decode(figure["data"]["image/png"])
            (keep / f"{path.stem}-{number}.png").write_bytes(image)
    print(f"{path.name}: {len(figures)} figures, {time.monotonic() - begin:.1f} s")
    return True


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    results = [execute(path.resolve(), arguments.keep) for path in arguments.notebooks]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
