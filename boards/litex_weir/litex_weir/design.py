# SPDX-License-Identifier: Apache-2.0
"""WeirDesign: an elaborated controller, its Verilog and what it was made for."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from litex_weir.errors import WeirError


@dataclass(frozen=True)
class WeirDesign:
    """The Verilog of one config and the parameters that its surroundings must fit. Widths in bits, latencies in
    controller cycles, `t_ck_ps` the period of the DRAM's clock in picoseconds."""

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
    bank_groups: int = 1
    timing: dict = field(default_factory=dict, compare=False)  # in DRAM clocks, by the names in Weir.json

    @classmethod
    def load(cls, folder):
        """The design in `folder`: Weir.sv and Weir.json, as `./mill hw.run --config NAME --output DIR` writes them.

        Raises WeirError if one of them is missing or does not hold what is needed, and if there are two channels.
        """
        verilog, parameters = Path(folder) / "Weir.sv", Path(folder) / "Weir.json"
        for path in (verilog, parameters):
            if not path.is_file():
                raise WeirError(f"design: {path} does not exist; `./mill hw.run` writes it")
        try:
            return cls._from_parameters(str(verilog), json.loads(parameters.read_text()))
        except (KeyError, json.JSONDecodeError) as error:
            raise WeirError(f"design: {parameters} is not a description of a Weir design: {error!r}") from error

    @classmethod
    def _from_parameters(cls, verilog, parameters):
        geometry, phy, axi = parameters["geometry"], parameters["phy"], parameters["axi"]
        derived = parameters["derived"]
        if parameters["channels"] != 1:
            raise WeirError(
                f"design: {parameters['name']} has {parameters['channels']} channels; LiteX has a PHY for one only"
            )
        return cls(
            name=parameters["name"],
            verilog=verilog,
            base=axi["base"],
            bytes=derived["memoryBytes"],
            ranks=derived["chipSelects"],
            bank_bits=derived["bankPins"],
            row_bits=geometry["rowBits"],
            column_bits=geometry["columnBits"],
            address_pins=derived["addressPins"],
            data_bits=geometry["dqBits"],
            phases=phy["phases"],
            read_phase=phy["readPhase"],
            write_phase=phy["writePhase"],
            read_latency=phy["readLatency"],
            write_latency=phy["writeLatency"],
            t_ck_ps=parameters["timing"]["tCKps"],
            cl=parameters["timing"]["cl"],
            cwl=parameters["timing"]["cwl"],
            ports=axi["ports"],
            axi_data_bits=axi["dataBits"],
            axi_id_bits=axi["idBits"],
            axi_address_bits=axi["addressBits"],
            interrupt=derived["interrupt"],
            bank_groups=geometry["bankGroups"],
            timing=parameters["timing"],
        )

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
