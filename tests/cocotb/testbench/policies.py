# SPDX-License-Identifier: Apache-2.0
"""What software may set, as a config's SystemRDL has it: fields, their limits, and what must hold between them.

The masks of the programmable address map are left out: of them most combinations are not a map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode

TIMINGS = range(0x040, 0x0C0)  # offsets of their registers


@dataclass(frozen=True)
class Field:
    """A field that software may set; `names` are those of its values where it is an enumeration, `timing` says that it
    is one of the DRAM's timings."""

    register: str
    name: str
    timing: bool
    low: int
    width: int
    reset: int
    minimum: int
    maximum: int
    names: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Sum:
    """Fields times their factors, and a constant; all of it times the field `times`, if there is one."""

    terms: tuple[tuple[str, int], ...]
    constant: int
    times: str | None

    @classmethod
    def of(cls, words: list[str], times: str | None = None) -> Sum:
        terms, constant = [], 0
        for word in words:
            factor, field = re.fullmatch(r"(\d*) ?(\w+\.\w+)?", word).groups()
            if field:
                terms.append((field, int(factor or 1)))
            else:
                constant += int(factor)
        return cls(tuple(terms), constant, times)

    def value(self, values: dict[str, int]) -> int:
        added = self.constant + sum(factor * values[field] for field, factor in self.terms)
        return added * (values[self.times] if self.times else 1)


@dataclass(frozen=True)
class Relation:
    """Sums that add up to no more than the field `bound`. A sum is of fields times their factors and a constant, and is
    multiplied by a field if it names one. With `where` it must hold only while each of these fields has its value."""

    sums: tuple[Sum, ...]
    bound: str
    where: tuple[tuple[str, int], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Relation:
        """Of a text as in `tRFC.value + 2 tRC.value + 1 <= tREFI.value`; `time_scale.factor (...)` may stand among its
        terms or for all of them, and `where refresh_granularity.value = 1 and ...` behind."""
        added, bound, conditions = re.fullmatch(r"(.*) <= (\S+)(?: where (.*))?", text).groups()
        where = [re.fullmatch(r"(\S+) = (\d+)", each).groups() for each in (conditions or "").split(" and ") if each]
        multiplied = re.findall(r"(\S+) \(([^()]*)\)", added)
        plain = [each for each in re.sub(r"\S+ \([^()]*\)", "", added).split(" + ") if each]
        sums = [Sum.of(inner.split(" + "), times) for times, inner in multiplied]
        if plain:
            sums.insert(0, Sum.of(plain))
        return cls(tuple(sums), bound, tuple((field, int(value)) for field, value in where))

    @property
    def fields(self) -> set[str]:
        added = {field for each in self.sums for field in (*dict(each.terms), each.times) if field}
        return {self.bound, *added, *dict(self.where)}

    def slack(self, values: dict[str, int]) -> int:
        """What is left below the bound; negative where the relation is broken, where it must hold."""
        return values[self.bound] - sum(each.value(values) for each in self.sums)

    def elsewhere(self, values: dict[str, int]) -> bool:
        """Whether a field is not known to have the value at which the relation must hold."""
        return any(values.get(field) != value for field, value in self.where)

    def holds(self, values: dict[str, int]) -> bool:
        """Whether it holds, or need not."""
        return self.elsewhere(values) or self.slack(values) >= 0


class Policies:
    """The fields that software may set, by `register.field`; a combination of them is a dict by the same names."""

    def __init__(self, top: AddrmapNode):
        self.fields = {
            f"{node.inst_name}.{field.inst_name}": Field(
                node.inst_name,
                field.inst_name,
                node.address_offset in TIMINGS,
                field.low,
                field.width,
                field.get_property("reset"),
                field.get_property("weir_minimum"),
                field.get_property("weir_maximum"),
                tuple((each.name, each.value) for each in field.get_property("encode") or ()),
            )
            for node in top.registers()
            if not node.inst_name.startswith("mask_")
            for field in node.fields()
            if field.get_property("weir_minimum") is not None
        }
        self._used = {
            node.inst_name: sum((1 << field.width) - 1 << field.low for field in node.fields())
            for node in top.registers()
        }
        relations = [Relation.parse(text) for text in top.get_property("weir_relations")]
        # those of fields that are constant in a config hold by themselves
        self.relations = [each for each in relations if each.fields <= self.fields.keys()]

    @classmethod
    def load(cls, rdl: Path) -> Policies:
        compiler = RDLCompiler()
        compiler.compile_file(str(rdl))
        return cls(compiler.elaborate().top)

    @property
    def resets(self) -> dict[str, int]:
        return {name: field.reset for name, field in self.fields.items()}

    def registers(self) -> list[str]:
        return list(dict.fromkeys(field.register for field in self.fields.values()))

    def values(self, name: str) -> list[int]:
        """Values to try, the reset value first: of an enumeration all, of a range its ends, a small and an odd one."""
        field = self.fields[name]
        if field.names:
            named = [value for _, value in field.names if field.minimum <= value <= field.maximum]
            return list(dict.fromkeys((field.reset, *named)))
        limits = self._limits(name)
        top = max(limits) if limits else self._share(name)
        odd = field.minimum + 3 * (top - field.minimum) // 7 | 1
        picked = (field.reset, field.minimum, min(field.minimum + 1, top), min(odd, top), top, *limits)
        return list(dict.fromkeys(picked))

    def _limits(self, name: str) -> list[int]:
        """Of a field that multiplies terms of relations: how far each of these, where it must hold, lets it go with the
        other fields at their best."""
        field = self.fields[name]
        return [
            max(each for each in range(field.minimum, field.maximum + 1) if self.possible(there | {name: each}))
            for there in (dict(each.where) for each in self.relations if name in (sum.times for sum in each.sums))
        ]

    def _share(self, name: str) -> int:
        """The greatest value to try. Fields of a sum share what the least value of its bound leaves, so that the sum
        holds whatever is combined."""
        field = self.fields[name]
        top = field.maximum
        for relation in self.relations:
            factors = dict(term for each in relation.sums for term in each.terms)
            if name in factors and len(factors) > 1 and not relation.where:
                left = relation.slack(self.resets | {relation.bound: self.fields[relation.bound].minimum})
                top = min(top, field.reset + max(0, left) // sum(factors.values()))
        return top

    def possible(self, part: dict[str, int]) -> bool:
        """Whether values of some fields can stand together: the others are taken at their best."""
        for relation in self.relations:
            # elsewhere than there it holds, and a field that is not given may have another value
            if relation.elsewhere(part):
                continue
            best = {field: self.fields[field].minimum for field in relation.fields}
            best[relation.bound] = self.fields[relation.bound].maximum
            if relation.slack(best | {name: value for name, value in part.items() if name in best}) < 0:
                return False
        return True

    def word(self, register: str, values: dict[str, int]) -> int:
        """What a register holds."""
        return sum(values[name] << field.low for name, field in self.fields.items() if field.register == register)

    def changed(self, values: dict[str, int], to: dict[str, int]) -> list[str]:
        """The registers that hold other values."""
        return [each for each in self.registers() if self.word(each, values) != self.word(each, to)]

    def steps(self, values: dict[str, int], to: dict[str, int], random: Random) -> Iterator[tuple[str, int]]:
        """Writes of registers that lead from values to others: by chance, in an order in which every relation holds
        after each. Where there is none, they go by the reset values."""
        assert self.possible(to), f"{to} cannot stand together"
        now = dict(values)
        left = self.changed(now, to)
        random.shuffle(left)
        while left:
            for register in left:
                after = now | {name: to[name] for name, field in self.fields.items() if field.register == register}
                if self.possible(after):
                    break
            else:
                yield from self.steps(now, self.resets, random)
                yield from self.steps(self.resets, to, random)
                return
            left.remove(register)
            now = after
            yield register, self.word(register, now)

    def refused(self, values: dict[str, int], random: Random) -> Iterator[tuple[str, int]]:
        """Writes that must be refused while the fields have these values, register and word, by chance and without end:
        a field out of its range or breaking a relation, or a bit that is none's."""
        while True:
            name = random.choice(list(self.fields))
            field = self.fields[name]
            outside = [range(field.minimum), range(field.maximum + 1, 1 << field.width)]
            if field.names:
                named = {value for _, value in field.names}
                outside.append([each for each in range(field.minimum, field.maximum) if each not in named])
            wrong = [random.choice(side) for side in outside if side]
            wrong += [end for end in (field.minimum, field.maximum) if not self.possible(values | {name: end})]
            if wrong:
                yield field.register, self.word(field.register, values | {name: random.choice(wrong)})
            if gaps := [bit for bit in range(32) if not self._used[field.register] >> bit & 1]:
                yield field.register, self.word(field.register, values) | 1 << random.choice(gaps)
