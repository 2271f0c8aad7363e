# SPDX-License-Identifier: Apache-2.0
"""What Weir sends to the DRAM: the commands on the DFI (DDR3 truth table, JESD79-3F table 6)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

import cocotb
from cocotb.triggers import RisingEdge


class Kind(Enum):
    """Commands by RAS#, CAS#, WE#."""

    MODE = 0b000
    REFRESH = 0b001
    PRECHARGE = 0b010
    ACTIVATE = 0b011
    WRITE = 0b100
    READ = 0b101
    CALIBRATE = 0b110
    NOP = 0b111


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one rank of a channel. `cycle` is the controller cycle, `clock` counts DRAM clocks (cycles times
    phases, plus the phase); `row` is the row of an activate, `column` the beat column of a read or write, `bank_pins`
    the bank with the number of the pseudo-rank above it."""

    cycle: int
    clock: int
    phase: int
    kind: Kind
    rank: int
    bank: int
    address: int
    channel: int = 0
    bank_pins: int = 0

    @property
    def row(self) -> int:
        return self.address

    @property
    def column(self) -> int:
        return self.address & 0x3FF | self.address >> 1 & 0x400

    @property
    def all_banks(self) -> bool:
        """A10: precharge all banks, or auto precharge."""
        return bool(self.address >> 10 & 1)


class DfiMonitor:
    """Watches the DFI of every channel from start() on. `commands` holds what went out, oldest first."""

    def __init__(self, tb):
        self.tb = tb
        self.config = tb.config
        self.commands: list[Command] = []
        self._listeners: list[Callable[[Command], None]] = []
        names = ("cs_n", "ras_n", "cas_n", "we_n", "bank", "address")
        prefixes = ("dfi", "dfi_1")[: self.config.channels]
        self._signals = [[getattr(tb.dut, f"{prefix}_{name}") for name in names] for prefix in prefixes]
        self._watching = None

    def start(self) -> None:
        """Begins to watch; the first time only."""
        if self._watching is None:
            self._watching = cocotb.start_soon(self._watch())

    def of(self, *kinds: Kind, rank: int | None = None, since: int = 0) -> list[Command]:
        """Commands of these kinds, of one rank (of every channel) or all, from a cycle on."""
        return [
            command
            for command in self.commands
            if command.kind in kinds and (rank is None or command.rank == rank) and command.cycle >= since
        ]

    def call(self, listener: Callable[[Command], None]) -> None:
        """Calls the listener with every command from now on, in the cycle in which it is on the DFI."""
        self.start()
        self._listeners.append(listener)

    async def until(self, condition: Callable[[Command], bool], cycles: int) -> Command:
        """Waits for a command that is not out yet.

        Raises:
            AssertionError: if it has not come within so many cycles
        """
        self.start()
        seen = len(self.commands)
        for _ in range(cycles):
            await RisingEdge(self.tb.dut.clock)
            for command in self.commands[seen:]:
                if condition(command):
                    return command
            seen = len(self.commands)
        raise AssertionError(f"no such command within {cycles} cycles")

    async def _watch(self) -> None:
        dut = self.tb.dut
        edge = RisingEdge(dut.clock)
        while True:
            await edge
            if dut.dfi_busy.value:
                for channel in range(self.config.channels):
                    for command in self._decode(channel):
                        self.commands.append(command)
                        for listener in self._listeners:
                            listener(command)

    def _decode(self, channel: int) -> Iterable[Command]:
        config = self.config
        cycle = self.tb.cycle
        cs_n, ras_n, cas_n, we_n, bank, address = (int(signal.value) for signal in self._signals[channel])
        for phase in range(config.phases):
            selected = ~(cs_n >> phase * config.chip_selects) & (1 << config.chip_selects) - 1
            if not selected:
                continue
            kind = Kind((ras_n >> phase & 1) << 2 | (cas_n >> phase & 1) << 1 | we_n >> phase & 1)
            pins = bank >> phase * config.bank_pins & (1 << config.bank_pins) - 1
            row = address >> phase * config.address_pins & (1 << config.address_pins) - 1
            for rank in range(config.ranks):
                if kind != Kind.NOP and self._is_for(rank, selected, kind, pins, row):
                    clock = cycle * config.phases + phase
                    yield Command(cycle, clock, phase, kind, rank, pins % config.banks, row, channel, pins)

    def _is_for(self, rank: int, selected: int, kind: Kind, pins: int, address: int) -> bool:
        """Whether a command with such chip selects and bank pins is one of the rank; a pseudo-rank is named by the
        upper pins, but where the command is for all of them."""
        config = self.config
        if config.pseudo_ranks == 1:
            return bool(selected >> rank & 1)
        of_all = kind == Kind.REFRESH or (kind == Kind.PRECHARGE and address >> 10 & 1)
        return (
            kind in (Kind.CALIBRATE, Kind.MODE)
            or (of_all and config.refreshed_together)
            or pins // config.banks == rank
        )
