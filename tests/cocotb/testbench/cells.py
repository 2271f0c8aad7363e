# SPDX-License-Identifier: Apache-2.0
"""What the DRAM's cells hold, by the back door: no access of the controller, nothing that it has not written yet."""

import ctypes

from testbench.config import Config


class Cells:
    """Reads the DRAM model of the only channel, which lies in this process."""

    def __init__(self, config: Config):
        assert config.channels == 1
        self.config = config
        self._read = ctypes.CDLL(None).weir_dram_cells
        self._read.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint64)
        self._read.restype = None

    def read(self, address: int, length: int) -> bytes:
        """Bytes from a bus address on."""
        config = self.config
        data = bytearray()
        while length > 0:
            place = config.place(address)
            inside = (address - config.base) % config.row_bytes
            count = min(length, config.row_bytes - inside)
            buffer = ctypes.create_string_buffer(count)
            # the model's channel address is row, rank, bank, column
            row = (place.row * config.ranks + place.rank) * config.banks + place.bank
            self._read(b"dram", row * config.row_bytes + inside, buffer, count)
            data += buffer.raw
            address += count
            length -= count
        return bytes(data)
