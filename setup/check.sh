#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Say in one sentence why this machine cannot build Weir, and fail; silent when it can.
set -euo pipefail

refuse() {
  echo "weir: $1" >&2
  exit 1
}

system=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${VERSION_ID:-} ${PRETTY_NAME:-}" || uname -s)
[[ $system == "debian 12 "* ]] || refuse "the set-up needs Debian 12 (bookworm), and this machine runs ${system#* * }."

architecture=$(dpkg --print-architecture)
[[ $architecture == amd64 ]] || refuse "the set-up needs an amd64 (x86-64) machine, and this one is $architecture."

[[ $PWD != *[[:space:]]* ]] || refuse "make cannot build in a folder whose path has a space: \"$PWD\"; move the clone."
