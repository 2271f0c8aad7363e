# SPDX-License-Identifier: Apache-2.0
"""A module around a core with four pins, so that a core of any number of ports can be placed and timed: a flip-flop of
its own before each input bit and behind each output bit. All paths of the core then begin and end in flip-flops, and
its Fmax is that of the wrapped design.

Input bits are shifted in through `serial_in` and held when `load` comes, so that those that the core sees are
unrelated; captured outputs are folded by a pipelined tree of XORs, four to one, into `parity`.
"""

from __future__ import annotations

from tools import ToolError

NAME = "wrapper"
FAN_IN = 4


def ports(netlist: dict, top: str, clock: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Names and widths of the inputs but the clock, and of the outputs, from a netlist as Yosys writes it."""
    try:
        found = netlist["modules"][top]["ports"]
    except KeyError:
        raise ToolError(f"the netlist has no module {top} with ports") from None
    if clock not in found:
        raise ToolError(f"{top} has no port {clock}; there are {', '.join(found)}")
    inputs = [(name, len(p["bits"])) for name, p in found.items() if p["direction"] == "input" and name != clock]
    outputs = [(name, len(p["bits"])) for name, p in found.items() if p["direction"] == "output"]
    if len(inputs) + len(outputs) + 1 != len(found):
        raise ToolError(f"{top} has ports that are neither input nor output")
    if not inputs or not outputs:
        raise ToolError(f"{top} needs inputs beside its clock, and outputs")
    return inputs, outputs


def connections(named: list[tuple[str, int]], vector: str) -> list[str]:
    """Port after port connected to slices of a vector."""
    lines, low = [], 0
    for name, width in named:
        lines.append(f"    .{name}({vector}[{low + width - 1}:{low}])")
        low += width
    return lines


def wrapper(top: str, clock: str, inputs: list[tuple[str, int]], outputs: list[tuple[str, int]]) -> str:
    """The wrapper as Verilog."""
    ins, outs = (sum(width for _, width in named) for named in (inputs, outputs))
    connected = [f"    .{clock}(clock)", *connections(inputs, "held"), *connections(outputs, "out")]
    lines = [
        f"module {NAME} (input clock, input serial_in, input load, output parity);",
        f"  reg [{ins - 1}:0] shifted, held;",
        "  reg loads;",
        f"  wire [{outs - 1}:0] out;",
        f"  reg [{outs - 1}:0] stage0;",
        "  always @(posedge clock) begin",
        "    loads <= load;",
        "    shifted <= {shifted, serial_in};",
        "    if (loads) held <= shifted;",
        "    stage0 <= out;",
        "  end",
        f"  {top} core (",
        ",\n".join(connected),
        "  );",
    ]
    stage, width = 0, outs
    while width > 1:
        folded = -(-width // FAN_IN)
        lines += [f"  reg [{folded - 1}:0] stage{stage + 1};", "  always @(posedge clock) begin"]
        for bit in range(folded):
            high = min(width, FAN_IN * (bit + 1)) - 1
            lines.append(f"    stage{stage + 1}[{bit}] <= ^stage{stage}[{high}:{FAN_IN * bit}];")
        lines.append("  end")
        stage, width = stage + 1, folded
    return "\n".join([*lines, f"  assign parity = stage{stage}[0];", "endmodule", ""])
