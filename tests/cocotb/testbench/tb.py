# SPDX-License-Identifier: Apache-2.0
"""The test bench: Weir with its DRAM, what drives it, and what checks it."""

import functools
import json
import logging
import os
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time

from testbench import timing
from testbench.axi import AxiPort, Read
from testbench.burst import Burst, Incr
from testbench.config import Config
from testbench.dfi import DfiMonitor, Kind
from testbench.patterns import back_pressure
from testbench.reference import Reference
from testbench.registers import Registers


class TB:
    """Owns the drivers, the reference memory and the checks of one test.

    Attributes:
        config: the shape of the controller
        timing: the part's timings in DRAM clocks, from the tests' own table
        ports: the AXI4 ports
        reference: what memory holds
        random: all of a test's chance; its seed is in the log
        factor: the time scale, which what waits for the memory must know
        slow_memory: whether the DRAM is so much slower, or is its part
    """

    # cycles without any answer that nothing explains, neither refreshes nor a test that holds back data; more are to be
    # expected of a memory that a test makes slower
    hang = 2000
    factor, slow_memory = 1, False

    def __init__(self, dut):
        self.dut = dut
        build = Path(os.environ["WEIR_BUILD"])
        self.config = Config.load(build / "Weir.json")
        self.timing = timing.clocks(self.config.part, self.config.clock_ps, self.config.refreshes_sets)
        self.random = Random(cocotb.RANDOM_SEED)
        self.reference = Reference()
        self._rdl = build / "Weir.rdl"
        for name in ("cocotb.bench", *(f"cocotb.bench.s_axi_{i}" for i in range(self.config.ports))):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._period = self.config.cycle_ps // 2 * 2

    async def start(self) -> None:
        """Starts clock and drivers and resets Weir."""
        dut = self.dut
        dut.reset.value = 1
        dut.fault.value = 0
        dut.wlast_is_wrong.value = 0
        dut.latch_dram.value = 0
        dut.watch.value = 0
        dut.dfi_phymstr_req.value = 0
        dut.latch_observation.value = 0
        cocotb.start_soon(Clock(dut.clock, self._period, "ps").start())
        self.ports = [AxiPort(self, number) for number in range(self.config.ports)]
        for signal in ("awvalid", "wvalid", "bready", "arvalid", "rready"):
            getattr(dut, f"s_axil_{signal}").value = 0
        await ClockCycles(dut.clock, 4)
        dut.reset.value = 0
        await self.cycles(2)
        self.reset_ended = self.cycle - 2
        cocotb.start_soon(self._watch_for_hang())

    async def reset(self, drained: int) -> None:
        """Resets Weir in the middle of what it does.

        Args:
            drained: writes not answered before this cycle may get lost
        """
        self.dut.reset.value = 1
        await self.cycles(1)
        for port in self.ports:
            port.reset()
        self.reference.reset(self.cycle, drained)
        await self.cycles(3)
        self.dut.reset.value = 0
        await self.cycles(2)

    # ---- time

    @property
    def cycle(self) -> int:
        """Controller cycles since the start of the simulation."""
        return int(get_sim_time("ps")) // self._period

    async def cycles(self, count: int) -> None:
        await ClockCycles(self.dut.clock, count)

    def in_cycles(self, clocks: int) -> int:
        """DRAM clocks as whole controller cycles, rounded up."""
        return -(-clocks // self.config.phases)

    # ---- parts that only some tests want

    @functools.cached_property
    def dfi(self) -> DfiMonitor:
        """Watches the DFI, once it is started."""
        return DfiMonitor(self)

    @functools.cached_property
    def registers(self) -> Registers:
        return Registers(self.dut, self._rdl)

    async def dram_counts(self) -> dict:
        """What the DRAM model has counted until now: Statistics::json() of sim/dram/statistics.hpp."""
        self.dut.latch_dram.value = 1
        await self.cycles(1)
        self.dut.latch_dram.value = 0
        await self.cycles(1)
        return json.loads(Path(cocotb.plusargs["dram_statistics"]).read_text().splitlines()[-1])

    async def recounted(self) -> dict:
        """What sim/observe has counted until now: Observation::json(); the bench's `watch` must be high."""
        self.dut.latch_observation.value = 1
        await self.cycles(1)
        self.dut.latch_observation.value = 0
        await self.cycles(1)
        return json.loads(Path(cocotb.plusargs["observation"]).read_text())

    # ---- accesses

    @property
    def sources(self) -> int:
        """Sources that the counters tell apart."""
        return 1 + self.config.source(len(self.ports) - 1, (1 << self.config.id_bits) - 1)

    @property
    def port(self) -> AxiPort:
        """The only port, or the first."""
        return self.ports[0]

    def bytes(self, count: int) -> bytes:
        """Data by chance."""
        return self.random.randbytes(count)

    def address(self, length: int, align: int = 1) -> int:
        """An address by chance, a multiple of `align`, of `length` bytes that cross no 4 KiB border."""
        base = self.config.base + self.random.randrange(self.config.memory_bytes // 4096) * 4096
        return base + self.random.randrange((4096 - length) // align + 1) * align

    def line(self, address: int, **fields: int) -> Burst:
        """The burst that carries just the DRAM line at this address; of a wider bus, a part of one word."""
        size = min(self.config.line_bytes, self.config.data_bytes)
        return Incr(address, self.config.line_bytes // size, size, **fields)

    def burst(self, address: int, beats: int = 1, **fields: int) -> Burst:
        """A burst of rising addresses at the full width of the bus."""
        return Incr(address, beats, self.config.data_bytes, **fields)

    async def write_and_read(self, burst: Burst, port: AxiPort | None = None) -> Read:
        """Writes data by chance, then reads the same burst; the port checks what comes."""
        port = port or self.port
        await port.write(burst, self.bytes(burst.length))
        return await port.read(burst)

    async def fill(self, address: int, length: int, port: AxiPort | None = None) -> None:
        """Writes data by chance to whole 4 KiB-contained pieces, and waits until they are answered."""
        port = port or self.port
        size = self.config.data_bytes
        accesses = []
        while length > 0:
            beats = max(1, min(256, length // size, (4096 - address % 4096) // size))
            await port.room(16)
            accesses.append(port.write(Incr(address, beats, size), self.bytes(beats * size)))
            address += beats * size
            length -= beats * size
        for access in accesses:
            await access

    @asynccontextmanager
    async def reads_going_on(self, address: int):
        """Keeps reading a line, too often for Weir to find the time for writes below the high water mark."""

        async def keep_reading() -> None:
            while True:
                self.port.read(self.line(address, id=(1 << self.config.id_bits) - 1))
                await self.cycles(20)

        reading = cocotb.start_soon(keep_reading())
        try:
            yield
        finally:
            reading.cancel()

    async def quiet(self) -> None:
        """Waits until all accesses are answered and all queued writes have gone to DRAM. Refreshes go on, and may come
        so often that there is always a command."""
        await self.answered()
        # longer than any pause between the commands of queued writes
        silence = self.factor * (self.in_cycles(self.timing["tRFC"] + self.timing["tRC"] + self.timing["tWR"]) + 50)
        self.dfi.start()
        silent = False
        while not silent:
            begun = self.cycle
            await self.cycles(silence)
            silent = not self.dfi.of(Kind.ACTIVATE, Kind.READ, Kind.WRITE, since=begun)

    async def refreshed(self, rank: int = 0) -> None:
        """Waits until a rank (of the first channel) of an idle controller has just been refreshed; all of its banks are
        closed.

        Its next refresh is tREFI away, that of the next rank tREFI / ranks.
        """
        slower = self.factor if self.slow_memory else 1
        due = 2 * slower * self.in_cycles(self.timing["tREFI"]) + 200  # the first interval is longer
        await self.dfi.until(
            lambda command: command.kind == Kind.REFRESH and (command.channel, command.rank) == (0, rank), due
        )
        await self.cycles(slower * self.in_cycles(self.timing["tRFC"]) + 8)

    async def answered(self) -> None:
        """Waits until nothing is under way."""
        for port in self.ports:
            for access in list(port.outstanding.values()):
                await access

    def back_pressure(self, name: str) -> None:
        """Lets the channels of all ports pause by one of testbench.patterns.BACK_PRESSURE."""
        for port in self.ports:
            port.pause(back_pressure(name, self.random))

    async def finish(self) -> None:
        """Waits until everything is answered, and checks what no single access shows."""
        await self.answered()
        await self.cycles(50)
        for port in self.ports:
            assert port.b.empty() and port.r.empty(), f"port {port.number}: an answer came too many"
        assert int(self.dut.violations.value) == 0

    async def _watch_for_hang(self) -> None:
        """Fails when something is under way and nothing is ever answered."""
        while True:
            before, begun = self._progress(), self.cycle
            await self.cycles(self.hang)
            under_way = [access for port in self.ports for access in port.outstanding.values()]
            waiting = [access for access in under_way if access.asked <= begun]
            assert not waiting or self._progress() != before, (
                f"nothing was answered in {self.hang} cycles; waiting: " + "; ".join(str(a.burst) for a in waiting[:8])
            )

    def _progress(self) -> tuple[int, ...]:
        return tuple(port.answers for port in self.ports)


def test(**parameters: list) -> Callable:
    """Makes a cocotb test of a coroutine that takes a started TB, and the parameters' values where there are some."""

    def make(function: Callable) -> Callable:
        @functools.wraps(function)
        async def run(dut, **values):
            tb = TB(dut)
            await tb.start()
            await function(tb, **values)
            await tb.finish()

        if parameters:
            run = cocotb.parametrize(**parameters)(run)
        return cocotb.test(timeout_time=1, timeout_unit="ms")(run)

    return make
