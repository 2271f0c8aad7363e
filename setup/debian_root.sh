#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Unpack binary packages of a Debian release, and all that they depend on, into a folder, for any architecture. Nothing in
# them is run. The release named, not the machine's own one, is the pin of the versions.
#
# usage: setup/debian_root.sh RELEASE ARCHITECTURE DESTINATION PACKAGE...
#   RELEASE       code name of the release, such as trixie
#   ARCHITECTURE  Debian's name of it, such as riscv64
#   DESTINATION   folder that is made for them; must not be there yet
#   PACKAGE       name of a binary package, such as bzip2; recommended ones are left out
# DESTINATION/var/lib/weir/packages lists what is there, a package and its version on a line. Exit code 2 for bad arguments,
# 1 when a package cannot be fetched.
set -euo pipefail
. "${BASH_SOURCE%/*}/debian_release.sh"

(($# >= 4)) || fail 2 "usage: setup/debian_root.sh RELEASE ARCHITECTURE DESTINATION PACKAGE..."
release=$1 architecture=$2 destination=$3
shift 3
[[ $architecture =~ ^[a-z0-9]+$ ]] || fail 2 "ARCHITECTURE \"$architecture\" is not the name of one of Debian's."
[[ ! -e $destination ]] || fail 2 "DESTINATION \"$destination\" is there already; remove it first."
for package in "$@"; do
  [[ $package =~ ^[a-z0-9][a-z0-9.+-]+$ ]] || fail 2 "PACKAGE \"$package\" is not the name of a Debian package."
done

mkdir -p -- "$(dirname -- "$destination")"
work=$(mktemp -d -- "$(dirname -- "$destination")/.debian_root.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
release_apt "$work" deb "$release" "$architecture"
private_apt install --yes --download-only --no-install-recommends "$@" ||
  fail 1 "the packages $* of Debian $release for $architecture cannot be fetched (see above)."

# The links of a merged /usr come with a package whose scripts are not run.
root=$work/root
mkdir -p "$root"/usr/{bin,lib,sbin} "$root/var/lib/weir"
for name in bin lib sbin; do ln -s "usr/$name" "$root/$name"; done
for archive in "$work"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$archive" | tar --extract --keep-directory-symlink --directory="$root"
  dpkg-deb --show --showformat '${Package} ${Version}\n' "$archive" >>"$root/var/lib/weir/packages"
done
mv -- "$root" "$destination"
