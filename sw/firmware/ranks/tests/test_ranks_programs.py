# SPDX-License-Identifier: Apache-2.0
"""The programs on this machine's processor, one hart after the other, and what their check says of spoiled memory."""

import ctypes
import subprocess
from pathlib import Path

import pytest

RANKS = Path(__file__).resolve().parents[1]
HARTS = 4
HEADERS = {
    "harts.h": f"""
#include <stdint.h>
#define HARTS {HARTS}u
#define CACHE_LINE 64
typedef void (*hart_work)(unsigned hart, void* argument);
static inline void harts_run(unsigned count, hart_work work, void* argument) {{
  for (unsigned hart = 0; hart < count; ++hart) work(hart, argument);
}}
static inline uint64_t cycles(void) {{ return 0; }}
""",
    "system.h": "",
    "generated/csr.h": "static inline void memory_clock_divider_write(uint32_t divider) { (void)divider; }\n",
    "generated/mem.h": "extern char* memory;\n#define MAIN_RAM_BASE ((uintptr_t)memory)\n",
}
PROGRAM = """
#include <sys/mman.h>
#include "programs.h"

char* memory;
static struct program program = {
    .bytes = 1 << 16, .operations = 5000, .divider = 1, .geometry = {8192, 8, 16384, 2}};

static void nothing(void) {}

int prepare(uint64_t bytes) {
  memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED;
}

void run(bool updates, bool own_rank) {
  program.updates = updates;
  program.own_rank = own_rank;
  program_run(&program, nothing, nothing);
}

uint64_t check(void) { return program_check(&program); }

void add(uint64_t offset, uint64_t number) { *(uint64_t*)(memory + offset) += number; }
"""
FIRST, PART, RANK = 64 << 20, 128 << 20, 1 << 30
"""Of programs.c."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    for name, text in {**HEADERS, "program.c": PROGRAM}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", f"-I{folder}", f"-I{RANKS}"]
    command = ["gcc", *flags, "-o", folder / "programs.so", folder / "program.c", RANKS / "programs.c"]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(str(folder / "programs.so"))
    library.check.restype = ctypes.c_uint64
    library.prepare.argtypes = [ctypes.c_uint64]
    library.add.argtypes = [ctypes.c_uint64, ctypes.c_uint64]
    assert library.prepare(2 * RANK) == 0
    return library


@pytest.mark.parametrize("own_rank", [False, True])
@pytest.mark.parametrize("updates", [False, True])
def test_a_run_in_memory_that_works_is_right(programs, updates, own_rank):
    programs.run(updates, own_rank)
    assert programs.check() == 0


@pytest.mark.parametrize("own_rank", [False, True])
@pytest.mark.parametrize("hart", range(HARTS))
@pytest.mark.parametrize("difference", [-1, 1])
def test_an_update_of_any_hart_that_is_lost_or_too_many_is_found(programs, hart, own_rank, difference):
    programs.run(True, own_rank)
    rank = hart % 2 if own_rank else 0
    programs.add(FIRST + hart * PART + rank * RANK + 37 * 64, difference % 2**64)
    assert programs.check() == 1


def test_a_word_of_a_chase_that_is_not_zero_is_found(programs):
    programs.run(False, False)
    programs.add(FIRST + 3 * PART, 5)
    assert programs.check() == 5
