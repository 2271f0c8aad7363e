# SPDX-License-Identifier: Apache-2.0
"""Opens and remakes the simulator's snapshots, to damage the state inside them. Format: sim/soc/snapshot.cpp."""

import struct
from dataclasses import dataclass

_HEADER = "<8sIIQQQQ"
_CHUNK = 1 << 24


@dataclass
class Snapshot:
    """The state, and the build that it is of."""

    build: int
    state: bytearray


def _hash(data):
    """FNV-1a over words of eight bytes, with a shift."""
    value = 0xCBF29CE484222325 ^ len(data)
    for (word,) in struct.iter_unpack("<Q", data + bytes(-len(data) % 8)):
        value = (value ^ word) * 0x100000001B3 & (1 << 64) - 1
        value ^= value >> 29
    return value


def _decompress(block):
    """The LZ4 block format: each sequence has literals, then a match of four bytes at least."""
    out, at = bytearray(), 0

    def length(nibble):
        nonlocal at
        total = nibble
        while nibble == 15 and (byte := block[at]) is not None:
            at += 1
            total += byte
            if byte != 255:
                break
        return total

    while at < len(block):
        token = block[at]
        at += 1
        literals = length(token >> 4)
        out += block[at : at + literals]
        at += literals
        if at >= len(block):
            break
        offset = block[at] | block[at + 1] << 8
        at += 2
        match = length(token & 15) + 4
        start = len(out) - offset
        while match > 0:
            piece = out[start : start + min(match, offset)]
            out += piece
            match -= len(piece)
    return out


def _literals(data):
    """`data` as an LZ4 block without matches."""
    extra = len(data) - 15
    return bytes([0xF0]) + b"\xff" * (extra // 255) + bytes([extra % 255]) + data


def load(path):
    data = path.read_bytes()
    size = struct.calcsize(_HEADER)
    magic, version, _, build, length, packed, checksum = struct.unpack(_HEADER, data[:size])
    header = struct.pack(_HEADER, magic, version, 0, build, length, packed, 0)
    assert (magic, version, packed, checksum) == (b"WEIRSNAP", 2, len(data) - size, _hash(header + data[size:]))
    state, at = bytearray(), size
    while len(state) < length:
        (block,) = struct.unpack("<I", data[at : at + 4])
        state += _decompress(data[at + 4 : at + 4 + block])
        at += 4 + block
    return Snapshot(build, state)


def store(path, snapshot):
    packed = b""
    for at in range(0, len(snapshot.state), _CHUNK):
        block = _literals(bytes(snapshot.state[at : at + _CHUNK]))
        packed += struct.pack("<I", len(block)) + block
    path.write_bytes(seal(snapshot.build, len(snapshot.state), packed))


def seal(build, length, packed, said=None):
    """A file with the right checksum, and the length of what is packed as it is or as it is `said`."""
    numbers = (b"WEIRSNAP", 2, 0, build, length, len(packed) if said is None else said)
    checksum = _hash(struct.pack(_HEADER, *numbers, 0) + packed)
    return struct.pack(_HEADER, *numbers, checksum) + packed
