# SPDX-License-Identifier: Apache-2.0
"""The kernel as it was built: its config holds what the fragment says, its patches are clean."""

import fnmatch
import itertools
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
PATCHES = ROOT / "sw" / "linux-patches" / "6.12"
SOURCE = ROOT / "build" / "guest" / "kernel-source"
BUILD = ROOT / "build" / "guest" / "kernel"

SERIES = [line for line in (PATCHES / "series").read_text().splitlines() if line and not line.startswith("#")]


def test_the_series_names_each_patch_once_and_in_order():
    assert sorted(SERIES) == sorted(str(path.relative_to(PATCHES)) for path in PATCHES.glob("**/*.patch"))
    for folder, patches in itertools.groupby(SERIES, key=lambda patch: patch.split("/")[0]):
        numbers = [int(re.match(r"[^/]+/(\d{4})-", patch)[1]) for patch in patches]
        assert numbers == list(range(1, len(numbers) + 1)), folder


@pytest.mark.parametrize("patch", SERIES)
def test_checkpatch_has_nothing_to_say(patch):
    ignored = ["FILE_PATH_CHANGES"]  # below
    if re.search(r"^\+\+\+ b/scripts/\S+\.c$", (PATCHES / patch).read_text(), re.MULTILINE):
        ignored += ["CAMELCASE", "PREFER_KERNEL_TYPES"]  # programs of the build machine have ELF's and C's types
    if "/trace.h\n" in (PATCHES / patch).read_text():
        ignored += [
            "OPEN_ENDED_LINE",
            "PARENTHESIS_ALIGNMENT",
        ]  # so are the parts of TRACE_EVENT() written in all of Linux
    options = ["--strict", "--no-tree", "--terse", f"--ignore={','.join(ignored)}"]
    command = ["perl", "scripts/checkpatch.pl", *options, PATCHES / patch]
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def is_maintained(file, patterns):
    """Whether one of the patterns of MAINTAINERS is of `file`; one with a slash at its end is of all below."""
    return any(
        file.startswith(pattern)
        if pattern.endswith("/")
        else pattern.count("/") == file.count("/") and fnmatch.fnmatchcase(file, pattern)
        for pattern in patterns
    )


def test_somebody_maintains_each_new_file():
    patterns = re.findall(r"^F:\s+(\S+)$", (SOURCE / "MAINTAINERS").read_text(), re.MULTILINE)
    # what the last entry is of, which is of all files
    patterns = [pattern for pattern in patterns if pattern not in ("*", "*/")]
    added = {
        file
        for patch in SERIES
        for file in re.findall(r"^--- /dev/null\n\+\+\+ b/(\S+)$", (PATCHES / patch).read_text(), re.MULTILINE)
    }
    assert len(added) > 40
    assert [file for file in sorted(added) if not is_maintained(file, patterns)] == []
    assert not is_maintained("mm/nobodys.c", [pattern for pattern in patterns if pattern != "mm/"])


def test_the_config_is_the_fragment():
    config = set((BUILD / ".config").read_text().splitlines())
    wanted = re.findall(r"^(CONFIG_\w+)=(.*)$", (PATCHES / "weir.config").read_text(), re.MULTILINE)
    assert len(wanted) > 40
    for option, value in wanted:
        if value == "n":
            assert not [line for line in config if line.startswith(f"{option}=")], option
        else:
            assert f"{option}={value}" in config


def test_the_image_is_linux_for_risc_v():
    # Documentation/arch/riscv/boot-image-header.rst: text offset at byte 8, magic "RSC\x05" at 56
    header = (ROOT / "build" / "guest" / "Image").read_bytes()[:64]
    assert header[56:60] == b"RSC\x05"
    assert int.from_bytes(header[8:16], "little") == 0x20_0000


def test_an_option_that_the_kernel_does_not_take_is_named(tmp_path):
    """kernel.sh on a tree whose kernel drops one option: it says which, and keeps the old Image."""
    source, build, image = tmp_path / "source", tmp_path / "build", tmp_path / "Image"
    source.mkdir()
    image.write_text("old")
    (source / ".debian-version").write_text("0")
    (source / "Makefile").write_text(
        "allnoconfig:\n\tgrep -v CONFIG_CPUSETS $(KCONFIG_ALLCONFIG) | grep -v '=n$$' >$(KCONFIG_CONFIG)\n"
    )
    for patch in SERIES:  # what the patches touch must be there for them to apply
        text = (PATCHES / patch).read_text()
        for file in re.findall(r"^--- a/(\S+)", text, re.MULTILINE):
            if (SOURCE / ".patched" / "absent" / file).exists():
                continue  # made by an earlier patch
            (source / file).parent.mkdir(parents=True, exist_ok=True)
            (source / file).write_bytes(original(file))
    command = [ROOT / "sw/guest/kernel/kernel.sh", "build", source, build, image]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert 'weir.config: the kernel does not take "CONFIG_CPUSETS=y"' in done.stderr
    assert image.read_text() == "old"


def original(file):
    """Content of `file` in the kernel before the patches."""
    kept = SOURCE / ".patched" / "original" / file
    return (kept if kept.exists() else SOURCE / file).read_bytes()
