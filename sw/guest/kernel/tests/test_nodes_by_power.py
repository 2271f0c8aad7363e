# SPDX-License-Identifier: Apache-2.0
"""ViPZonE in a guest on QEMU with four harts, of whose memory each rank is a node: the kernel's selftest, libvip and
vip-migrate find pages by get_mempolicy, weirstat tells the energy of accesses. `make guest` builds what is run here."""

import re

import guest_cc
import policies
import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import ROOT

FOLDER = "/sys/kernel/mm/vipzone"
LIBVIP = ROOT / "sw/guest/libvip"
READ, WRITE = "weir,rank-read-power-milliwatt", "weir,rank-write-power-milliwatt"
HEADER = "node read write"


def boot(folder, script, properties, programs=None, ranks=2, parts=None):
    """Section -> what of a boot that runs `script` it has, where the controller's node has the `properties` and the
    address map is `parts`, by default that under which ranks are ranges."""
    more = " ".join(f"{name} = <{values}>;" for name, values in properties.items())
    words = registers.after_reset(registers.read(), parts or machine.rank_row_bank_column(2))
    text, exit_code = machine.run(
        folder,
        f"{script}echo '== end'\n",
        registers.image(words),
        machine.controller(more=more),
        harts=4,
        ranks=ranks,
        files=programs,
    )
    assert exit_code == 0, text
    return machine.sections(text)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vipzone")
    weir = registers.read()
    poke = ROOT / "sw/guest/kernel/tests/guest/poke.c"
    programs = {
        "/bin/poke": guest_cc.compiled(folder / "poke", poke),
        "/bin/hot": guest_cc.compiled(folder / "hot", LIBVIP / "tests/hot.c"),
        "/bin/lies": guest_cc.compiled(folder / "lies", LIBVIP / "tests/lies.c", LIBVIP / "vip.c"),
        **policies.compiled(folder, ("vip_test",)),
    }

    def counted(options="", **counts):
        changes = (machine.counter(weir, f"rank[{name[-1]}].{name[:-1]}", value) for name, value in counts.items())
        return f"weirstat {options} -e reads,writes -- poke {' '.join(changes)}"

    script = f"""
for file in enabled nodes threshold_percent; do echo "== $file"; cat {FOLDER}/$file; done
echo "== rank_nodes"; cat /sys/bus/platform/drivers/weir/*/geometry/rank_nodes
echo "== energy"; {counted(reads0=1000, writes0=10, reads1=3, writes1=500)}
echo "== energy fields"; {counted("-x ,", writes1=600)}
echo 0 300 0 >{FOLDER}/nodes
echo "== no power of writes"; {counted(reads0=2000)}
echo 0 300 320 >{FOLDER}/nodes
echo "== libvip off"; lies
echo 1 >{FOLDER}/enabled
echo "== libvip"; lies
echo 0 >{FOLDER}/enabled
echo "== vip-migrate"; hot 1 "vip-migrate start"; vip-migrate start 2>&1; vip-migrate show; vip-migrate stop; echo $?
echo "== vip-migrate refuses"; vip-migrate stop 2>&1; vip-migrate move 2>&1; echo $?
echo "== vip_test"; vip_test
echo "== again"; vip_test
"""
    return boot(folder, script, {READ: "300 450", WRITE: "320 280"}, programs)


def test_it_is_off_at_first(shown):
    assert (shown["enabled"], shown["threshold_percent"]) == ("0", "20")


def test_the_power_of_nodes_is_that_of_the_device_tree(shown):
    assert shown["nodes"].splitlines() == [HEADER, "0 300 320", "1 450 280"]
    assert shown["rank_nodes"] == "0 1"


def test_weirstat_tells_the_energy_of_accesses(shown):
    # bursts of four clocks of 1250 ps: 5 ns, in which 1000 reads at 300 mW take 1500 nJ, 10 writes at 320 mW 16 nJ
    lines = [line.split() for line in shown["energy"].splitlines()]
    assert ["0", "1000", "10", "1516.000"] in lines
    assert ["1", "3", "500", "706.750"] in lines
    assert ["all", "2222.750"] in lines
    assert shown["energy fields"].splitlines()[-2:] == ["energy_nj,,0,0.000", "energy_nj,,1,140.000"]
    assert "energy" not in shown["no power of writes"]


@pytest.mark.parametrize("run", ["vip_test", "again"])
def test_the_selftest_passes(shown, run):
    """Once more at the end, when others have left memory and kswapd as they do."""
    assert policies.wrong("vip_test", shown[run]) == [], shown[run]


def test_libvip_puts_what_is_used_much_where_it_draws_the_least(shown):
    of_reads, of_writes = "64 in node 0", "64 in node 1"
    assert shown["libvip"].splitlines() == [
        "available: 1",
        f"read: {of_reads}",
        f"write: {of_writes}",
        f"write, populated: {of_writes}",
        f"few: {of_reads}",
        f"piece: {of_writes}",
    ]
    assert shown["libvip off"].splitlines()[0] == "available: 0"


def test_what_is_used_much_moves_to_the_node_that_draws_the_least(shown):
    """And most of what is not used stays, where it is no neighbour of what is: DAMON looks at regions of some hundred
    pages at first, and moves whole regions."""
    placed, again, moved, code = shown["vip-migrate"].splitlines()
    hot, cold = map(int, re.fullmatch(r"hot=(\d+) cold=(\d+)", placed).groups())
    assert hot <= 102 and cold >= 512
    assert int(re.fullmatch(r"found=\d+ moved=(\d+)", moved)[1]) >= (1024 - hot) * 4096
    assert again.endswith("it has been started, or DAMON is used for something else") and code == "0"


def test_vip_migrate_says_what_is_wrong(shown):
    assert shown["vip-migrate refuses"].splitlines() == [
        "vip-migrate: it has not been started",
        "vip-migrate: usage: vip-migrate start | stop | show",
        "2",
    ]


# ---- what ranks draw, as the device tree says it


def power(folder, properties, **machine_of):
    """What a boot shows of the power of nodes, and what the driver says of a node with these properties."""
    script = f'echo "== power"; cat {FOLDER}/nodes; dmesg | grep power | grep weir\n'
    lines = boot(folder, script, properties, **machine_of)["power"].splitlines()
    return [re.sub(r"^<4>\[.*?\] \S+ \S+: ", "", line) for line in lines]


@pytest.mark.parametrize(
    ("properties", "said"),
    [
        ({}, []),
        ({READ: "1000 1500"}, [f"{WRITE} is not a number for each of 2 ranks: error -22"]),
        ({READ: "1 2 3", WRITE: "1 2"}, [f"{READ} is not a number for each of 2 ranks: error -22"]),
    ],
    ids=["none", "one of the two", "a rank too many"],
)
def test_power_that_is_not_that_of_each_rank_is_not_used(tmp_path, properties, said):
    assert power(tmp_path, properties) == [HEADER, "0 0 0", "1 0 0", *said]


def test_power_beyond_belief_is_not_used(tmp_path):
    said = ["power of rank 1 is not used: error -34"]
    assert power(tmp_path, {READ: "1 1000001", WRITE: "3 2"}) == [HEADER, "0 1 3", "1 0 0", *said]


def test_ranks_that_are_no_nodes_have_no_power(tmp_path):
    said = ["power of ranks is not used: they are no nodes"]
    of_machine = {"ranks": 1, "parts": registers.ROW_RANK_BANK_COLUMN}
    assert power(tmp_path, {READ: "1 2", WRITE: "1 2"}, **of_machine) == [HEADER, "0 0 0", *said]
