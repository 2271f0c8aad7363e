# SPDX-License-Identifier: Apache-2.0
"""CoreFile: what the YAML file of `weir_gen` asks for, read and checked."""

import re
import reprlib
from dataclasses import dataclass
from pathlib import Path

import yaml
from litex.gen.fhdl.verilog import _ieee_1800_2017_verilog_reserved_keywords as LITEX_KEYWORDS
from litex.soc.cores.clock import ECP5PLL

from litex_weir import ecp5_clock
from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError

PHYS = ("ECP5DDRPHY", "DFI")
BUSES = ("axi", "wishbone")
INPUT_CLOCKS = (max(ECP5PLL.clki_freq_range[0], ECP5PLL.pfd_freq_range[0]), ECP5PLL.clki_freq_range[1])
"""Of the oscillator: what the ECP5's PLL and its phase detector take."""

KEYWORDS = frozenset(keyword.strip() for keyword in LITEX_KEYWORDS)
"""Of SystemVerilog (IEEE 1800-2017, Annex B)."""

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TAKEN = (
    *("clk", "rst", "user", "user_clk", "user_rst", "init", "init_done", "init_error", "interrupt", "pll_locked"),
    *("wb_ctrl", "dfi", "ddram"),
)
"""What other pins of a core are called, or begin with."""


@dataclass(frozen=True)
class UserPort:
    """A port of the core: `bus` axi or wishbone; `data_bits` of a Wishbone bus, None for those of the AXI4 ports."""

    name: str
    bus: str
    data_bits: int | None = None


@dataclass(frozen=True)
class CoreFile:
    """A core that is asked for. Clocks in Hz, `system_clock` as it comes out of the PLL where the core has one; `ports`
    are UserPorts, one for each AXI4 port of `design`."""

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
            text = Path(path).read_bytes()
        except OSError as error:
            raise WeirError(f"{path}: cannot be read: {error.strerror}") from error
        try:
            found = yaml.load(text, Loader=_Texts)
        except yaml.YAMLError as error:
            raise WeirError(f"{path}: no YAML: {' '.join(str(error).split())}") from error
        except RecursionError as error:
            raise WeirError(f"{path}: no YAML: too many brackets within each other") from error
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
            input_clock = top.number("input_clock", *INPUT_CLOCKS)
        name = top.identifier("name")
        if name in KEYWORDS:
            raise WeirError(f"name = {name}: is a keyword of Verilog")
        if name == "csr":
            raise WeirError(f"name = {name}: LiteX's own description of the core is called {name}.json")
        design = WeirDesign.load(top.text("design"))
        if name in design.modules():
            raise WeirError(f"name = {name}: is the name of a module in {design.verilog}")
        system_clock = top.number("system_clock", 1e6, 400e6)
        design.check_clock("system_clock", system_clock)
        if input_clock is not None:
            system_clock = ecp5_clock.nearest(design, input_clock, system_clock)
        ports = tuple(cls._port(port, design) for port in top.list("ports"))
        if len(ports) != design.ports:
            raise WeirError(f"ports = {len(ports)} entries, but design '{design.name}' was made for {design.ports}")
        names = [port.name for port in ports]
        for number, twice in enumerate(names):
            if twice in names[:number]:
                raise WeirError(f"ports[{number}].name = {twice}: is the name of an earlier port")
        return cls(name, phy, system_clock, input_clock, design, ports)

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


class _Texts(yaml.BaseLoader):
    """YAML whose values are all texts, as they are written: what kind each is, its place tells. No key comes twice."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        twice = [key for number, key in enumerate(keys) if key in keys[:number]]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"key {_shown(twice[0])} comes twice", node.start_mark)
        return super().construct_mapping(node, deep)


def _shown(value):
    """A value in a message: a word as it is, all else in quotes or brackets, and no more than a line of it."""
    return value if isinstance(value, str) and re.fullmatch(r"[\w.+-]{1,40}", value) else reprlib.repr(value)


class _Place:
    """A mapping of the file, and where it stands."""

    def __init__(self, name, value):
        self.name, self.value = name, value
        if not isinstance(value, dict):
            raise WeirError(f"{name or 'the file'} = {_shown(value)}: must be a mapping")

    def _at(self, key):
        return f"{self.name}.{key}" if self.name else key

    def _get(self, key):
        if key not in self.value:
            raise WeirError(f"{self._at(key)} is missing")
        return self.value[key]

    def _refuse(self, key, limit):
        raise WeirError(f"{self._at(key)} = {_shown(self.value[key])}: must be {limit}")

    def only(self, known):
        for key in self.value:
            if key not in known:
                raise WeirError(f"{self._at(_shown(key))}: is no key; known are {', '.join(known)}")

    def without(self, key, why):
        if key in self.value:
            raise WeirError(f"{self._at(key)} = {_shown(self.value[key])}: {why}")

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
            self._refuse(key, "at most 64 lower-case letters, digits and _, a letter first")
        return self.value[key]

    def choice(self, key, choices):
        if self.text(key) not in choices:
            self._refuse(key, f"one of {', '.join(choices)}")
        return self.value[key]

    def number(self, key, least, most):
        written = self.text(key)
        try:
            number = float(written)
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            self._refuse(key, f"a number from {least:g} to {most:g}")
        return number

    def one_of(self, key, choices):
        """A whole number, as it is written there."""
        written = [str(choice) for choice in choices]
        if self.text(key) not in written:
            self._refuse(key, f"one of {', '.join(written)}")
        return choices[written.index(self.value[key])]
