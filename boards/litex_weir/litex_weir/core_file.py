# SPDX-License-Identifier: Apache-2.0
"""CoreFile: what the YAML file of `weir_gen` asks for, read and checked."""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError

PHYS = ("ECP5DDRPHY", "DFI")
BUSES = ("axi", "wishbone")
CLOCK_TOLERANCE = 1e-3
"""Part of a clock by which one whose period is in whole picoseconds may differ."""

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
    """A core that is asked for. Clocks in Hz; `ports` are UserPorts, one for each AXI4 port of `design`."""

    name: str
    phy: str
    system_clock: float
    input_clock: float | None
    design: WeirDesign
    ports: tuple

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
        top.only(("name", "phy", "system_clock", "input_clock", "design", "ports"))
        phy = top.choice("phy", PHYS)
        if phy == "DFI":
            input_clock = None
            top.without("input_clock", "is for a PHY in the core, phy: ECP5DDRPHY")
        else:
            input_clock = top.number("input_clock", 8e6, 400e6)
        design = WeirDesign.load(top.text("design"))
        system_clock = top.number("system_clock", 1e6, 400e6)
        made_for = 1e12 / (design.t_ck_ps * design.phases)
        if abs(system_clock - made_for) > made_for * CLOCK_TOLERANCE:
            raise WeirError(
                f"system_clock = {system_clock / 1e6:g} MHz, but design '{design.name}' was made for "
                f"{made_for / 1e6:g} MHz"
            )
        ports = tuple(cls._port(port, design) for port in top.list("ports"))
        if len(ports) != design.ports:
            raise WeirError(f"ports = {len(ports)} entries, but design '{design.name}' was made for {design.ports}")
        names = [port.name for port in ports]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise WeirError(f"ports[{number}].name = {name}: is the name of an earlier port")
        return cls(top.identifier("name"), phy, system_clock, input_clock, design, ports)

    @staticmethod
    def _port(port, design):
        port.only(("name", "bus", "dataBits"))
        name, bus = port.identifier("name"), port.choice("bus", BUSES)
        if name in _TAKEN:
            raise WeirError(f"{port.name}.name = {name}: is the name of other pins of the core")
        if bus == "axi":
            port.without("dataBits", f"is for Wishbone; the design's AXI4 ports have {design.axi_data_bits}")
            return UserPort(name, bus)
        widths = [bits for bits in (32, 64, 128, 256, 512) if bits <= design.axi_data_bits]
        return UserPort(name, bus, port.one_of("dataBits", widths))


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

    def list(self, key):
        found = self._get(key)
        if not isinstance(found, list):
            self._refuse(key, "a list")
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

    def one_of(self, key, choices):
        if self._get(key) not in choices or isinstance(self.value[key], bool):
            self._refuse(key, f"one of {', '.join(map(str, choices))}")
        return self.value[key]
