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
# apt checks the release against Debian's keyring and the package against the release. It works on a state of its own, so
# that the machine's apt is neither asked for root nor changed. Exit code 2 for bad arguments, 1 when it cannot be fetched.
set -euo pipefail

fail() { # fail CODE MESSAGE
  echo "weir: $2" >&2
  exit "$1"
}

upstream=0
if [[ ${1:-} == --upstream ]]; then
  upstream=1
  shift
fi
(($# == 3)) || fail 2 "usage: setup/debian_source.sh [--upstream] PACKAGE RELEASE DESTINATION"
package=$1 release=$2 destination=$3
[[ $package =~ ^[a-z0-9][a-z0-9.+-]+$ ]] || fail 2 "PACKAGE \"$package\" is not the name of a Debian source package."
[[ $release =~ ^[a-z]+(-[a-z]+)*$ ]] || fail 2 "RELEASE \"$release\" is not the code name of a Debian release."
[[ ! -e $destination ]] || fail 2 "DESTINATION \"$destination\" is there already; remove it first."
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[[ -r $keyring ]] || fail 1 "$keyring is missing: install the Debian package debian-archive-keyring."

# apt itself reads the machine's sources, in whichever form they are. A foreign archive that has the same release name
# fails at the signature.
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  awk -v release="$codename" '$1 == release && $2 == "main" && $3 !~ /^cdrom:/ && !found { print $3; found = 1 }')
[[ -n $mirror ]] || fail 1 "the sources of this machine's apt name no mirror of Debian $codename, from which to fetch $package."

mkdir -p -- "$(dirname -- "$destination")"
work=$(mktemp -d -- "$(dirname -- "$destination")/.debian_source.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
work=$(realpath -- "$work")
mkdir -p "$work"/{lists/partial,cache/archives/partial,files}
: >"$work/status"
echo "deb-src [signed-by=$keyring] $mirror $release main" >"$work/sources.list"
cat >"$work/apt.conf" <<CONF
// Hooks of the machine, such as those that clean its cache, are for its own state.
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$work";
Dir::State::Lists "$work/lists";
Dir::State::Status "$work/status";
Dir::Cache "$work/cache";
CONF

private_apt() { apt-get -c "$work/apt.conf" --quiet=2 "$@"; }
private_apt update || fail 1 "the list of Debian $release's source packages cannot be fetched (see above)."
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
