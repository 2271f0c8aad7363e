#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fetch a source package of a Debian release from the mirror this machine already uses, and unpack it. The release named,
# not the machine's own one, is the pin of the version.
#
# usage: setup/debian_source.sh [--upstream] PACKAGE RELEASE DESTINATION
#   --upstream   take upstream's tarball alone, without Debian's patches
#   PACKAGE      name of the source package, such as musl
#   RELEASE      code name of the release, such as trixie or bookworm-backports
#   DESTINATION  folder that is made for it; must not be there yet
# apt checks the package against the release (debian_release.sh). Exit code 2 for bad arguments, 1 when it cannot be fetched.
set -euo pipefail
. "${BASH_SOURCE%/*}/debian_release.sh"

upstream=0
if [[ ${1:-} == --upstream ]]; then
  upstream=1
  shift
fi
(($# == 3)) || fail 2 "usage: setup/debian_source.sh [--upstream] PACKAGE RELEASE DESTINATION"
package=$1 release=$2 destination=$3
[[ $package =~ ^[a-z0-9][a-z0-9.+-]+$ ]] || fail 2 "PACKAGE \"$package\" is not the name of a Debian source package."
[[ ! -e $destination ]] || fail 2 "DESTINATION \"$destination\" is there already; remove it first."

mkdir -p -- "$(dirname -- "$destination")"
work=$(mktemp -d -- "$(dirname -- "$destination")/.debian_source.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
release_apt "$work" deb-src "$release"
mkdir "$work/files"
cd "$work/files"
selection=(--download-only --only-source)
if ((upstream)); then selection+=(--tar-only); fi
private_apt source "${selection[@]}" "$package" ||
  fail 1 "the source package $package of Debian $release cannot be fetched (see above)."
if ((upstream)); then
  mkdir source
  tar --extract --strip-components=1 --directory=source --file ./*.orig.tar.*
else
  # The signature of the .dsc is the maintainer's, and checked by the archive; what counts here is the archive's own.
  dpkg-source --no-check --extract ./*.dsc source
fi || fail 1 "the source package $package cannot be unpacked (see above)."
cd "$OLDPWD"
mv -- "$work/files/source" "$destination"
