# SPDX-License-Identifier: Apache-2.0
"""AXI4 bursts: which bytes of memory each beat carries, and on which lanes of the bus (ARM IHI 0022, A3.4.1)."""

from dataclasses import dataclass

from cocotbext.axi.constants import AxiBurstType


@dataclass(frozen=True)
class Burst:
    """One burst as its manager asks for it.

    Args:
        address: byte address of the first transfer; need not be aligned
        beats: AxLEN + 1, 1 to 256
        size: bytes of a beat, a power of two; AxSIZE is its logarithm
        kind: AxBURST, 0 to 3
        id: AxID
        lock: AxLOCK
        cache: AxCACHE
        prot: AxPROT
        qos: AxQOS
    """

    address: int
    beats: int
    size: int
    kind: int = AxiBurstType.INCR
    id: int = 0
    lock: int = 0
    cache: int = 0b0011
    prot: int = 0
    qos: int = 0

    def transfers(self) -> list[tuple[int, int]]:
        """Address and number of the bytes that each beat carries."""
        aligned = self.address // self.size * self.size
        first = (self.address, aligned + self.size - self.address)
        if self.kind == AxiBurstType.FIXED:
            return [first] * self.beats
        if self.kind == AxiBurstType.WRAP:
            container = self.size * self.beats
            low = self.address // container * container
            return [(low + (self.address - low + n * self.size) % container, self.size) for n in range(self.beats)]
        return [first] + [(aligned + n * self.size, self.size) for n in range(1, self.beats)]

    @property
    def length(self) -> int:
        """Bytes that the burst carries, in all beats."""
        return sum(count for _, count in self.transfers())

    def runs(self) -> list[tuple[int, int]]:
        """Address and number of the bytes that follow each other without a jump, in the order of the beats."""
        runs = []
        for address, count in self.transfers():
            if runs and runs[-1][0] + runs[-1][1] == address:
                runs[-1] = (runs[-1][0], runs[-1][1] + count)
            else:
                runs.append((address, count))
        return runs

    def __str__(self) -> str:
        kind = AxiBurstType(self.kind).name if self.kind < 3 else "reserved"
        return f"{kind} of {self.beats} x {self.size} bytes at {self.address:#x} with id {self.id}"


def Incr(address: int, beats: int, size: int, **fields: int) -> Burst:
    """A burst of rising addresses."""
    return Burst(address, beats, size, AxiBurstType.INCR, **fields)


def Wrap(address: int, beats: int, size: int, **fields: int) -> Burst:
    """A burst that wraps around at a multiple of its length."""
    return Burst(address, beats, size, AxiBurstType.WRAP, **fields)


def Fixed(address: int, beats: int, size: int, **fields: int) -> Burst:
    """A burst whose beats all go to the same address."""
    return Burst(address, beats, size, AxiBurstType.FIXED, **fields)
