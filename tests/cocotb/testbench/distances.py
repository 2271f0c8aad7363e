# SPDX-License-Identifier: Apache-2.0
"""How near to each other commands come on the DFI, by the name of the timing that keeps them apart."""

from collections.abc import Iterable, Iterator

from testbench.config import Config
from testbench.dfi import Command, Kind


def names(config: Config) -> list[str]:
    """Timings between row and column commands that a config has a use for."""
    timings = ["tRCD", "tRP", "tRAS", "tRC", "tRRD_L", "tFAW", "tCCD_L", "tWTR_L", "tRTP", "tWR"]
    if config.bank_groups > 1:
        timings += ["tRRD_S", "tCCD_S", "tWTR_S"]
    if config.ranks > 1:
        timings += ["tRTRS"]
    return timings


def nearest(commands: list[Command], config: Config) -> dict[str, int]:
    """The least distance of each kind, in DRAM clocks; tWTR and tWR count from the end of the write data, tRTRS between
    bursts on the data bus."""
    found: dict[str, int] = {}
    for name, distance in _distances(commands, config):
        found[name] = min(distance, found.get(name, distance))
    return found


def _distances(commands: Iterable[Command], config: Config) -> Iterator[tuple[str, int]]:
    last: dict[tuple, Command] = {}  # by kind, rank, bank
    activates: dict[int, list[Command]] = {}  # by rank
    columns: dict[tuple, Command] = {}  # the last by kind, rank, bank group
    open_banks: set[tuple[int, int]] = set()
    written = config.cwl + config.burst_clocks

    def group(command: Command) -> int:
        return config.group(command.bank)

    def since(kind: Kind, rank: int, bank: int, command: Command) -> list[int]:
        early = last.get((kind, rank, bank))
        return [command.clock - early.clock] if early else []

    for command in commands:
        rank, bank = command.rank, command.bank
        if command.kind == Kind.ACTIVATE:
            yield from (("tRP", each) for each in since(Kind.PRECHARGE, rank, bank, command))
            yield from (("tRC", each) for each in since(Kind.ACTIVATE, rank, bank, command))
            before = activates.setdefault(rank, [])
            for early in before[-1:]:
                yield "tRRD_L" if group(early) == group(command) else "tRRD_S", command.clock - early.clock
            if len(before) >= 4:
                yield "tFAW", command.clock - before[-4].clock
            before.append(command)
            open_banks.add((rank, bank))
        elif command.kind in (Kind.READ, Kind.WRITE):
            yield from (("tRCD", each) for each in since(Kind.ACTIVATE, rank, bank, command))
            for early in columns.values():
                yield from _between_columns(early, command, config, group)
            columns[command.kind, rank, group(command)] = command
        elif command.kind == Kind.PRECHARGE:
            for other in range(config.banks) if command.all_banks else (bank,):
                if (rank, other) not in open_banks:
                    continue
                open_banks.discard((rank, other))
                yield from (("tRAS", each) for each in since(Kind.ACTIVATE, rank, other, command))
                yield from (("tRTP", each) for each in since(Kind.READ, rank, other, command))
                yield from (("tWR", each - written) for each in since(Kind.WRITE, rank, other, command))
                last[Kind.PRECHARGE, rank, other] = command
            continue
        last[command.kind, rank, bank] = command


def _between_columns(early: Command, late: Command, config: Config, group) -> Iterator[tuple[str, int]]:
    distance = late.clock - early.clock
    if early.rank != late.rank:
        begins = late.clock + (config.cl if late.kind == Kind.READ else config.cwl)
        ends = early.clock + (config.cl if early.kind == Kind.READ else config.cwl) + config.burst_clocks
        yield "tRTRS", begins - ends
        return
    suffix = "_L" if group(early) == group(late) else "_S"
    if early.kind == late.kind:
        yield "tCCD" + suffix, distance
    elif early.kind == Kind.WRITE:
        yield "tWTR" + suffix, distance - config.cwl - config.burst_clocks
