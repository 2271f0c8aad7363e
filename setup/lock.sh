#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Write requirements.lock: install requirements.in into a fresh venv and record every package that came.
# Run it after an edit of requirements.in, look at the difference, and commit both.
set -eu
cd "$(dirname "$0")"
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
/usr/bin/python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet $(grep -E '^(pip|setuptools|wheel)==' requirements.in)
"$venv/bin/python" -m pip install --quiet --no-build-isolation -r requirements.in
"$venv/bin/python" -m pip check
{
  echo '# SPDX-License-Identifier: Apache-2.0'
  echo '# Every Python package of the venv, pinned. Written by setup/lock.sh from requirements.in; do not edit.'
  "$venv/bin/python" -m pip freeze --all
} > requirements.lock.new
mv requirements.lock.new requirements.lock
