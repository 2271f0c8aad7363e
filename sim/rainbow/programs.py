# SPDX-License-Identifier: Apache-2.0
"""The programs whose pages the policies place, and how much DRAM they have for them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """The command line of weir-bench, the pages of 4 KiB of DRAM that its hot pages may have, an eighth of those that
    it uses while it is timed, whether these lie in arrays of 2 MiB, as a huge page needs, and whether it can have a
    thread for each hart."""

    command: str
    frames: int
    has_huge_pages: bool = False
    is_parallel: bool = False


PROGRAMS = {
    "gups-hot": Program("gups-hot --size 4194304 --iterations 2", 128, has_huge_pages=True, is_parallel=True),
    "bfs": Program("bfs --size 4096", 10),
    "hashjoin": Program("hashjoin --size 4096", 5),
    "spmv": Program("spmv --size 4096 --iterations 2", 10, is_parallel=True),
    "anneal": Program("anneal --size 4096 --iterations 2", 3),
}
"""bfs uses 256 KiB of neighbours and four arrays of 16 KiB, hashjoin 32 KiB of rows, 64 KiB of slots and 64 KiB of
probes, spmv 256 KiB of entries and two vectors of 32 KiB, anneal 80 KiB of elements and 16 KiB of locations."""
