# SPDX-License-Identifier: Apache-2.0
"""What the firmware expects of the workload's words, on the host: after a run, and after a power cut. Memory is an
array, and what is wrong in it is put there."""

import re
import subprocess
from pathlib import Path

import pytest

POLICIES = Path(__file__).resolve().parents[1]

MEMORY = """
#include <stdint.h>
extern uint8_t memory[];
#define MAIN_RAM_BASE ((uintptr_t)memory - WORKLOAD_IN_NVM)
"""

# Tags in all lines, then the first `done` accesses; then one thing is broken.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sums.h"
uint8_t memory[SUPERPAGES * 512 * 4096];
int main(int count, char** argument) {
  const struct workload workload = {.accesses = 6000, .hot_pages = 6, .hot_share = 115, .writes = 64, .seed = 9};
  const uint32_t done = atoi(argument[1]), kept = atoi(argument[2]), cut = atoi(argument[3]);
  for (uint32_t s = 0; s < SUPERPAGES; ++s)
    for (uint32_t p = 0; p < 512; ++p)
      for (uint32_t l = 0; l < LINES_PER_PAGE; ++l) {
        const uint64_t word = (uint64_t)workload_tag(s, p, l) << 32;
        memcpy(memory + ((s * 512 + p) * LINES_PER_PAGE + l) * 64, &word, 8);
      }
  uint64_t state = workload.seed, older = 0;
  struct access last = {0};
  for (uint32_t i = 0; i < done; ++i) {
    const struct access access = workload_next(&workload, &state);
    if (!access.write) continue;
    last = access;
    older = *word_of(&workload, access);
    *word_of(&workload, access) = (older & ~UINT64_C(0xffffffff)) | (uint32_t)((uint32_t)older + access.write);
  }
  if (!strcmp(argument[4], "older")) *word_of(&workload, last) = older;
  if (!strcmp(argument[4], "page")) memset((void*)word_of(&workload, (struct access){3, 111, 0, 0}), 0, 4096);
  if (!strcmp(argument[4], "sum")) *word_of(&workload, last) += 1;
  if (!strcmp(argument[4], "moved")) *word_of(&workload, last) ^= UINT64_C(1) << 40;
  uint32_t checked;
  if (cut) return printf("%u", sums_check_cut(&workload, kept, &checked)) < 0;
  sums_replay(&workload);
  return printf("%u", sums_check(&workload, &checked)) < 0;
}
"""


@pytest.fixture(scope="module")
def wrong_words(tmp_path_factory):
    """Builds the program; answers what it finds wrong in memory after `done` accesses of which `kept` must be there."""
    folder = tmp_path_factory.mktemp("sums")
    (folder / "generated").mkdir()
    (folder / "generated" / "mem.h").write_text(MEMORY)
    (folder / "main.c").write_text(PROGRAM)
    words = ["gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{folder}", f"-I{POLICIES}"]
    words += ["-Wno-unused-parameter", str(folder / "main.c"), str(POLICIES / "sums.c"), "-o", str(folder / "sums")]
    subprocess.run(words, check=True)

    def run(done, kept, cut, broken="nothing"):
        arguments = [str(done), str(kept), str(int(cut)), broken]
        ended = subprocess.run([folder / "sums", *arguments], check=True, capture_output=True, text=True)
        assert re.fullmatch(r"\d+", ended.stdout)
        return int(ended.stdout)

    return run


def test_a_whole_run_is_right_and_one_cut_short_is_not(wrong_words):
    assert wrong_words(6000, 0, cut=False) == 0
    assert wrong_words(5000, 0, cut=False) > 100


@pytest.mark.parametrize(("done", "kept"), [(0, 0), (3000, 0), (3000, 3000), (4321, 3000), (6000, 3000), (6000, 6000)])
def test_memory_may_be_ahead_of_the_checkpoint(wrong_words, done, kept):
    assert wrong_words(done, kept, cut=True) == 0


def test_memory_must_not_be_behind_the_checkpoint(wrong_words):
    assert wrong_words(2000, 3000, cut=True) > 100
    assert wrong_words(3000, 3000, cut=True, broken="older") == 1
    assert wrong_words(4000, 3000, cut=True, broken="older") == 0


@pytest.mark.parametrize("broken", ["sum", "moved"])
def test_a_word_that_was_never_written_is_wrong(wrong_words, broken):
    assert wrong_words(4000, 3000, cut=True, broken=broken) == 1


def test_a_lost_page_is_wrong_in_each_of_its_lines(wrong_words):
    """Page 111 of superpage 3 is its first hot one (37 x 3)."""
    assert wrong_words(4000, 3000, cut=True, broken="page") >= 64
