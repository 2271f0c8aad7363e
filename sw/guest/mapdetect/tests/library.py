# SPDX-License-Identifier: Apache-2.0
"""The detection, compiled for this machine, with a Dram as its back end."""

import ctypes
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
PARTS = ("masks.c", "levels.c", "conflicts.c", "ranks.c", "detect.c")

VERDICTS = (
    "certain",
    "no_contrast",
    "no_eviction",
    "unsteady",
    "too_many",
    "contradicted",
    "no_pairs",
    "ranks_unknown",
)
TICK_FRACTION = 256
WARM_UP = 4


class Reads(ctypes.Structure):
    _fields_ = [("offsets", ctypes.c_uint64 * 4), ("count", ctypes.c_uint), ("rounds", ctypes.c_uint)]


class Watch(ctypes.Structure):
    _fields_ = [("reads", Reads), ("group", ctypes.c_uint8 * 4), ("contrast", ctypes.c_uint64)]


class Coincidences(ctypes.Structure):
    _fields_ = [("events", ctypes.c_uint32 * 2), ("both", ctypes.c_uint32)]


TIME = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(Reads), ctypes.POINTER(ctypes.c_uint64))
WATCH = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(Watch), ctypes.POINTER(Coincidences))


class Machine(ctypes.Structure):
    _fields_ = [
        ("first_bit", ctypes.c_uint),
        ("end_bit", ctypes.c_uint),
        ("set_bits", ctypes.c_uint64),
        ("rounds", ctypes.c_uint),
        ("time", TIME),
        ("watch", WATCH),
        ("context", ctypes.c_void_p),
    ]


class Map(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint) for name in ("ranks", "banks", "rows", "columns")),
        *((name, ctypes.c_uint64 * 8) for name in ("rank", "bank")),
        *((name, ctypes.c_uint64 * 64) for name in ("row", "column")),
    ]


class Measured(ctypes.Structure):
    _fields_ = [
        ("low", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("times", ctypes.c_uint32),
        ("predictions", ctypes.c_uint32),
        ("doubtful", ctypes.c_uint64),
    ]


def compiled(output, replaced=None):
    """The library; `replaced` maps a part to a source that takes its place."""
    sources = [(replaced or {}).get(part, FOLDER / part) for part in PARTS]
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", f"-I{FOLDER}"]
    subprocess.run(["gcc", *flags, "-o", output, *sources], check=True)
    return ctypes.CDLL(str(output))


@dataclass
class Found:
    verdict: str
    rank: list
    bank: list
    row: list
    column: list
    measured: Measured


def detect(library, dram, *, single_reads=True, clock=1, rounds=32, end_bit=None, reachable=None, beside=0):
    """Detects the map of `dram` by a clock that ticks every `clock` cycles; each time has `beside` cycles more."""
    chance = random.Random(7)
    end = end_bit or dram.place.bits

    def base():
        return chance.randrange(2**dram.place.bits) & ~(2**6 - 1)

    def time(_, reads, ticks):
        reads = reads.contents
        offsets = list(reads.offsets)[: reads.count]
        if reachable is not None and any(offset & ~reachable for offset in offsets):
            return False
        addresses = [start ^ offset for start in [base()] for offset in offsets]
        for _ in range(WARM_UP):
            for address in addresses:
                dram.read(address)
        begin = dram.now // clock
        for _ in range(reads.rounds):
            for address in addresses:
                dram.read(address)
        ticks[0] = int((dram.now + beside) // clock - begin)
        return True

    def watch(_, watch, seen):
        watch, seen = watch.contents, seen.contents
        reads = watch.reads
        addresses = [start ^ offset for start in [base()] for offset in list(reads.offsets)[: reads.count]]
        usual = [1e9] * len(addresses)
        before, alone = -9, -9  # rounds with the last event of group 0, and of group 1 without one of group 0
        for turn in range(-8, reads.rounds):
            slow = [False, False, False]
            for i, address in enumerate(addresses):
                took = dram.read(address)
                if turn < 0:
                    usual[i] = min(usual[i], took)
                elif took > usual[i] + watch.contrast / TICK_FRACTION / 2:
                    slow[watch.group[i]] = True
            seen.events[0] += slow[0]
            seen.events[1] += slow[1]
            if slow[1] and not slow[0] and before != turn - 1:
                alone = turn
            elif slow[1] or (slow[0] and alone == turn - 1):
                seen.both += 1
            if slow[0]:
                before = turn
        return True

    callbacks = TIME(time), WATCH(watch) if single_reads else WATCH()
    sets = dram.cache_bytes - 64 if dram.cache_bytes else 0
    machine = Machine(6, end, sets, rounds, *callbacks, None)
    found, measured = Map(), Measured()
    verdict = library.detect(ctypes.byref(machine), ctypes.byref(found), ctypes.byref(measured))
    lists = {
        name: list(getattr(found, name))[: getattr(found, f"{name}s")] for name in ("rank", "bank", "row", "column")
    }
    return Found(VERDICTS[verdict], **lists, measured=measured)
