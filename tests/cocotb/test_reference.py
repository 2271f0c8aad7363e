# SPDX-License-Identifier: Apache-2.0
"""The reference memory itself: what it lets pass, and what it must not."""

import pytest
from testbench.burst import Fixed, Incr, Wrap
from testbench.reference import Reference

PLACE = [(100, 4)]


class Memory(Reference):
    """Accesses of four bytes at one place, each byte the same, between two cycles."""

    def write(self, value: int, begun: int, ended: int | None, stream: str = "a", strobes: bytes | None = None) -> None:
        pieces = self.begin_write(PLACE, bytes([value] * 4), strobes, stream, begun)
        if ended is not None:
            self.end_write(PLACE, pieces, ended)

    def read(self, value: int, begun: int, ended: int) -> None:
        self.end_read(self.begin_read(PLACE, begun), bytes([value] * 4), ended)


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    memory.write(1, 0, 5)
    return memory


def test_an_answered_write_must_be_seen(memory):
    memory.read(1, 6, 9)
    with pytest.raises(AssertionError, match="0x64 was read as 0x02"):
        memory.read(2, 6, 9)


def test_a_write_under_way_may_be_seen_or_not(memory):
    good, bad = (memory.begin_read(PLACE, 8) for _ in range(2))
    memory.write(2, 10, 20)
    memory.end_read(good, bytes([1, 2, 2, 1]), 30)
    with pytest.raises(AssertionError, match="0x03"):
        memory.end_read(bad, bytes([3] * 4), 31)


def test_an_overwritten_value_must_not_come_back(memory):
    memory.write(2, 10, 20)
    with pytest.raises(AssertionError, match="0x01"):
        memory.read(1, 21, 30)


def test_a_write_begun_after_the_read_ended_must_not_be_seen(memory):
    read = memory.begin_read(PLACE, 8)
    memory.write(2, 40, None)
    with pytest.raises(AssertionError, match="0x02"):
        memory.end_read(read, bytes([2] * 4), 30)


def test_writes_of_one_stream_keep_their_order(memory):
    memory.write(2, 10, 20)
    memory.write(3, 11, 21)
    with pytest.raises(AssertionError, match="0x02"):
        memory.read(2, 30, 40)


def test_writes_of_two_streams_that_overlap_have_none(memory):
    memory.write(2, 10, 20, "b")
    memory.write(3, 11, 21, "c")
    memory.read(2, 30, 40)
    memory.read(3, 30, 40)


def test_bytes_without_a_strobe_stay(memory):
    memory.write(2, 10, 20, strobes=bytes([0, 1, 0, 1]))
    memory.end_read(memory.begin_read(PLACE, 30), bytes([1, 2, 1, 2]), 40)
    with pytest.raises(AssertionError, match="0x64 was read as 0x02"):
        memory.read(2, 30, 40)


def test_bytes_never_written_keep_the_value_of_their_first_read():
    memory = Memory()
    memory.read(7, 0, 5)
    memory.read(7, 6, 9)
    with pytest.raises(AssertionError, match="0x08"):
        memory.read(8, 10, 12)


def test_a_write_that_reset_ended_may_be_seen_or_not(memory):
    memory.write(2, 10, None)
    memory.reset(15, drained=8)
    memory.read(1, 20, 25)
    memory.read(2, 20, 25)
    with pytest.raises(AssertionError, match="0x03"):
        memory.read(3, 20, 25)


def test_what_nobody_can_see_is_forgotten(memory):
    for number in range(100):
        memory.write(number, 10 * number + 10, 10 * number + 15)
    assert [len(history) for history in memory.granules.values()] == [1]


def test_bursts_carry_the_bytes_that_axi_says():
    assert Incr(0x103, 3, 4).transfers() == [(0x103, 1), (0x104, 4), (0x108, 4)]
    assert Wrap(0x34, 4, 4).transfers() == [(0x34, 4), (0x38, 4), (0x3C, 4), (0x30, 4)]
    assert Wrap(0x34, 4, 4).runs() == [(0x34, 12), (0x30, 4)]
    assert Fixed(0x101, 2, 4).transfers() == [(0x101, 3), (0x101, 3)]
