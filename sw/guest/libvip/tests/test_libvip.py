# SPDX-License-Identifier: Apache-2.0
"""libvip on this machine's kernel, and on kernels with and without ViPZonE, which the test plays. Broken sources must
be found out."""

import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CASES = re.findall(r'^    \{"(\w+)",', (HERE / "check.c").read_text(), re.MULTILINE)
WRAPPED = ("fopen", "fclose", "mmap", "munmap", "malloc", "free", "syscall")


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
    if case == "this_kernel" and Path("/sys/kernel/mm/vipzone").exists():
        pytest.skip("this kernel has ViPZonE")
    assert run(program(tmp_path), case) == (0, "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("*line == '1'", "*line"),
        ("power < nodes->power :", "power > nodes->power :"),
        (": other_power < nodes->other_power", ": other_power > nodes->other_power"),
        (": other_power < nodes->other_power", ": false"),
        ("power == nodes->power && ", ""),
        (" && other_power == nodes->other_power", ""),
        ("nodes->count && !draws_less", "!draws_less"),
        ("  int before = errno;\n  char line", "  int before = 0;\n  char line"),
        ("if (file) fclose(file);\n  file =", "file ="),
        ("if (file) fclose(file);\n  is_available", "is_available"),
        (" || node >= NODES", ""),
        ("add(&of_writes, node, write, read);", "add(&of_writes, node, read, write);"),
        ("pthread_once(&once, ask);", "once = 0, pthread_once(&once, ask);"),
        ("mmap(address, length, prot & ~FLAGS,", "mmap(address, length, prot,"),
        ("mmap(address, length, prot & ~FLAGS,", "mmap(address, length, prot & ~VIP_TYP_WRITE,"),
        ("memory == MAP_FAILED || ", ""),
        ("!(prot & VIP_HI_UTIL) || ", ""),
        (" || !vip_available()) return memory", ") return memory"),
        ("prot & VIP_TYP_WRITE ? &of_writes", "prot & VIP_TYP_WRITE ? &of_reads"),
        ("WEIGHTED_INTERLEAVE : PREFERRED,", "PREFERRED : PREFERRED,"),
        ("NODES + 1", "NODES / 16"),
        ("(MAP_POPULATE | MAP_LOCKED)", "MAP_POPULATE"),
        ("(MAP_POPULATE | MAP_LOCKED)", "MAP_LOCKED"),
        ("  errno = before;\n  return memory;", "  (void)before;\n  return memory;"),
        ("vip_flags & ~(size_t)FLAGS", "false"),
        ("bytes > PTRDIFF_MAX - sizeof(union header)", "bytes > SIZE_MAX"),
        ("bytes + sizeof(union header)", "bytes"),
        ("vip_flags & VIP_HI_UTIL && ", ""),
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
