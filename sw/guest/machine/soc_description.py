# SPDX-License-Identifier: Apache-2.0
"""What LiteX says about a SoC in csr.json, as far as its Linux guest needs it."""

import json
from dataclasses import dataclass

CSR_BITS = 32


class DescriptionError(Exception):
    """A description that cannot be read, or of a SoC that the guest does not run on; says which value of which file."""


@dataclass(frozen=True)
class Region:
    """A range of physical addresses: `base` and `size` in bytes."""

    base: int
    size: int


@dataclass(frozen=True)
class SocDescription:
    """A SoC with Rocket harts.

    `clock_hz` is that of the harts. `uart_interrupt` and `csr` (physical address of each CSR by its name) are LiteX's.
    `memory_controller` holds Weir's registers, `memory_interrupt` is its interrupt at LiteX; None when the SoC has
    another memory controller, or that no interrupt. `ranks` are the ranges of addresses that the ranks of its memory
    are; where addresses go through ranks in turn there is one, `main_ram`. `nvm`, at the end of main_ram, is emulated
    non-volatile memory, whole ranks; None where there is none.
    """

    harts: int
    clock_hz: int
    uart: int
    uart_interrupt: int
    main_ram: Region
    ranks: tuple[Region, ...]
    nvm: Region | None
    clint: Region
    plic: Region
    memory_controller: Region | None
    memory_interrupt: int | None
    csr: dict


def load(path):
    """The SocDescription of the csr.json at `path`; raises DescriptionError."""
    try:
        description = json.loads(path.read_text())
    except OSError as error:
        raise DescriptionError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise DescriptionError(f"{path}: not JSON: {error}") from error
    try:
        return _interpret(description)
    except DescriptionError as error:
        raise DescriptionError(f"{path}: {error}") from error


def _interpret(description):
    def number(*keys):
        value = description
        for key in keys:
            if not isinstance(value, dict) or key not in value:
                raise DescriptionError(f"{'.'.join(keys)} is missing")
            value = value[key]
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise DescriptionError(f"{'.'.join(keys)} is {value!r}, not a number from 0 on")
        return value

    def region(name):
        return Region(number("memories", name, "base"), number("memories", name, "size"))

    def table(name):
        value = description.get(name, {}) if isinstance(description, dict) else {}
        return value if isinstance(value, dict) else {}

    if "config_cpu_type_rocket" not in table("constants"):
        raise DescriptionError("constants.config_cpu_type_rocket is missing: the harts are not Rocket's")
    bits = number("constants", "config_csr_data_width")
    if bits != CSR_BITS:
        raise DescriptionError(f"constants.config_csr_data_width is {bits}; Linux's drivers need {CSR_BITS}")
    harts = number("constants", "config_cpu_count")
    if harts not in (1, 2, 4):
        raise DescriptionError(f"constants.config_cpu_count is {harts}; the guest runs on 1, 2 or 4 harts")
    main_ram = region("main_ram")
    rank_bytes = main_ram.size
    if "weir_rank_bytes" in table("constants"):
        rank_bytes = number("constants", "weir_rank_bytes")
        if not rank_bytes or main_ram.size % rank_bytes:
            raise DescriptionError(
                f"constants.weir_rank_bytes is {rank_bytes:#x}; main_ram, {main_ram.size:#x} bytes, must be whole ranks"
            )
    nvm = None
    if "weir_nvm_bytes" in table("constants"):
        nvm_bytes = number("constants", "weir_nvm_bytes")
        if not 0 < nvm_bytes < main_ram.size or nvm_bytes % rank_bytes:
            raise DescriptionError(
                f"constants.weir_nvm_bytes is {nvm_bytes:#x}; it must be whole ranks of {rank_bytes:#x} bytes, and not "
                f"all of main_ram, {main_ram.size:#x} bytes"
            )
        nvm = Region(main_ram.base + main_ram.size - nvm_bytes, nvm_bytes)
    has_weir = "weir" in table("memories")
    has_interrupt = has_weir and "sdram_interrupt" in table("constants")
    return SocDescription(
        harts=harts,
        clock_hz=number("constants", "config_clock_frequency"),
        uart=number("csr_bases", "uart"),
        uart_interrupt=number("constants", "uart_interrupt"),
        main_ram=main_ram,
        ranks=tuple(Region(main_ram.base + at, rank_bytes) for at in range(0, main_ram.size, rank_bytes)),
        nvm=nvm,
        clint=region("clint"),
        plic=region("plic"),
        memory_controller=region("weir") if has_weir else None,
        memory_interrupt=number("constants", "sdram_interrupt") if has_interrupt else None,
        csr={name: number("csr_registers", name, "addr") for name in table("csr_registers")},
    )
