# SPDX-License-Identifier: Apache-2.0
"""One AXI4 port of Weir: bursts of any shape go in, answers come out and are checked."""

from collections import deque
from collections.abc import Iterator

import cocotb
from cocotb.triggers import Event
from cocotbext.axi import AxiBus
from cocotbext.axi.axi_channels import (
    AxiARMonitor,
    AxiARSource,
    AxiARTransaction,
    AxiAWMonitor,
    AxiAWSource,
    AxiAWTransaction,
    AxiBSink,
    AxiRSink,
    AxiWSource,
    AxiWTransaction,
)
from cocotbext.axi.constants import AxiResp

from testbench.burst import Burst


class Access:
    """A burst under way. `await` it for its answer.

    Attributes:
        asked: cycle in which the test asked for it
        begun: cycle of the address handshake
        first: cycle of the first R beat (reads)
        ended: cycle of the last R beat or of B
        responses: RRESP of each beat, or BRESP
    """

    def __init__(self, burst: Burst, expect: AxiResp | None, asked: int):
        self.burst = burst
        self.expect = expect
        self.asked = asked
        self.begun = self.first = self.ended = None
        self.responses = []
        self.reference = None
        self._done = Event()

    def __await__(self):
        yield from self._done.wait().__await__()
        return self

    @property
    def done(self) -> bool:
        return self.ended is not None

    @property
    def latency(self) -> int:
        """Cycles from the address handshake to the end."""
        return self.ended - self.begun

    def end(self, cycle: int) -> None:
        self.ended = cycle
        self._done.set()


class Read(Access):
    """A read; `data` are its bytes in the order of the beats, each only the lanes it carries."""

    def __init__(self, burst: Burst, expect: AxiResp | None, asked: int):
        super().__init__(burst, expect, asked)
        self.data = bytearray()


class Write(Access):
    """A write of `data`; `strobes` has a 1 for each byte to be written, None for all."""

    def __init__(self, burst: Burst, expect: AxiResp | None, asked: int, data: bytes, strobes: bytes | None):
        super().__init__(burst, expect, asked)
        self.data = data
        self.strobes = strobes


class AxiPort:
    """Drives one AXI4 port and checks what it answers.

    Every burst is answered as expected, beat by beat and with RLAST on the last alone; reads of one id come in order;
    beats of different bursts mix only where the config lets them, and only where a line or a bus word ends; data agree
    with the reference memory.
    """

    def __init__(self, tb, number: int):
        dut, clock, reset = tb.dut, tb.dut.clock, tb.dut.reset
        self.tb = tb
        self.number = number
        self.answers = 0  # beats of R and B so far
        self.bus_bytes = tb.config.data_bytes
        bus = AxiBus.from_prefix(dut, f"s_axi_{number}")
        self.aw = AxiAWSource(bus.write.aw, clock, reset)
        self.w = AxiWSource(bus.write.w, clock, reset)
        self.b = AxiBSink(bus.write.b, clock, reset)
        self.ar = AxiARSource(bus.read.ar, clock, reset)
        self.r = AxiRSink(bus.read.r, clock, reset)
        self._aw_seen = AxiAWMonitor(bus.write.aw, clock, reset)
        self._ar_seen = AxiARMonitor(bus.read.ar, clock, reset)
        self._clear()
        for loop in (self._addresses(self._aw_seen, False), self._addresses(self._ar_seen, True)):
            cocotb.start_soon(loop)
        cocotb.start_soon(self._read_beats())
        cocotb.start_soon(self._write_answers())

    def _clear(self) -> None:
        self.outstanding: dict[int, Access] = {}
        self._unsent = {False: deque(), True: deque()}  # in the order of AW, AR
        self._reads: dict[int, deque[Read]] = {}
        self._writes: dict[int, deque[Write]] = {}
        self._mixing: Read | None = None  # its next beat must come before one of another burst
        self._fewer = Event()

    # ---- asking

    def read(self, burst: Burst, expect: AxiResp | None = AxiResp.OKAY) -> Read:
        """Asks for a burst; every beat must be answered with `expect` (None: with anything)."""
        read = Read(burst, expect, self.tb.cycle)
        self._reads.setdefault(burst.id, deque()).append(read)
        self._send(read, True, self.ar, AxiARTransaction, "ar")
        return read

    def write(
        self,
        burst: Burst,
        data: bytes,
        strobes: bytes | None = None,
        expect: AxiResp | None = AxiResp.OKAY,
        last: int | None = None,
        beats: bool = True,
    ) -> Write:
        """Asks for a burst and sends its data.

        Args:
            burst: where and how
            data: its bytes in the order of the beats
            strobes: 1 for each byte to be written, 0 for each to be left; None writes all
            expect: the answer (None: any)
            last: the beat that carries WLAST, if not the last
            beats: whether to send the data now; if not, send_beats does
        """
        write = Write(burst, expect, self.tb.cycle, data, strobes)
        self._writes.setdefault(burst.id, deque()).append(write)
        self._send(write, False, self.aw, AxiAWTransaction, "aw")
        if beats:
            self.send_beats(write, last)
        return write

    def send_beats(self, write: Write, last: int | None = None) -> None:
        """Sends the W beats of a write."""
        position = 0
        last = write.burst.beats - 1 if last is None else last
        for beat, (address, count) in enumerate(write.burst.transfers()):
            lane = address % self.bus_bytes
            chunk = write.data[position : position + count]
            strobe = (1 << count) - 1
            if write.strobes is not None:
                strobe = sum(write.strobes[position + byte] << byte for byte in range(count))
            self.w.send_nowait(
                AxiWTransaction(
                    wdata=int.from_bytes(chunk, "little") << 8 * lane & (1 << 8 * self.bus_bytes) - 1,
                    wstrb=strobe << lane & (1 << self.bus_bytes) - 1,
                    wlast=int(beat == last),
                )
            )
            position += count

    async def room(self, most: int) -> None:
        """Waits until fewer than `most` bursts are under way."""
        while len(self.outstanding) >= most:
            self._fewer.clear()
            await self._fewer.wait()

    def pause(self, patterns: dict[str, Iterator[bool]]) -> None:
        """Holds channels back: a cycle with True neither offers (aw, w, ar) nor takes (b, r) anything."""
        for channel in ("aw", "w", "b", "ar", "r"):
            stream = getattr(self, channel)
            stream.clear_pause_generator()
            stream.pause = False
            if channel in patterns:
                stream.set_pause_generator(patterns[channel])

    def reset(self) -> None:
        """Forgets all that is under way."""
        for stream in (self.aw, self.w, self.b, self.ar, self.r, self._aw_seen, self._ar_seen):
            stream.clear()
        self._clear()

    def _send(self, access: Access, reads: bool, channel, transaction, prefix: str) -> None:
        burst = access.burst
        self.outstanding[id(access)] = access
        self._unsent[reads].append(access)
        fields = {
            "id": burst.id,
            "addr": burst.address,
            "len": burst.beats - 1,
            "size": burst.size.bit_length() - 1,
            "burst": burst.kind,
            "lock": burst.lock,
            "cache": burst.cache,
            "prot": burst.prot,
            "qos": burst.qos,
        }
        channel.send_nowait(transaction(**{prefix + name: int(value) for name, value in fields.items()}))

    # ---- answers

    async def _addresses(self, seen, reads: bool) -> None:
        """Address handshakes, in the order in which they were asked for."""
        while True:
            await seen.recv()
            access = self._unsent[reads].popleft()
            access.begun = self.tb.cycle
            if access.expect != AxiResp.OKAY:
                continue
            burst = access.burst
            if reads:
                access.reference = self.tb.reference.begin_read(burst.runs(), access.begun)
            else:
                stream = (self.number, burst.id)
                access.reference = self.tb.reference.begin_write(
                    burst.runs(), access.data, access.strobes, stream, access.begun
                )

    async def _write_answers(self) -> None:
        while True:
            answer = await self.b.recv()
            self.answers += 1
            waiting = self._writes.get(int(answer.bid))
            assert waiting and waiting[0].begun is not None, f"port {self.number}: B for no write, id {int(answer.bid)}"
            write = waiting.popleft()
            write.responses.append(AxiResp(int(answer.bresp)))
            self._check_response(write)
            if write.reference is not None:
                self.tb.reference.end_write(write.burst.runs(), write.reference, self.tb.cycle)
            self._end(write)

    async def _read_beats(self) -> None:
        while True:
            beat = await self.r.recv()
            self.answers += 1
            waiting = self._reads.get(int(beat.rid))
            assert waiting and waiting[0].begun is not None, f"port {self.number}: R for no read, id {int(beat.rid)}"
            read = waiting[0]
            assert self._mixing in (None, read), (
                f"port {self.number}: a beat of {read.burst} came between beats of {self._mixing.burst}"
            )
            number = len(read.responses)
            address, count = self._transfer(read, number)
            if number == 0:
                read.first = self.tb.cycle
            read.responses.append(AxiResp(int(beat.rresp)))
            read.data += (int(beat.rdata) >> 8 * (address % self.bus_bytes)).to_bytes(self.bus_bytes, "little")[:count]
            self._check_response(read)
            last = number + 1 == read.burst.beats
            assert bool(beat.rlast) == last, (
                f"port {self.number}: RLAST is {int(beat.rlast)} on beat {number + 1} of {read.burst}"
            )
            self._mixing = read if not last and self._holds(read, number) else None
            if last:
                waiting.popleft()
                if read.reference is not None:
                    self.tb.reference.end_read(read.reference, bytes(read.data), self.tb.cycle)
                self._end(read)

    def _transfer(self, read: Read, number: int) -> tuple[int, int]:
        if number == 0:
            read.transfers = read.burst.transfers()
        return read.transfers[number]

    def _holds(self, read: Read, number: int) -> bool:
        """Whether R belongs to this burst until its next beat: unless the config mixes bursts and a block ends here."""
        if not self.tb.config.interleave:
            return True
        block = self.tb.config.block_bytes
        return read.transfers[number][0] // block == read.transfers[number + 1][0] // block

    def _check_response(self, access: Access) -> None:
        if access.expect is not None:
            assert access.responses[-1] == access.expect, (
                f"port {self.number}: {access.burst} was answered {access.responses[-1].name}, not {access.expect.name}"
            )

    def _end(self, access: Access) -> None:
        access.end(self.tb.cycle)
        del self.outstanding[id(access)]
        self._fewer.set()
