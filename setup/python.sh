#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Make or update the venv build/venv with the packages of requirements.lock, on Debian's own Python.
set -euo pipefail

/usr/bin/python3 -m venv build/venv
pip=(build/venv/bin/python -m pip install --disable-pip-version-check --no-deps)
# First what builds the packages that come as source, so that they are not built by whatever is newest.
"${pip[@]}" $(grep -E '^(pip|setuptools|wheel)==' setup/requirements.lock)
"${pip[@]}" --no-build-isolation -r setup/requirements.lock
build/venv/bin/python -m pip check
