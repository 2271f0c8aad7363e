# SPDX-License-Identifier: Apache-2.0
"""A csr.json as LiteX writes it, cut down to what the guest needs; addresses differ from those of the real SoCs."""

import copy

FINISHER, FREEZE, SCRIPT, UART = 0x1200_1000, 0x1200_1804, 0x1200_1808, 0x1200_3000

WEIR_2 = {
    "csr_bases": {"ctrl": 0x1200_0000, "finisher": FINISHER, "uart": UART},
    "csr_registers": {
        "ctrl_scratch": {"addr": 0x1200_0004, "size": 1, "type": "rw"},
        "finisher_exit_code": {"addr": FINISHER, "size": 1, "type": "rw"},
        "host_freeze": {"addr": FREEZE, "size": 1, "type": "rw"},
        "host_script": {"addr": SCRIPT, "size": 1, "type": "ro"},
    },
    "constants": {
        "config_cpu_type_rocket": None,
        "config_csr_data_width": 32,
        "config_cpu_count": 2,
        "config_clock_frequency": 200_000_000,
        "uart_interrupt": 2,
    },
    "memories": {
        "main_ram": {"base": 0x8000_0000, "size": 0x8000_0000, "type": "cached"},
        "clint": {"base": 0x0200_0000, "size": 0x1_0000, "type": "cached+linker"},
        "plic": {"base": 0x0C00_0000, "size": 0x40_0000, "type": "cached+linker"},
        "weir": {"base": 0x2000_0000, "size": 0x1_0000, "type": "io"},
    },
}


def changed(*changes):
    """WEIR_2 with each entry at a dotted path set to a value, path and value in turn; None takes it out."""
    description = copy.deepcopy(WEIR_2)
    for path, value in zip(changes[::2], changes[1::2], strict=True):
        *folders, name = path.split(".")
        where = description
        for folder in folders:
            where = where[folder]
        if value is None:
            del where[name]
        else:
            where[name] = value
    return description


HYBRID = changed(
    *("constants.weir_rank_bytes", 512 << 20, "constants.weir_nvm_bytes", 1 << 30, "constants.sdram_interrupt", 5)
)
"""Four ranks, the upper two of which are NVM."""
