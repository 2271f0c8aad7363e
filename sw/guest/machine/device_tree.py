#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the device tree of a SoC, from LiteX's description of it, for OpenSBI and Linux."""

import argparse
import hashlib
import subprocess
import sys
from pathlib import Path

import layout
import soc_description

CYCLES_PER_MTIME_TICK = 100
"""Rocket's mtime in LiteX's package counts every 100th cycle of the harts' clock."""

MTIME = 0xBFF8
"""Where mtime is in the CLINT. OpenSBI's platform lets Linux read it (sw/guest/opensbi/weir/platform.c)."""

PLIC_SOURCES = 8
"""Interrupts that Rocket's `linux` variants have; LiteX's interrupt n is source n + 1."""

POWEROFF = 0x100
"""Ends the simulation with exit code 0, its low eight bits, and differs from the 0 that the finisher reads as."""

EXIT_CODE_OF_PANIC = 101
"""What ends the simulation when Linux restarts, which it does by itself only after a panic (`panic=-1`)."""

SEED_BYTES = 32
"""What Linux's random numbers start from: 256 bits make them ready. Always the same, for runs that can be repeated."""

HOST_REGISTERS = {
    "finisher": "finisher_exit_code",
    "host_freeze": "host_freeze",
    "host_script": "host_script",
    "memory_divider": "memory_clock_divider",
}
"""Kernel parameters by which init learns addresses of CSRs, where the SoC has these."""


SPARED = [
    "8250.nr_uarts=0",
    "fw_devlink=off",
    "dhash_entries=1024",
    "ihash_entries=1024",
    "rcupdate.rcu_expedited=1",
    "numa_boot_interleave=0",
]
"""Kernel parameters that spare work and waits: a port for a UART that only QEMU has, links in sysfs from consumers to
suppliers, clearing the memory of large hash tables, grace periods of RCU by ticks, each 8 million cycles, the kernel's
own data in the pages of two nodes."""


LOCAL_DISTANCE, OTHER_DISTANCE, NVM_DISTANCE = 10, 11, 15
"""Between Linux's nodes. All ranks are as far from the harts, but Linux wants more than 10 to another node. A read of
emulated NVM takes half as long again as one of DRAM (docs/hybrid.md), and as the harts are all at a node of DRAM the
two are as far from each other."""

POINTER_BYTES_OF_PAGE, PAGE_BYTES = 8, 4096
"""Of the table of pointers to pages of NVM that live in DRAM (docs/remapping.md)."""

CACHE_LINE_BYTES, CACHE_SETS = 64, 64
"""Of the direct-mapped data cache of LiteX's Rocket. Linux writes its lines back to persistent memory."""


class LayoutError(Exception):
    """Something does not fit into the memory; says what, its size and the limit."""


def bootargs(soc, extra=""):
    """The kernel's command line on `soc`; `extra` is put behind, for init or the kernel."""
    words = ["console=liteuart", "quiet", "panic=-1", *SPARED]
    words.append(f"mtime={soc.clint.base + MTIME:#x}")
    words += [f"{name}={soc.csr[register]:#x}" for name, register in HOST_REGISTERS.items() if register in soc.csr]
    return " ".join(words + extra.split())


def _memory(soc):
    """What Linux is told of the memory: a Region of each rank that is a range of addresses, or of all. LayoutError."""
    ranks, ram = soc.ranks, soc.main_ram
    wanted, of_each = (layout.RANK_BYTES, " of each rank") if len(ranks) > 1 else (layout.MEMORY_BYTES, "")
    if ram.base != layout.DRAM or ranks[0].size < wanted:
        raise LayoutError(
            f"the SoC's main_ram has {ranks[0].size:#x} bytes{of_each} at {ram.base:#x}; "
            f"the guest needs {wanted:#x}{of_each} at {layout.DRAM:#x}"
        )
    return [soc_description.Region(rank.base, wanted) for rank in ranks]


def _node(memory, number):
    """The property that makes something part of Linux's node `number`, where ranks are nodes."""
    return f"numa-node-id = <{number}>;" if len(memory) > 1 else ""


def _memory_node(memory, number):
    region = memory[number]
    return f"""
    memory@{region.base:x} {{
        device_type = "memory";
        reg = <{region.base:#x} {region.size:#x}>;
        {_node(memory, number)}
    }};
"""


def _is_nvm(soc, region):
    return soc.nvm is not None and region.base >= soc.nvm.base


def _distance(soc, one, other):
    if one == other:
        return LOCAL_DISTANCE
    return OTHER_DISTANCE if _is_nvm(soc, one) == _is_nvm(soc, other) else NVM_DISTANCE


def _distances(soc, memory):
    """The device tree's node of the distances between nodes."""
    if len(memory) == 1:
        return ""
    nodes = list(enumerate(memory))
    rows = [(a, b, _distance(soc, one, other)) for a, one in nodes for b, other in nodes]
    return f"""
    distance-map {{
        compatible = "numa-distance-map-v1";
        distance-matrix = {", ".join("<{} {} {}>".format(*row) for row in rows)};
    }};
"""


def _cache(soc):
    """The properties of a hart's data cache, where Linux needs them."""
    if soc.nvm is None:
        return ""
    return f"""d-cache-block-size = <{CACHE_LINE_BYTES}>;
            d-cache-sets = <{CACHE_SETS}>;
            d-cache-size = <{CACHE_LINE_BYTES * CACHE_SETS}>;
            """


def _cpu(soc, hart, memory):
    return f"""
        cpu@{hart} {{
            device_type = "cpu";
            reg = <{hart}>;
            {_node(memory, 0)}
            compatible = "sifive,rocket0", "riscv";
            riscv,isa = "rv64imac";
            riscv,isa-base = "rv64i";
            riscv,isa-extensions = "i", "m", "a", "c", "zicsr", "zifencei";
            {_cache(soc)}mmu-type = "riscv,sv39";
            intc{hart}: interrupt-controller {{
                compatible = "riscv,cpu-intc";
                interrupt-controller;
                #interrupt-cells = <1>;
            }};
        }};"""


def _end_of_run(soc):
    """Nodes, outside of the bus, by which Linux ends the simulation. Their driver writes only what it does not read."""
    if "finisher_exit_code" not in soc.csr:
        return ""
    return f"""
    poweroff {{
        compatible = "syscon-poweroff";
        regmap = <&finisher>;
        offset = <0>;
        value = <{POWEROFF:#x}>;
    }};

    reboot {{
        compatible = "syscon-reboot";
        regmap = <&finisher>;
        offset = <0>;
        value = <{EXIT_CODE_OF_PANIC}>;
    }};
"""


def _finisher(soc):
    address = soc.csr.get("finisher_exit_code")
    if address is None:
        return ""
    return f"""
        finisher: syscon@{address:x} {{
            compatible = "syscon";
            reg = <{address:#x} 4>;
        }};
"""


def _memory_controller(soc):
    registers = soc.memory_controller
    if registers is None:
        return ""
    lines = ['compatible = "weir,memory-controller";', f"reg = <{registers.base:#x} {registers.size:#x}>;"]
    if soc.memory_interrupt is not None:
        lines.append(f"interrupts = <{soc.memory_interrupt + 1}>;")
    if soc.nvm is not None:
        lines.append("memory-region = <&pointers>, <&frames>, <&persistent>;")
        lines.append('memory-region-names = "pointers", "frames", "persistent";')
    properties = "\n            ".join(lines)
    return f"""
        memory-controller@{registers.base:x} {{
            {properties}
        }};
"""


def _reserved(name, end, size, memory):
    """The node of `size` bytes before `end` that are reserved where Linux has no memory. LayoutError."""
    base = end - size
    used = max(region.base + region.size for region in memory if region.base < end)
    if base < used:
        raise LayoutError(f"the {name} at {base:#x} would be in the memory that Linux uses up to {used:#x}")
    return f"""
        {name}: {name}@{base:x} {{
            reg = <{base:#x} {size:#x}>;
            no-map;
        }};
"""


def _remapping(soc, memory):
    """What is reserved for pages of NVM that live in DRAM, frames at the end of DRAM, and at the end of NVM a table of
    pointers; and before that what is persistent memory. LayoutError."""
    if soc.nvm is None:
        return ""
    nvm_end, table_bytes = soc.nvm.base + soc.nvm.size, soc.nvm.size // PAGE_BYTES * POINTER_BYTES_OF_PAGE
    return (
        _reserved("frames", soc.nvm.base, layout.FRAME_BYTES, memory)
        + _reserved("persistent", nvm_end - table_bytes, layout.PERSISTENT_BYTES, memory)
        + _reserved("pointers", nvm_end, table_bytes, memory)
    )


def source(soc, initramfs_bytes, extra_bootargs=""):
    """Device tree source for `soc` with an initramfs of `initramfs_bytes` bytes; raises LayoutError."""
    memory = _memory(soc)
    room = memory[0].base + memory[0].size - layout.INITRAMFS
    if initramfs_bytes > room:
        raise LayoutError(f"the initramfs has {initramfs_bytes} bytes; at {layout.INITRAMFS:#x} it may have {room}")
    harts = range(soc.harts)
    software_and_timer = ", ".join(f"<&intc{hart} 3>, <&intc{hart} 7>" for hart in harts)
    timer = ", ".join(f"<&intc{hart} 5>" for hart in harts)
    external = ", ".join(f"<&intc{hart} 11>, <&intc{hart} 9>" for hart in harts)
    return f"""// SPDX-License-Identifier: Apache-2.0
/dts-v1/;

/ {{
    #address-cells = <1>;
    #size-cells = <1>;
    compatible = "weir,soc", "litex,soc";
    model = "Weir";

    chosen {{
        bootargs = "{bootargs(soc, extra_bootargs)}";
        rng-seed = [{hashlib.sha256(b"Weir").digest()[:SEED_BYTES].hex(" ")}];
        linux,initrd-start = <{layout.INITRAMFS:#x}>;
        linux,initrd-end = <{layout.INITRAMFS + initramfs_bytes:#x}>;
    }};

    cpus {{
        #address-cells = <1>;
        #size-cells = <0>;
        timebase-frequency = <{soc.clock_hz // CYCLES_PER_MTIME_TICK}>;
{"".join(_cpu(soc, hart, memory) for hart in harts)}
    }};
{"".join(_memory_node(memory, number) for number in range(len(memory)))}{_distances(soc, memory)}
    reserved-memory {{
        #address-cells = <1>;
        #size-cells = <1>;
        ranges;

        firmware@{layout.FIRMWARE:x} {{
            reg = <{layout.FIRMWARE:#x} {layout.FIRMWARE_BYTES:#x}>;
            no-map;
        }};
{_remapping(soc, memory)}    }};

    soc {{
        #address-cells = <1>;
        #size-cells = <1>;
        compatible = "simple-bus";
        interrupt-parent = <&plic>;
        ranges;

        clint@{soc.clint.base:x} {{
            compatible = "sifive,clint0", "riscv,clint0";
            reg = <{soc.clint.base:#x} {soc.clint.size:#x}>;
            interrupts-extended = {software_and_timer};
        }};

        timer@{soc.clint.base + MTIME:x} {{
            compatible = "riscv,timer";
            reg = <{soc.clint.base + MTIME:#x} 8>;
            interrupts-extended = {timer};
        }};

        plic: interrupt-controller@{soc.plic.base:x} {{
            compatible = "sifive,plic-1.0.0", "riscv,plic0";
            reg = <{soc.plic.base:#x} {soc.plic.size:#x}>;
            interrupt-controller;
            #interrupt-cells = <1>;
            #address-cells = <0>;
            interrupts-extended = {external};
            riscv,ndev = <{PLIC_SOURCES}>;
        }};

        serial@{soc.uart:x} {{
            compatible = "litex,liteuart";
            reg = <{soc.uart:#x} 0x100>;
            interrupts = <{soc.uart_interrupt + 1}>;
        }};
{_memory_controller(soc)}{_finisher(soc)}    }};
{_end_of_run(soc)}}};
"""


def compile_source(text, output):
    """Compile device tree source `text` into the file `output`; the source stays beside it as .dts. OSError, and no
    `output`, if the disk is full, which dtc does not notice: the second word of a tree is its size."""
    dts, new = output.with_suffix(".dts"), output.with_suffix(".new")
    output.unlink(missing_ok=True)
    dts.write_text(text)
    subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", new, dts], check=True)
    if int.from_bytes(new.read_bytes()[4:8], "big") != new.stat().st_size:
        raise OSError(f"{new}: dtc could not write all of it; is the disk full?")
    new.replace(output)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("description", type=Path, help="csr.json of the SoC")
    parser.add_argument("initramfs", type=Path, help="initramfs.cpio that will be loaded, for its size")
    parser.add_argument("output", type=Path, help="file to write, .dtb; the source goes beside it as .dts")
    parser.add_argument("--bootargs", default="", help="words to put behind the kernel's command line")
    options = parser.parse_args(arguments)
    if not options.initramfs.is_file():
        parser.error(f'the initramfs "{options.initramfs}" is not there')
    try:
        soc = soc_description.load(options.description)
        text = source(soc, options.initramfs.stat().st_size, options.bootargs)
    except (soc_description.DescriptionError, LayoutError) as error:
        parser.error(str(error))
    compile_source(text, options.output)


if __name__ == "__main__":
    sys.exit(main())
