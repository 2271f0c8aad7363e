#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Linux for the guest, from Debian's package linux-source-6.12 with the patches and the config of sw/linux-patches/6.12; or of
# another version that has such a folder, if WEIR_LINUX names it.
#
# usage: kernel.sh fetch SOURCE [RELEASE]   download the package and unpack the kernel into SOURCE, anew; from another
#                                           release of Debian than this machine's, such as trixie-backports, if one is given
#        kernel.sh build SOURCE BUILD IMAGE [LINE...]
#                                           patch SOURCE, compile it in BUILD, copy the result to IMAGE; each LINE, such
#                                           as CONFIG_SMP=n, stands for the one of weir.config with that option
# The package is the one that this machine's apt offers: Debian moves the point release on, and the patches follow.
# SOURCE/.debian-version says which one it is. A build compiles what has changed since the last one.
set -euo pipefail

version=${WEIR_LINUX:-6.12}
package=linux-source-$version
patches=sw/linux-patches/$version
config=$patches/weir.config

fail() { # fail CODE MESSAGE
  echo "weir: $2" >&2
  exit "$1"
}

fetch() {
  local source=$1 release=${2:-} download
  mkdir -p -- "$(dirname -- "$source")"
  download=$(mktemp -d -- "$(dirname -- "$source")/.linux-source.XXXXXX")
  trap "rm -rf -- '$download'" EXIT
  if [[ -n $release ]]; then
    . setup/debian_release.sh
    release_apt "$download/apt" deb "$release"
    (cd "$download" && private_apt download "$package") || fail 1 "Debian $release has no package $package to fetch."
  else
    (cd "$download" && apt-get -o APT::Sandbox::User=root download "$package") ||
      fail 1 "the Debian package $package cannot be fetched; are the package lists up to date (apt-get update)?"
  fi
  dpkg -x "$download/$package"_*.deb "$download/package"
  mkdir "$download/source"
  tar --extract --strip-components=1 --directory="$download/source" --file "$download/package/usr/src/$package".tar.xz
  dpkg-deb --field "$download/$package"_*.deb Version >"$download/source/.debian-version"
  rm -rf -- "$source"
  mv -- "$download/source" "$source"
}

# Kconfig drops silently what it does not know or what depends on something else.
check_config() { # check_config FILE: every line of the config fragment holds in FILE
  local line option bad=0
  while read -r line; do
    option=${line%%=*}
    case $line in
      CONFIG_*=n) ! grep -q "^$option=" "$1" || { echo "weir: $config: $option is on all the same" >&2; bad=1; } ;;
      CONFIG_*) grep -qxF -- "$line" "$1" || { echo "weir: $config: the kernel does not take \"$line\"" >&2; bad=1; } ;;
    esac
  done <"$config"
  return "$bad"
}

build() {
  local source=$1 build=$2 image=$3 line
  sw/linux-patches/apply.py "$patches/series" "$source"
  mkdir -p -- "$build"
  if (($# > 3)); then
    cp -- "$config" "$build/weir.config"
    config=$build/weir.config
  fi
  for line in "${@:4}"; do
    sed -i "/^${line%%=*}=/d" "$config"
    echo "$line" >>"$config"
  done
  local make=(make -C "$source" O="$(realpath -- "$build")" ARCH=riscv CROSS_COMPILE='ccache riscv64-linux-gnu-'
    KBUILD_BUILD_TIMESTAMP="Debian $(<"$source/.debian-version")" KBUILD_BUILD_USER=weir KBUILD_BUILD_HOST=guest
    KBUILD_BUILD_VERSION=1)
  # The old config stays as long as it is the same, or make would look at every file anew.
  "${make[@]}" KCONFIG_CONFIG="$(realpath -- "$build")/.config.new" KCONFIG_ALLCONFIG="$(realpath -- "$config")" allnoconfig
  check_config "$build/.config.new"
  cmp -s "$build/.config.new" "$build/.config" || cp -- "$build/.config.new" "$build/.config"
  "${make[@]}" -j2 Image
  cp -- "$build/arch/riscv/boot/Image" "$image"
}

[[ -f $patches/series ]] || fail 2 "WEIR_LINUX=$version: there are no patches for it; there are for $(cd sw/linux-patches && echo */series | sed 's,/series,,g')"
case "${1:-} $#" in
  'fetch '[23]) fetch "${@:2}" ;;
  'build '[4-9] | 'build '[1-9][0-9]) build "${@:2}" ;;
  *) fail 2 "usage: kernel.sh fetch SOURCE [RELEASE] | kernel.sh build SOURCE BUILD IMAGE [LINE...]" ;;
esac
