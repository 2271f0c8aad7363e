# SPDX-License-Identifier: Apache-2.0
"""machines.yaml and policies.yaml: what is refused, and that each of their names can be run."""

import choices
import counters
import experiment
import pytest
import registers
import tables

RDL = experiment.BUILD / "hw" / "lab-rank-assignment-32gb" / "Weir.rdl"

MACHINE = """
one:
  config: lab-rank-assignment-32gb
  system: rank-assignment
  fields: {caches.llc.kibibytes: 8192}
  registers: {row_policy: 0}
"""


def test_all_registers_of_machines_and_policies_are_there():
    for machine in choices.machines().values():
        for policy in choices.policies().values():
            assert experiment.register_words(RDL, machine, policy)


def test_a_field_that_is_named_twice_is_refused():
    with pytest.raises(ValueError, match=f"^{RDL}: row_policy.value is named twice$"):
        registers.words(RDL, {"row_policy": 0, "row_policy.value": 1})


def test_a_machine_has_its_own_fields(tmp_path):
    path = tmp_path / "machines.yaml"
    path.write_text(MACHINE)
    system = experiment.system(choices.machines(path)["one"], 4)
    assert system["cores"]["count"] == 4
    assert system["caches"]["llc"] == {"kibibytes": 8192, "ways": 8, "cycles": 10, "mshrs": 128}
    assert system["memory"]["base"] == 0x8000_0000


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("system: rank-assignment", "system: none", "one.system: none is none of"),
        ("row_policy: 0", "row_policy: open", "one.registers.row_policy: 'open' must be a int"),
        ("row_policy: 0", "row_policy: -1", "one.registers.row_policy: -1 must be at least 0"),
        ("  config: lab-rank-assignment-32gb\n", "", "one.config: missing"),
        (
            "caches.llc.kibibytes: 8192",
            "cores.count: 4",
            "one.fields.cores.count: must not be given: cores.count is as",
        ),
        ("caches.llc.kibibytes: 8192", "memory.base: 0", "one.fields.memory.base: must not be given: memory.base is"),
        ("caches.llc.kibibytes: 8192", "cores: {count: 4}", "one.fields.cores: must not be given: cores.count is as"),
        (
            "caches.llc.kibibytes: 8192",
            "caches.llc.kibibytes: 8192, caches.llc: {ways: 4}",
            "one.fields.caches.llc: has caches.llc.kibibytes in it, which is given too",
        ),
    ],
)
def test_what_is_wrong_is_told(tmp_path, good, bad, message):
    assert good in MACHINE
    path = tmp_path / "machines.yaml"
    path.write_text(MACHINE.replace(good, bad))
    with pytest.raises(tables.TableError, match=f"^{path}: {message}"):
        choices.machines(path)


@pytest.mark.parametrize(
    ("given", "line", "field"), [("caches.llc.kibibytes", 5, "fields"), ("row_policy", 6, "registers")]
)
def test_a_number_as_a_name_is_refused(tmp_path, given, line, field):
    path = tmp_path / "machines.yaml"
    path.write_text(MACHINE.replace(given, "5"))
    with pytest.raises(tables.TableError, match=f"^{path}:{line}: one.{field}.5: the name must be a string$"):
        choices.machines(path)


def test_a_system_with_a_field_twice_is_refused(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text("cores: {count: 1, count: 2}\n")
    machine = choices.Machine("one", "lab-rank-assignment-32gb", path, {}, {})
    with pytest.raises(tables.TableError, match=f"^{path}:1: cores.count: is there twice$"):
        experiment.system(machine, 4)


@pytest.mark.parametrize("field", ["caches.llc.mebibytes", "caches.prefetcher.degree", "cache"])
def test_a_field_that_the_system_has_not_is_refused(tmp_path, field):
    path = tmp_path / "machines.yaml"
    path.write_text(MACHINE.replace("caches.llc.kibibytes", field))
    with pytest.raises(experiment.RunError, match=f"machine one: .* has no field {field}"):
        experiment.system(choices.machines(path)["one"], 8)


def test_counters_have_their_names():
    layout = counters.layout(RDL)
    assert layout.names[:2] == ["channel[0].cycles", "channel[0].read_queue_level_sum"]
    assert layout.names.index("rank[3].reads") > layout.names.index("rank[0].reads")
    assert "read_latency[7][11].bursts" in layout.names
    assert layout.names[-1].startswith("source_rank[7][3].")


def test_counters_that_lie_together_are_asked_for_at_once():
    apart = counters.Layout(0x100, [0x1000, 0x1008, 0x2000, 0x2010, 0x2018], ["a", "b", "c", "d", "e"])
    assert apart.option == "0x100:0x1000:2,0x2000:1,0x2010:2"


def test_a_config_without_counters_is_refused(tmp_path):
    rdl = tmp_path / "Weir.rdl"
    rdl.write_text("addrmap top { reg { field { sw = rw; } value[32] = 0; } identity @ 0x0; };")
    with pytest.raises(ValueError, match=f"{rdl}: has no counters"):
        counters.layout(rdl)


def test_a_damaged_register_map_is_refused(tmp_path):
    rdl = tmp_path / "Weir.rdl"
    rdl.write_text("addrmap top {")
    with pytest.raises(ValueError, match=f"^{rdl}: is no SystemRDL: "):
        counters.layout(rdl)
