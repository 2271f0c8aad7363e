#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Build busybox with the options of a fragment and no others, by the guest's compiler driver.
#
# usage: sw/guest/userland/busybox.sh SOURCE FRAGMENT GUEST_CC BUILD
#   SOURCE    unpacked source of busybox (read only)
#   FRAGMENT  lines of its .config; one that busybox does not take as it stands is an error
#   GUEST_CC  the compiler driver
#   BUILD     folder for its objects and the program, BUILD/busybox
set -euo pipefail
source=$(realpath "$1") fragment=$(realpath "$2") guest_cc=$(realpath "$3") build=$4
mkdir -p "$build"
build=$(realpath "$build")

# No time of the build in the program.
export SOURCE_DATE_EPOCH=0

busybox_make() {
  make -C "$source" O="$build" ARCH=riscv CC="$guest_cc" LD=riscv64-linux-gnu-ld AR=riscv64-linux-gnu-ar \
    STRIP=riscv64-linux-gnu-strip SKIP_STRIP=n HOSTCFLAGS=-w "$@"
}
# busybox's allnoconfig takes no fragment: write what is off as well, for every option that its Config.in files name.
busybox_make allnoconfig
{
  cat "$fragment"
  find "$source" "$build" -name Config.in -exec sed -n 's/^[[:space:]]*config \([A-Z0-9_]*\)$/\1/p' {} + | sort -u |
    grep -vxFf <(sed -n 's/^CONFIG_\([A-Z0-9_]*\)=.*/\1/p' "$fragment") | sed 's/.*/# CONFIG_& is not set/'
} >"$build/.config"
busybox_make oldconfig < <(yes '')
refused=$(grep '^CONFIG_' "$fragment" | grep -vxFf "$build/.config" || true)
[[ -z $refused ]] || { printf 'weir: %s: busybox does not take these options:\n%s\n' "$2" "$refused" >&2; exit 1; }
busybox_make -j2 busybox
