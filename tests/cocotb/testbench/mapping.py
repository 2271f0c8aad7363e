# SPDX-License-Identifier: Apache-2.0
"""The registers of the address map: masks of the programmable one, and those of the map in force."""

from collections.abc import Iterator

from cocotbext.axi.constants import AxiResp

from testbench.maps import Place, chosen_bits, sums


def _halves(tb, part: str, number: int) -> Iterator[tuple[str, int]]:
    """Registers of a mask of the programmable map, with the lowest address bit of each."""
    for half, low in (("low", 0), ("high", 32)):
        name = f"mask_{part}{number}_{half}"
        if name in tb.registers.nodes:
            yield name, low


def random_masks(tb, one_to_one: bool = True) -> list[int]:
    """Masks by chance over the byte offsets of lines; all that depend on each other do so in another way."""
    count = len(chosen_bits(tb.config))
    line, top = tb.config.line_bytes.bit_length() - 1, tb.config.memory_bytes.bit_length() - 1
    while True:
        masks = [tb.random.getrandbits(top - line) << line for _ in range(count)]
        if not one_to_one:
            victim = tb.random.randrange(count)
            others = masks[:victim] + masks[victim + 1 :]
            masks[victim] = tb.random.choice([0, *sums(others)])
        if (0 not in sums(masks)) == one_to_one:
            return masks


async def write_masks(tb, masks: list[int]) -> None:
    """Sets the masks of the programmable map, which is not in force by that."""
    for (part, number), mask in zip(chosen_bits(tb.config), masks, strict=True):
        for name, low in _halves(tb, part, number):
            await tb.registers.write(name, mask >> low & 0xFFFFFFFF)


async def read_masks(tb) -> list[int]:
    """The masks of the programmable map."""
    masks = []
    for part, number in chosen_bits(tb.config):
        masks.append(sum([await tb.registers.read(name) << low for name, low in _halves(tb, part, number)]))
    return masks


async def choose(tb, map: int) -> AxiResp:
    """Asks for a map by its number."""
    return await tb.registers.try_write("address_map", map)


async def in_force(tb) -> dict[str, list[int]]:
    """Masks over byte offsets of the map in force, of each bit of each part."""
    found: dict[str, list[int]] = {}
    for name in tb.registers.nodes:
        if name.startswith("map_") and name.endswith("mask_low"):
            part, _, rest = name.removeprefix("map_").partition("[")
            low = await tb.registers.read(name)
            high = await tb.registers.read(name.replace("mask_low", "mask_high"))
            assert int(rest.partition("]")[0]) == len(found.setdefault(part, []))
            found[part].append(low | high << 32)
    return found


def place_by(tb, masks: dict[str, list[int]], offset: int) -> Place:
    """Where the masks of a map in force say that the byte at an offset lies."""
    value = {
        part: sum((mask & offset).bit_count() % 2 << number for number, mask in enumerate(bits))
        for part, bits in masks.items()
    }
    bank = tb.config.bank(value.get("bank_group", 0), value.get("bank", 0))
    beats = tb.config.burst_length
    return Place(value.get("channel", 0), value.get("rank", 0), bank, value["row"], value["column"] // beats * beats)
