# SPDX-License-Identifier: Apache-2.0
"""What may be set, as the tests take it from the register map, on a map of their own."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from testbench.policies import Policies, Relation

RDL = """
property weir_minimum { type = longint unsigned; component = field; };
property weir_maximum { type = longint unsigned; component = field; };
property weir_relations { type = string[]; component = addrmap; };
addrmap weir {
    weir_relations = '{ "marks.low + 1 <= marks.high", "scale.factor (2 tA.value + tB.value + 3) <= tC.value" };
    reg { field { sw = rw; weir_minimum = 3; weir_maximum = 255; } value[7:0] = 5; } tA @ 0x040;
    reg { field { sw = rw; weir_minimum = 4; weir_maximum = 255; } value[7:0] = 4; } tB @ 0x044;
    reg { field { sw = rw; weir_minimum = 50; weir_maximum = 200; } value[7:0] = 200; } tC @ 0x048;
    reg {
        field { sw = rw; weir_minimum = 1; weir_maximum = 8; } high[3:0] = 6;
        field { sw = rw; weir_minimum = 0; weir_maximum = 7; } low[18:16] = 2;
    } marks @ 0x0c0;
    reg {
        enum kind_e { open = 2'd0; closed = 2'd1; adaptive = 2'd2; };
        field { sw = rw; weir_minimum = 0; weir_maximum = 2; encode = kind_e; } kind[1:0] = 1;
        field { sw = r; } kept[4:4] = 0;
    } rows @ 0x0c4;
    reg { field { sw = rw; weir_minimum = 1; weir_maximum = 64; } factor[6:0] = 1; } scale @ 0x0c8;
    reg { field { sw = rw; weir_minimum = 0; weir_maximum = 7; } mask[2:0] = 1; } mask_bank0_low @ 0x190;
    reg { field { sw = r; } value[31:0] = 1; } identity @ 0x200;
};
"""


@pytest.fixture
def policies(tmp_path: Path) -> Policies:
    path = tmp_path / "Weir.rdl"
    path.write_text(RDL)
    return Policies.load(path)


def test_fields_that_may_be_set(policies):
    names = ["tA.value", "tB.value", "tC.value", "marks.high", "marks.low", "rows.kind", "scale.factor"]
    assert list(policies.fields) == names
    assert [name for name, field in policies.fields.items() if field.timing] == names[:3]
    assert policies.resets["marks.high"] == 6


def test_values(policies):
    assert policies.values("rows.kind") == [1, 0, 2]
    assert policies.values("marks.high") == [6, 1, 2, 5, 8]
    # 200 hold 15 times 2 * 3 + 4 + 3
    assert policies.values("scale.factor") == [1, 2, 7, 15]


def test_fields_of_a_sum_share_what_its_bound_leaves(policies):
    # at the least bound 50 - 3 - 2 * 5 - 4 are left for three parts
    assert max(policies.values("tA.value")) == 5 + 11
    assert max(policies.values("tB.value")) == 4 + 11
    assert policies.possible({"tA.value": 5 + 11, "tB.value": 4 + 11, "tC.value": 50, "scale.factor": 1})


def test_relations():
    plain = Relation.parse("marks.low + 1 <= marks.high")
    assert plain.slack({"marks.low": 2, "marks.high": 6}) == 3
    scaled = Relation.parse("scale.factor (2 tA.value + tB.value + 3) <= tC.value")
    assert scaled.fields == {"scale.factor", "tA.value", "tB.value", "tC.value"}
    assert scaled.slack({"scale.factor": 4, "tA.value": 5, "tB.value": 4, "tC.value": 50}) == 50 - 4 * 17
    somewhere = Relation.parse("4 tA.value + tB.value <= tC.value where rows.kind = 2")
    assert somewhere.fields == {"tA.value", "tB.value", "tC.value", "rows.kind"}
    assert somewhere.where == (("rows.kind", 2),)
    broken = {"tA.value": 12, "tB.value": 4, "tC.value": 50}
    assert not somewhere.holds(broken | {"rows.kind": 2})
    assert somewhere.holds(broken | {"rows.kind": 1})
    assert somewhere.holds(broken | {"tB.value": 2, "rows.kind": 2})


def test_relations_of_which_a_part_is_multiplied():
    text = "tA.value + 7 + scale.factor (2 tB.value + tD.value) + 1 <= tC.value where scale.slow = 0 and rows.kind = 2"
    relation = Relation.parse(text)
    timings = {"tA.value", "tB.value", "tC.value", "tD.value"}
    assert relation.fields == timings | {"scale.factor", "scale.slow", "rows.kind"}
    values = {"tA.value": 5, "tB.value": 4, "tD.value": 10, "tC.value": 67, "scale.factor": 3}
    assert relation.slack(values) == 67 - (5 + 7 + 1) - 3 * 18
    broken = values | {"tC.value": 66}
    for slow, kind in ((0, 1), (1, 2), (1, 1)):
        assert relation.holds(broken | {"scale.slow": slow, "rows.kind": kind})
    assert not relation.holds(broken | {"scale.slow": 0, "rows.kind": 2})
    assert relation.holds(values | {"scale.slow": 0, "rows.kind": 2})


def test_a_factor_goes_as_far_as_where_it_is_bound(policies):
    """Where a part must hold only for some kind of rows, the factor is one that it can have there."""
    policies.relations = [Relation.parse("tA.value + scale.factor (tB.value) <= tC.value where rows.kind = 2")]
    assert policies.values("scale.factor")[-1] == (200 - 3) // 4
    assert policies.possible({"scale.factor": 50})
    assert not policies.possible({"scale.factor": 50, "rows.kind": 2})


def test_what_can_stand_together(policies):
    assert policies.possible({"marks.high": 3, "marks.low": 2})
    assert not policies.possible({"marks.high": 3, "marks.low": 3})
    assert not policies.possible({"scale.factor": 64})
    assert not policies.possible({"scale.factor": 10, "tC.value": 120})


@pytest.mark.parametrize("seed", range(20))
def test_every_step_keeps_the_relations(policies, seed):
    random = Random(seed)
    values = policies.resets
    for _ in range(5):
        to = values | {"scale.factor": random.choice((1, 2, 4)), "tC.value": random.choice((70, 200))}
        to |= {"marks.high": random.choice((4, 8)), "marks.low": random.choice((0, 3)), "tA.value": 5, "tB.value": 4}
        now = dict(values)
        for register, word in policies.steps(values, to, random):
            for name, field in policies.fields.items():
                if field.register == register:
                    now[name] = word >> field.low & (1 << field.width) - 1
            assert policies.possible(now)
        assert now == to
        values = to


def test_what_is_refused(policies):
    values = policies.resets | {"marks.high": 3}
    found = set(islice(policies.refused(values, Random(1)), 2000))
    assert {register for register, _ in found} == {"tA", "tB", "tC", "marks", "rows", "scale"}
    assert ("rows", 3) in found and ("rows", 1 << 31 | 1) in found
    assert ("rows", 1 << 4 | 1) not in found  # a field that is read only
    assert ("marks", 1 | 2 << 16) in found
    assert ("scale", 64) in found and ("scale", 0) in found
    for register, word in found:
        fields = {name: field for name, field in policies.fields.items() if field.register == register}
        taken = {name: word >> field.low & (1 << field.width) - 1 for name, field in fields.items()}
        inside = all(fields[name].minimum <= value <= fields[name].maximum for name, value in taken.items())
        used = policies.word(register, {name: (1 << field.width) - 1 for name, field in fields.items()})
        gap = word & ~(used | (register == "rows") << 4)
        assert gap or not inside or not policies.possible(values | taken), f"{register} = {word:#x}"


def test_values_without_a_name_are_refused(policies):
    names = (("open", 0), ("adaptive", 3))
    policies.fields["rows.kind"] = replace(policies.fields["rows.kind"], maximum=3, names=names)
    assert policies.values("rows.kind") == [1, 0, 3]
    refused = islice(policies.refused(policies.resets, Random(1)), 2000)
    found = {word for register, word in refused if register == "rows"}
    assert {1, 2} <= found
    assert not {0, 3} & found
