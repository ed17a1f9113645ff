#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: with_python.sh "MODULE ..." [PYTHON-ARG...]
# Runs Python with the first interpreter that has the modules. The one on the PATH may be another
# than the distribution's, which its packages belong to. Exit status 77: none has them.
set -uo pipefail
modules=$1
shift
export PYTHONDONTWRITEBYTECODE=1 # the source tree stays as it is
for python in python3 /usr/bin/python3; do
    if command -v "$python" >/dev/null && "$python" -c "import ${modules// /, }" 2>/dev/null; then
        exec "$python" "$@"
    fi
done
echo "skipped: no python3 here has all of: $modules (./bootstrap deps ci installs them)"
exit 77
