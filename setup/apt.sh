#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Install the packages of a list that are missing; nothing, and no root needed, when all are there.
# usage: apt.sh [LIST]    (default: apt-packages.txt of this folder)
set -euo pipefail

missing=()
for package in $(sed 's/#.*//' "${1:-setup/apt-packages.txt}"); do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  as_root=(sudo -n)
  # With a terminal sudo may ask for the password, here, before the step takes the terminal away.
  if ! { command -v sudo && if [[ -t 0 ]]; then sudo -v; else sudo -n true; fi; } >/dev/null 2>&1; then
    echo "weir: root or sudo is needed once, to install the Debian packages ${missing[*]}." >&2
    exit 1
  fi
fi

export DEBIAN_FRONTEND=noninteractive
setup/step --fetches "the Debian package lists" apt-update "Update the package lists" \
  "${as_root[@]}" apt-get update -o APT::Update::Error-Mode=any
setup/step --fetches "the Debian packages ${missing[*]}" apt-install "Install the missing Debian packages (${#missing[@]})" \
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
