# SPDX-License-Identifier: Apache-2.0
"""WeirDesign: an elaborated controller, its Verilog and what it was made for."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from litex_weir.errors import WeirError

CLOCK_TOLERANCE = 1e-3
"""Part of a design's clock by which that of its system may be slower."""

_ROUNDING = 1e-6
"""Part of a clock that is lost in how files write it."""

TIMINGS = (
    *("tRP", "tRCD", "tWR", "tRFC", "tFAW", "tREFI", "tRAS", "tRC", "tRTP", "tZQCS"),
    *("tWTR_L", "tCCD_L", "tRRD_L"),
)
"""Of Weir.json what the initialisation and the clock are derived from."""


@dataclass(frozen=True)
class WeirDesign:
    """The Verilog of one config and the parameters that its surroundings must fit. Widths in bits, latencies in
    controller cycles, `address_map` the name of that after reset (docs/address-maps.md), `nvm_bytes` how much of the
    end of memory is the NVM region (docs/policies/nvm-region.md), `t_ck_ps` the period of the DRAM's clock and
    `refresh_interval_ps` the part's tREFI, both in picoseconds."""

    name: str
    verilog: str
    base: int
    bytes: int
    ranks: int
    bank_bits: int
    row_bits: int
    column_bits: int
    address_pins: int
    data_bits: int
    phases: int
    read_phase: int
    write_phase: int
    read_latency: int
    write_latency: int
    t_ck_ps: int
    cl: int
    cwl: int
    ports: int
    axi_data_bits: int
    axi_id_bits: int
    axi_address_bits: int
    interrupt: bool
    refresh_interval_ps: int
    address_map: str
    nvm_bytes: int = 0
    bank_groups: int = 1
    odt_by_command: bool = True
    timing: dict = field(default_factory=dict, compare=False)  # in DRAM clocks, by the names in Weir.json

    @classmethod
    def load(cls, folder):
        """The design in `folder`: Weir.sv and Weir.json, as `./mill hw.run --config NAME --output DIR` writes them.

        Raises WeirError if one of them is missing or does not hold what is needed, and if there are two channels.
        """
        verilog, parameters = Path(folder) / "Weir.sv", Path(folder) / "Weir.json"
        for path in (verilog, parameters):
            if not _is_file(path):
                raise WeirError(f"design: {path} does not exist; `./mill hw.run` writes it")
        try:
            return cls._from_parameters(str(verilog), _Description("", _json(parameters)))
        except _NoDescription as error:
            raise WeirError(f"design: {parameters} is not a description of a Weir design: {error}") from error

    @classmethod
    def _from_parameters(cls, verilog, description):
        geometry, phy, axi, timing, derived = (
            description.part(name) for name in ("geometry", "phy", "axi", "timing", "derived")
        )
        name = description.get("name", str)
        channels = description.get("channels", int)
        nvm_bytes = 0
        if description.has("nvm"):
            ranks = geometry.get("ranks", int, least=1)
            nvm_ranks = ranks - description.part("nvm").get("firstRank", int)
            nvm_bytes = derived.get("memoryBytes", int, least=1) // ranks * nvm_ranks
        if channels != 1:
            raise WeirError(f"design: {name} has {channels} channels; LiteX has a PHY for one only")
        return cls(
            name=name,
            verilog=verilog,
            base=axi.get("base", int),
            bytes=derived.get("memoryBytes", int, least=1),
            ranks=derived.get("chipSelects", int, least=1),
            bank_bits=derived.get("bankPins", int),
            row_bits=geometry.get("rowBits", int),
            column_bits=geometry.get("columnBits", int),
            address_pins=derived.get("addressPins", int),
            data_bits=geometry.get("dqBits", int, least=1),
            phases=phy.get("phases", int, least=1),
            read_phase=phy.get("readPhase", int),
            write_phase=phy.get("writePhase", int),
            read_latency=phy.get("readLatency", int),
            write_latency=phy.get("writeLatency", int),
            t_ck_ps=timing.get("tCKps", int, least=1),
            cl=timing.get("cl", int),
            cwl=timing.get("cwl", int),
            ports=axi.get("ports", int, least=1),
            axi_data_bits=axi.get("dataBits", int, least=1),
            axi_id_bits=axi.get("idBits", int, least=1),
            axi_address_bits=axi.get("addressBits", int, least=1),
            interrupt=derived.get("interrupt", bool),
            refresh_interval_ps=derived.get("refreshIntervalPs", int, least=1),
            address_map=description.part("placement").get("map", str),
            nvm_bytes=nvm_bytes,
            bank_groups=geometry.get("bankGroups", int),
            odt_by_command=description.get("odtByCommand", bool),
            timing={clocks: timing.get(clocks, int, least=1) for clocks in TIMINGS},
        )

    @property
    def clock_hz(self):
        """The controller clock that the design was made for."""
        return 1e12 / (self.t_ck_ps * self.phases)

    @property
    def slowest_hz(self):
        """The slowest controller clock with which refreshes come often enough: `tREFI` DRAM clocks within the part's
        own tREFI (JESD79-3F 4.13, JESD79-4 4.26); at least the design's less CLOCK_TOLERANCE."""
        refreshes = self.timing["tREFI"] * 1e12 / (self.refresh_interval_ps * self.phases)
        return max(refreshes, self.clock_hz * (1 - CLOCK_TOLERANCE))

    def takes_clock(self, hertz):
        """Whether all times of the DRAM hold with a controller clock of `hertz`: one that is faster than the design's
        makes the least times too short, a slower one the refresh interval too long."""
        return self.slowest_hz * (1 - _ROUNDING) <= hertz <= self.clock_hz * (1 + _ROUNDING)

    def clocks(self):
        """For people: the clock of the design, and the slowest."""
        return (
            f"design '{self.name}' was made for {self.clock_hz / 1e6:.6g} MHz, takes none that is faster, and "
            f"refreshes often enough from {self.slowest_hz / 1e6:.6g} MHz on"
        )

    def modules(self):
        """Names of the modules in the Verilog. WeirError if it cannot be read, or has no module Weir."""
        try:
            found = set(re.findall(r"^module (\w+)", Path(self.verilog).read_text(errors="replace"), re.MULTILINE))
        except OSError as error:
            raise WeirError(f"design: {self.verilog} cannot be read: {error.strerror}") from error
        if "Weir" not in found:
            raise WeirError(f"design: {self.verilog} has no module Weir")
        return found

    def check_clock(self, what, hertz):
        """Raise WeirError unless the design takes the controller clock `hertz`, which the caller calls `what`."""
        if not self.takes_clock(hertz):
            raise WeirError(f"{what} = {hertz / 1e6:g} MHz, but {self.clocks()}")

    def check_phy(self, settings):
        """Raise WeirError unless the LiteDRAM PHY with `settings` is the one the design was made for."""
        self._check(
            "PHY",
            ("nranks", settings.nranks, self.ranks),
            ("databits", settings.databits, self.data_bits),
            ("nphases", settings.nphases, self.phases),
            ("rdphase", _reset_value(settings.rdphase), self.read_phase),
            ("wrphase", _reset_value(settings.wrphase), self.write_phase),
            ("read_latency", settings.read_latency, self.read_latency),
            ("write_latency", settings.write_latency, self.write_latency),
            ("cl", settings.cl, self.cl),
            ("cwl", settings.cwl, self.cwl),
        )

    def check_geometry(self, geometry):
        """Raise WeirError unless the DRAM with LiteDRAM's `geometry` settings is the one the design was made for."""
        self._check(
            "DRAM module",
            ("bankbits", geometry.bankbits, self.bank_bits),
            ("rowbits", geometry.rowbits, self.row_bits),
            ("colbits", geometry.colbits, self.column_bits),
        )

    def check_ports(self, ports):
        """Raise WeirError unless the AXI4 buses `ports` fit the design's ports."""
        self._check("SoC", ("number of memory buses", len(ports), self.ports))
        for number, bus in enumerate(ports):
            self._check(
                f"memory bus {number}",
                ("data_width", bus.data_width, self.axi_data_bits),
                ("id_width", bus.id_width, self.axi_id_bits),
                ("address_width", bus.address_width, self.axi_address_bits),
            )

    def _check(self, place, *rows):
        for what, is_value, made_for in rows:
            if is_value != made_for:
                raise WeirError(f"{place}: {what} = {is_value}, but design '{self.name}' was made for {made_for}")


def _reset_value(phase):
    """A PHY's phase is a number, or a CSR whose reset value it is."""
    return phase if isinstance(phase, int) else phase.reset.value


def _is_file(path):
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _json(path):
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise WeirError(f"design: {path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, no JSON, no text
        raise _NoDescription(error) from error


class _NoDescription(Exception):
    """What is not a value of Weir.json, with its place."""


class _Description:
    """An object of Weir.json, and where it stands."""

    def __init__(self, name, value):
        self._name, self._value = name, value
        if not isinstance(value, dict):
            raise _NoDescription(f"{name or 'the file'} is no object")

    def get(self, key, kind, least=0):
        """The value of `key`: a text, a truth value or a number from `least` to 2^64."""
        place = f"{self._name}.{key}" if self._name else key
        if key not in self._value:
            raise _NoDescription(f"{place} is missing")
        found = self._value[key]
        if type(found) is not kind:
            raise _NoDescription(f"{place} is no {_KINDS[kind]}")
        if kind is int and not least <= found <= 1 << 64:
            raise _NoDescription(f"{place} is no number from {least} to 2^64")
        return found

    def has(self, key):
        """Whether there is something of `key`."""
        return key in self._value

    def part(self, key):
        """The object of `key`."""
        if key not in self._value:
            raise _NoDescription(f"{key} is missing")
        return _Description(key, self._value[key])


_KINDS = {int: "whole number", bool: "truth value", str: "text"}
