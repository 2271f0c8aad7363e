# SPDX-License-Identifier: Apache-2.0
"""AxiLog: reports every address handshake of an AXI4 bus to the simulator, which writes them down on request."""

from pathlib import Path

from migen import ClockSignal, Instance, Module

_VERILOG = Path(__file__).with_name("axi_log.sv")


class AxiLog(Module):
    """Watches the AR and AW channels of `bus`, an AXIInterface in the `sys` clock domain; drives nothing."""

    def __init__(self, platform, bus):
        platform.add_source(str(_VERILOG))
        signals = {}
        for channel in ("ar", "aw"):
            source = getattr(bus, channel)
            signals[f"i_{channel}_handshake"] = source.valid & source.ready
            for field in ("id", "addr", "len"):
                signals[f"i_{channel}_{field}"] = getattr(source, field)
        self.specials += Instance("axi_log", p_ID_BITS=bus.id_width, i_clock=ClockSignal("sys"), **signals)
