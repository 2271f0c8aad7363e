# SPDX-License-Identifier: Apache-2.0
"""Reference memory: what a read may return, given the writes before and beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

GRANULE = 64  # bytes that are kept together


@lru_cache(maxsize=4096)
def bits_of(mask: int) -> int:
    """A mask with a bit for each byte as one with eight bits for each byte."""
    return sum(0xFF << (8 * byte) for byte in range(GRANULE) if mask >> byte & 1)


@dataclass(slots=True)
class GranuleWrite:
    """What one write burst put into one granule. `mask` loses bytes once nobody can see them any more."""

    begun: int  # cycle of the address handshake
    number: int  # in the order of the address handshakes
    stream: object  # writes of one stream reach memory in order
    mask: int
    data: int
    ended: int | None = None  # cycle of the response
    lost: bool = False  # reset ended it: it may have reached memory or not

    def before(self, cycle: float) -> bool:
        """Whether it has surely reached memory for a read that begins in this cycle."""
        return self.ended is not None and not self.lost and self.ended < cycle

    def follows(self, other: GranuleWrite) -> bool:
        """Whether it surely reaches memory after the other one."""
        if self.stream == other.stream:
            return self.number > other.number
        return other.ended is not None and self.begun > other.ended


@dataclass(slots=True)
class Read:
    """A read under way."""

    runs: list[tuple[int, int]]
    begun: int


@dataclass
class Reference:
    """Bytes by address, as the order rules of AXI4 leave them.

    A write counts from its response on, a read from its address on, and what overlaps may come in either order: a read
    returns, for each byte, a write that was begun before the read ended and that no other write surely overwrote before
    the read began. Writes of one stream (port and id) keep their order. Bytes never written have some fixed value,
    which the first read of them tells.

    Cycles are those of the handshakes; two events in the same cycle have no order.
    """

    granules: dict[int, list[GranuleWrite]] = field(default_factory=dict)
    reading: dict[int, Read] = field(default_factory=dict)
    reads: int = 0  # checked so far
    writes: int = 0  # begun so far

    def begin_write(self, runs, data: bytes, strobes: bytes | None, stream, cycle: int) -> list[GranuleWrite]:
        """A write's address is taken.

        Args:
            runs: addresses and lengths in the order of the bytes
            data: the bytes
            strobes: 1 for each byte to be written, 0 for each to be left; None writes all
            stream: what names the order it is in: port and id
            cycle: of the address handshake
        Returns:
            what end_write wants
        """
        pieces: dict[int, GranuleWrite] = {}
        self.writes += 1
        position = 0
        for address, length in runs:
            for granule, offset, count in _pieces(address, length):
                chunk = data[position : position + count]
                mask = (1 << count) - 1
                if strobes is not None:
                    mask = sum(strobes[position + byte] << byte for byte in range(count))
                mask <<= offset
                value = (int.from_bytes(chunk, "little") << (8 * offset)) & bits_of(mask)
                piece = pieces.setdefault(granule, GranuleWrite(cycle, self.writes, stream, 0, 0))
                piece.data = piece.data & ~bits_of(mask) | value  # FIXED: the last beat stays
                piece.mask |= mask
                position += count
        for granule, piece in pieces.items():
            self.granules.setdefault(granule, []).append(piece)
        return list(pieces.values())

    def end_write(self, runs, pieces: list[GranuleWrite], cycle: int) -> None:
        """A write is answered."""
        for piece in pieces:
            piece.ended = cycle
        self._forget(runs)

    def begin_read(self, runs, cycle: int) -> Read:
        """A read's address is taken; cycles must not go backwards from call to call."""
        read = Read(runs, cycle)
        self.reading[id(read)] = read
        return read

    def end_read(self, read: Read, data: bytes, cycle: int) -> None:
        """The last beat of a read has come.

        Raises:
            AssertionError: naming the first byte that has a value it cannot have
        """
        self.reads += 1
        position = 0
        for address, length in read.runs:
            for granule, offset, count in _pieces(address, length):
                chunk = int.from_bytes(data[position : position + count], "little") << (8 * offset)
                self._check(granule, ((1 << count) - 1) << offset, chunk, read.begun, cycle)
                position += count
        del self.reading[id(read)]
        self._forget(read.runs)

    def reset(self, cycle: int, drained: int) -> None:
        """Reset ends all that is under way.

        Args:
            cycle: of the reset
            drained: writes not answered before this cycle may have reached memory or not
        """
        self.reading.clear()
        for history in self.granules.values():
            for write in history:
                if write.ended is None or write.ended >= drained:
                    write.ended = cycle
                    write.lost = True

    def _check(self, granule: int, mask: int, data: int, begun: int, ended: int) -> None:
        history = self.granules.setdefault(granule, [])
        visible = []
        for write in history:
            shown = write.mask & mask
            if not shown or write.begun >= ended:
                continue
            for other in history:
                if other.mask & shown and other.before(begun) and other.follows(write):
                    shown &= ~other.mask
            if shown:
                visible.append((shown, write))
        shown, write = visible[0] if len(visible) == 1 else (0, None)
        if shown == mask and write.before(begun) and not (write.data ^ data) & bits_of(mask):
            return
        self._check_bytes(granule, mask, data, begun, history, visible)

    def _check_bytes(self, granule, mask, data, begun, history, visible) -> None:
        learned = 0
        for byte in range(GRANULE):
            if not mask >> byte & 1:
                continue
            value = data >> (8 * byte) & 0xFF
            allowed = {write.data >> (8 * byte) & 0xFF for shown, write in visible if shown >> byte & 1}
            if value in allowed or not any(write.mask >> byte & 1 and write.before(begun) for write in history):
                if not any(write.mask >> byte & 1 for write in history):
                    learned |= 1 << byte
                continue
            raise AssertionError(
                f"byte {granule * GRANULE + byte:#x} was read as {value:#04x} from cycle {begun} on; it may be "
                + " or ".join(f"{each:#04x}" for each in sorted(allowed))
            )
        if learned:
            history.insert(0, GranuleWrite(-1, 0, None, learned, data & bits_of(learned), ended=-1))

    def _forget(self, runs) -> None:
        """Drop what no read under way or to come can see."""
        oldest = next(iter(self.reading.values())).begun if self.reading else float("inf")
        for address, length in runs:
            for granule, _, _ in _pieces(address, length):
                history = self.granules.get(granule, [])
                for write in history:
                    for other in history:
                        if other.mask & write.mask and other.before(oldest) and other.follows(write):
                            write.mask &= ~other.mask
                history[:] = [write for write in history if write.mask or write.ended is None]


def _pieces(address: int, length: int):
    """A range of addresses cut at granules: granule number, offset in it, length."""
    while length > 0:
        offset = address % GRANULE
        count = min(length, GRANULE - offset)
        yield address // GRANULE, offset, count
        address += count
        length -= count
