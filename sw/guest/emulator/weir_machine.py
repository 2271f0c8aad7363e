# SPDX-License-Identifier: Apache-2.0
"""QEMU's machine with Weir's registers as plain memory, which Linux is not told of: what is read is what was put there
or written last, and nothing is refused."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GUEST = ROOT / "build" / "guest"
sys.path.insert(0, str(ROOT / "sw" / "guest" / "userland"))

import initramfs as archive  # noqa: E402
import qemu  # noqa: E402

REGISTERS = 0x8700_0000
"""Where the registers are: Linux has the 112 MiB of memory below."""
SECONDS = 600
"""A guest that takes longer hangs."""


def memory_mib(registers=REGISTERS):
    """Of a machine with the registers there: 16 MiB of them and what follows are no memory of Linux."""
    return (registers - qemu.MEMORY >> 20) + 16


def rank_bytes(ranks, registers=REGISTERS):
    """Of each of so many ranks that are nodes; the last one lacks what the registers are in."""
    return (memory_mib(registers) << 20) // ranks


def rank_row_bank_column(ranks, registers=REGISTERS):
    """The address map under which they are ranges of addresses (docs/address-maps.md): lowest address bit and number of
    bits of each part."""
    bit = rank_bytes(ranks, registers).bit_length() - 1
    return {"column": (3, 10), "bank": (13, 3), "row": (16, bit - 16), "rank": (bit, ranks.bit_length() - 1)}


def device_tree(folder, harts, node, ranks=1, reserved="", cpu=qemu.CPU, registers=REGISTERS):
    """The device tree of QEMU's machine with `node` (source text, in which `PLIC` is the interrupt controller) on its
    bus and memory up to the `registers`, of which each of `ranks` (1: all of it) is a node of Linux, as a file in
    `folder`. `reserved` are nodes of reserved memory."""
    blob = folder / "virt.dtb"
    memory = memory_mib(registers)
    arguments = ["-machine", f"virt,dumpdtb={blob}", "-cpu", cpu, "-smp", str(harts), "-m", f"{memory}M"]
    subprocess.run(["qemu-system-riscv64", *arguments, "-display", "none"], check=True, capture_output=True)
    source = subprocess.run(["dtc", "-q", "-O", "dts", blob], check=True, capture_output=True, text=True).stdout
    source, memories = re.subn(
        r"reg = <0x00 0x80000000 0x00 0x\w+>;", f"reg = <0x0 0x80000000 0x0 {registers - qemu.MEMORY:#x}>;", source
    )
    if reserved:
        cells = "#address-cells = <2>; #size-cells = <2>; ranges;"
        source = source.replace("\n\tsoc {\n", f"\n\treserved-memory {{ {cells}\n{reserved}\n}};\n\n\tsoc {{\n", 1)
    plic = re.search(r"plic@\w+ \{\n\t+phandle = (<\w+>);", source)[1]
    node = node.replace("PLIC", plic)
    source, buses = re.subn(r"(\n\tsoc \{(?:\n\t\t[^\n]*;)+\n)", rf"\1\n{node}\n", source)
    assert (memories, buses) == (1, 1)
    subprocess.run(["dtc", "-q", "-O", "dtb", "-o", blob], input=source, check=True, text=True)
    if ranks > 1:
        size, end = rank_bytes(ranks, registers), registers - qemu.MEMORY
        firsts = range(0, end, size)
        sizes = [min(size, end - first) for first in firsts]
        qemu.add_nodes(blob, harts, list(zip(firsts, sizes, strict=True)))
    return blob


def controller(address=REGISTERS, size=0x10000, more=""):
    """The node of a controller whose registers are at `address`, with `more` properties."""
    return f"""memory-controller@{address:x} {{
        compatible = "weir,memory-controller";
        reg = <0x0 {address:#x} 0x0 {size:#x}>;
        {more}
    }};"""


def objections(console):
    """The lines in which the kernel, one with debug options, says that something is wrong."""
    words = "WARNING|BUG|INFO: possible|cut here|stacktrace|Oops|Unable to handle|Kernel panic"
    return re.findall(rf"^.*(?:{words}).*$", console, re.MULTILINE)


def counter(weir, name, value):
    """Arguments of poke that set the counter `name`, of 64 bits, of the registers `weir` (weir_registers.read())."""
    low = REGISTERS + weir[f"{name}_low"].offset
    return f"{low:#x} {value & 0xFFFFFFFF:#x} {low + 4:#x} {value >> 32:#x}"


def sections(console):
    """Name -> what a script printed between its lines `== NAME` and the next one, without blanks around it."""
    parts = re.split(r"^== (.+)$", console, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def measured(console):
    """Name -> numbers by their names, of the words NAME=NUMBER in what a script printed in each of its `sections`. It
    prints them, too, for who wants to see what was measured."""
    found = {
        name: {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", text)}
        for name, text in sections(console).items()
    }
    print("", *(f"{name}: {numbers}" for name, numbers in found.items()), sep="\n")
    return found


def command(
    folder, script, registers=b"", node="", harts=1, files=None, options=(), ranks=1, reserved="", at=REGISTERS
):
    """QEMU's command line for a guest that runs a shell script of the text `script`; what it needs is put into the
    `folder`. `files` {path in the guest: local file} are there for it; `options` are more of qemu.py. Of several
    `ranks` each is a node; `reserved` are nodes (source text) of reserved memory. `at` is where the `registers` are,
    and memory ends."""
    (folder / "script").write_text(script)
    (folder / "registers").write_bytes(registers or b"\0" * 4)
    initramfs = folder / "initramfs.cpio"
    added = {"/script": folder / "script", **(files or {})}
    arguments = [word for name, local in added.items() for word in ("--file", f"{name}={local}")]
    assert archive.main(["--output", str(initramfs), "--add-to", str(GUEST / "initramfs.cpio"), *arguments]) == 0
    parsed = qemu.parse([*map(str, options), "--harts", str(harts), "--script", str(folder / "script")])
    cpu = qemu.CPU_WITH_FPU if parsed.fpu else qemu.CPU
    return [
        *qemu.command(parsed, initramfs, device_tree(folder, harts, node, ranks, reserved, cpu, at)),
        *("-device", f"loader,file={folder / 'registers'},addr={at:#x},force-raw=on"),
    ]


def run(*arguments, **options):
    """What a guest of that `command` prints, and the script's exit code (None if it did not come so far)."""
    words = command(*arguments, **options)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    text = done.stdout.decode(errors="replace").replace("\r", "")
    exit_code = re.search(r"^weir: exit (\d+)$", text, re.MULTILINE)
    return text, int(exit_code[1]) if exit_code else None
