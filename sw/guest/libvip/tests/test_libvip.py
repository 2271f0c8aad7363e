# SPDX-License-Identifier: Apache-2.0
"""libvip on this machine's kernel, on kernels without ViPZonE and on one that has it, which the test plays. Broken
sources must be found out."""

import platform
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CASES = ("this_kernel", "EINVAL", "ENOSYS", "vipzone")
WRAPPED = ("madvise", "mmap", "munmap", "malloc", "free")


def program(folder, old="", new=""):
    """Path of the test in `folder`, with the only `old` of the library replaced by `new`."""
    source = (HERE.parent / "vip.c").read_text()
    if old:
        assert source.count(old) == 1
        source = source.replace(old, new)
    (folder / "vip.c").write_text(source)
    options = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-I", HERE.parent]
    wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
    sources = [HERE / "check.c", folder / "vip.c"]
    subprocess.run(["gcc", *options, *wraps, *sources, "-o", folder / "check"], check=True)
    return folder / "check"


def run(path, case):
    """(exit code, what is printed)"""
    done = subprocess.run([path, case], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize("case", CASES)
def test_each_case_passes(tmp_path, case):
    if case == "this_kernel" and "weir" in platform.release():
        pytest.skip("this kernel has ViPZonE")
    assert run(program(tmp_path), case) == (0, "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("== 0 ? YES : NO", "== 0 ? NO : YES"),
        ("== 0 ? YES : NO", "== 0 ? YES : YES"),
        ("    int before = errno;\n    /*", "    int before = 0;\n    /*"),
        ("    atomic_store_explicit(&answer, known, memory_order_relaxed);\n", ""),
        ("prot | PROT_VIP", "prot"),
        ("prot & ~FLAGS", "prot"),
        ("prot & ~FLAGS", "prot & ~VIP_TYP_WRITE"),
        ("vip_flags & ~(size_t)FLAGS", "false"),
        ("bytes > PTRDIFF_MAX - sizeof(union header)", "bytes > SIZE_MAX"),
        ("bytes + sizeof(union header)", "bytes"),
        ("if (header == MAP_FAILED) return NULL;", ""),
        ("header->mapped = length;", "header->mapped = bytes;"),
        ("header->mapped = length;", "header->mapped = 0;"),
        ("header->mapped = 0;", "header->mapped = length;"),
        ("| (int)vip_flags", ""),
        ("if (!memory) return;", ""),
        ("    munmap(header, header->mapped);\n", ""),
        ("    free(header);\n", ""),
        ("  max_align_t alignment;\n", ""),
    ],
)
def test_broken_sources_are_found_out(tmp_path, old, new):
    path = program(tmp_path, old, new)
    assert any(run(path, case)[0] for case in CASES)
