# SPDX-License-Identifier: Apache-2.0
"""CoreFile: what the YAML file of `weir_gen` asks for, read and checked."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from litex_weir.errors import WeirError

PHYS = ("ECP5DDRPHY", "DFI")
LATENCIES = {"ecp5": 2, "series7": 4, "ultrascale": 4}
"""PHYs of LiteDRAM whose latencies a core with a DFI can have, by their number of phases (see Scala's ConfigFile)."""

BUSES = ("axi", "wishbone")
MOST_PORTS = 4  # of Weir's (Scala's Axi.ports)
AXI_DATA_BITS = 128
"""Of the AXI4 ports where the file does not say."""

SECTIONS = ("axi", "policies", "observation", "placement")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")
_TAKEN = ("wb_ctrl", "dfi", "ddram", "clk", "rst", "user", "init", "pll_locked", "interrupt")


@dataclass(frozen=True)
class UserPort:
    """A port of the core: `bus` axi or wishbone; `data_bits` of a Wishbone bus, None for those of the AXI4 ports."""

    name: str
    bus: str
    data_bits: int | None = None


@dataclass(frozen=True)
class CoreFile:
    """A core that is asked for. Clocks in Hz; `sections` go to Weir's generator as they are."""

    name: str
    phy: str
    latencies: str
    system_clock: float
    input_clock: float | None
    part: str
    ranks: int
    dq_bits: int
    ports: tuple
    sections: dict = field(default_factory=dict)

    @classmethod
    def load(cls, path):
        """The core that the YAML file `path` asks for. WeirError, which names the place, the value and the limit, if it
        asks for none."""
        try:
            text = Path(path).read_text()
        except OSError as error:
            raise WeirError(f"{path}: cannot be read: {error.strerror}") from error
        try:
            found = yaml.load(text, Loader=_NoDuplicates)
        except yaml.YAMLError as error:
            raise WeirError(f"{path}: no YAML: {' '.join(str(error).split())}") from error
        try:
            return cls._checked(_Place("", found))
        except WeirError as error:
            raise WeirError(f"{path}: {error}") from error

    @classmethod
    def _checked(cls, top):
        top.only(("name", "phy", "latencies", "system_clock", "input_clock", "dram", "ports", *SECTIONS))
        phy = top.choice("phy", PHYS)
        behind_dfi = phy == "DFI"
        if behind_dfi:
            latencies, input_clock = top.choice("latencies", LATENCIES), None
            top.without("input_clock", "is for a PHY in the core, phy: ECP5DDRPHY")
        else:
            latencies, input_clock = "ecp5", top.number("input_clock", 8e6, 400e6)
            top.without("latencies", "is for phy: DFI")
        dram = top.section("dram")
        dram.only(("part", "ranks", "dqBits"))
        ports = tuple(cls._port(port) for port in top.list("ports", 1, MOST_PORTS))
        names = [port.name for port in ports]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise WeirError(f"ports[{number}].name = {name}: is the name of an earlier port")
        sections = {name: top.section(name).value for name in SECTIONS if name in top.value}
        widest = sections.get("axi", {}).get("dataBits", AXI_DATA_BITS)
        for number, port in enumerate(ports):
            if isinstance(widest, int) and port.data_bits is not None and port.data_bits > widest:
                raise WeirError(
                    f"ports[{number}].dataBits = {port.data_bits}: must be at most the {widest} of axi.dataBits"
                )
        return cls(
            name=top.identifier("name"),
            phy=phy,
            latencies=latencies,
            system_clock=top.number("system_clock", 1e6, 400e6),
            input_clock=input_clock,
            part=dram.text("part"),
            ranks=dram.whole("ranks", 1, 4) if "ranks" in dram.value else 1,
            dq_bits=dram.whole("dqBits", 8, 64),
            ports=ports,
            sections=sections,
        )

    @staticmethod
    def _port(port):
        port.only(("name", "bus", "dataBits"))
        name, bus = port.identifier("name"), port.choice("bus", BUSES)
        if name in _TAKEN:
            raise WeirError(f"{port.name}.name = {name}: is the name of other pins of the core")
        if bus == "axi":
            port.without("dataBits", "is for Wishbone; the AXI4 ports have axi.dataBits")
            return UserPort(name, bus)
        return UserPort(name, bus, port.one_of("dataBits", (32, 64, 128, 256, 512)))

    def description(self):
        """The config for Weir's generator (Scala's ConfigFile), as an object for JSON."""
        axi = {
            "dataBits": AXI_DATA_BITS,
            "idBits": 4,
            **self.sections.get("axi", {}),
            "ports": len(self.ports),
            "base": 0,
        }
        return {
            "name": self.name,
            "part": self.part,
            "tCKps": int(1e12 / (self.system_clock * LATENCIES[self.latencies])),
            "ranks": self.ranks,
            "dqBits": self.dq_bits,
            "phy": self.latencies,
            **self.sections,
            "axi": axi,
        }


class _NoDuplicates(yaml.SafeLoader):
    """YAML in which no key comes twice in a mapping."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        twice = [key for number, key in enumerate(keys) if key in keys[:number]]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"key {twice[0]} comes twice", node.start_mark)
        return super().construct_mapping(node, deep)


class _Place:
    """A mapping of the file, and where it stands."""

    def __init__(self, name, value):
        self.name, self.value = name, value
        if not isinstance(value, dict):
            raise WeirError(f"{name or 'the file'} = {value!r}: must be a mapping")

    def _at(self, key):
        return f"{self.name}.{key}" if self.name else key

    def _get(self, key):
        if key not in self.value:
            raise WeirError(f"{self._at(key)} is missing")
        return self.value[key]

    def _refuse(self, key, limit):
        raise WeirError(f"{self._at(key)} = {self.value[key]!r}: must be {limit}")

    def only(self, known):
        for key in self.value:
            if key not in known:
                raise WeirError(f"{self._at(key)}: is no key; known are {', '.join(known)}")

    def without(self, key, why):
        if key in self.value:
            raise WeirError(f"{self._at(key)} = {self.value[key]!r}: {why}")

    def section(self, key):
        return _Place(self._at(key), self._get(key))

    def list(self, key, least, most):
        found = self._get(key)
        if not isinstance(found, list) or not least <= len(found) <= most:
            what = f"{len(found)} entries" if isinstance(found, list) else repr(found)
            raise WeirError(f"{self._at(key)} = {what}: must be a list of {least} to {most}")
        return [_Place(f"{self._at(key)}[{number}]", entry) for number, entry in enumerate(found)]

    def text(self, key):
        found = self._get(key)
        if not isinstance(found, str):
            self._refuse(key, "a text")
        return found

    def identifier(self, key):
        if not _IDENTIFIER.fullmatch(self.text(key)):
            self._refuse(key, "lower-case letters, digits and _, a letter first")
        return self.value[key]

    def choice(self, key, choices):
        if self.text(key) not in choices:
            self._refuse(key, f"one of {', '.join(choices)}")
        return self.value[key]

    def number(self, key, least, most):
        """A number; YAML 1.1 takes 75e6, without a point, as a text."""
        found = self._get(key)
        try:
            number = float(found) if isinstance(found, int | float | str) and not isinstance(found, bool) else None
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            self._refuse(key, f"a number from {least:g} to {most:g}")
        return number

    def whole(self, key, least, most):
        found = self._get(key)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            self._refuse(key, f"a whole number from {least} to {most}")
        return found

    def one_of(self, key, choices):
        if self._get(key) not in choices or isinstance(self.value[key], bool):
            self._refuse(key, f"one of {', '.join(map(str, choices))}")
        return self.value[key]
