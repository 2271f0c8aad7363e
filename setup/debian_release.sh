# SPDX-License-Identifier: Apache-2.0
# For sourcing: an apt for one Debian release, from the mirror this machine already uses. It has a state of its own, so that
# the machine's apt is neither asked for root nor changed, and checks the release against Debian's keyring.

fail() { # fail CODE MESSAGE
  echo "weir: $2" >&2
  exit "$1"
}

# Make the apt in the empty folder WORK: `private_apt` runs it. SOURCE is the kind of its packages, `deb` or `deb-src`;
# ARCHITECTURE that of binary packages. Exit code 2 for a RELEASE that is none, 1 when its lists cannot be fetched.
release_apt() { # release_apt WORK SOURCE RELEASE [ARCHITECTURE]
  local source=$2 release=$3 architecture=${4:-} keyring=/usr/share/keyrings/debian-archive-keyring.gpg codename mirror
  work=$(realpath -- "$1")
  [[ $release =~ ^[a-z]+(-[a-z]+)*$ ]] || fail 2 "RELEASE \"$release\" is not the code name of a Debian release."
  [[ -r $keyring ]] || fail 1 "$keyring is missing: install the Debian package debian-archive-keyring."

  # apt itself reads the machine's sources, in whichever form they are. A foreign archive that has the same release name
  # fails at the signature.
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$codename" '$1 == release && $2 == "main" && $3 !~ /^cdrom:/ && !found { print $3; found = 1 }')
  [[ -n $mirror ]] || fail 1 "the sources of this machine's apt name no mirror of Debian $codename, from which to fetch."

  mkdir -p "$work"/{lists/partial,cache/archives/partial}
  : >"$work/status"
  echo "$source [signed-by=$keyring] $mirror $release main" >"$work/sources.list"
  cat >"$work/apt.conf" <<CONF
// Hooks of the machine, such as those that clean its cache, are for its own state.
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
APT::Keep-Downloaded-Packages "true";
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
  if [[ -n $architecture ]]; then
    echo "APT::Architecture \"$architecture\"; APT::Architectures { \"$architecture\"; };" >>"$work/apt.conf"
  fi
  private_apt update || fail 1 "the list of Debian $release's packages cannot be fetched (see above)."
}

private_apt() { apt-get -c "$work/apt.conf" --quiet=2 "$@"; }
