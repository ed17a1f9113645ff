#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: readme_commands.sh IDLESIM SOURCE
# What README.md tells a newcomer to type works as it stands there.
set -uo pipefail
binary=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export IDLESIM_DATA=$source
ln -s "$source/docs" "$scratch/docs"
cd "$scratch" || exit 1

idlesim() { "$binary" "$@"; }

count=0
while read -r line; do
    count=$((count + 1))
    if ! eval "$line" >log 2>&1 </dev/null; then
        echo "README.md: '$line' ended badly:"
        tail -n 5 log
        exit 1
    fi
done < <(sed -n '/what to try next/,/^## /{s/ *#.*//;/^    idlesim/p}' "$source/README.md")
((count >= 4)) || { echo "only $count commands found in README.md"; exit 1; }
echo "$count commands of README.md work"
