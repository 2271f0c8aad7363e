# SPDX-License-Identifier: Apache-2.0
"""Rank Assignment in a guest on QEMU with four harts, of whose memory each rank is a node: the kernel's selftest finds
the pages of threads by get_mempolicy, and the counters of Weir decide which node a process gets. `make guest` builds
what is run here."""

import re

import policies
import pytest
import weir_machine as machine
import weir_registers as registers

FOLDER = "/sys/kernel/mm/rank_assignment"
LOAD = {
    "source_rank[1][0].read_delay_low": 5120,
    "source_rank[1][0].read_hits_low": 40,
    "source_rank[1][0].read_conflicts_low": 24,
    "source_rank[2][0].write_delay_low": 640,
    "source_rank[2][0].write_misses_low": 16,
}
"""Counters by which 80 accesses to rank 0 waited 5760 cycles, and none to rank 1."""
SHOW = f"""cd {FOLDER}
show() {{ grep -m1 -o 'prefer (many):[0-9,-]*' /proc/self/numa_maps; cat load; }}
for file in enabled error_percent interval_ms; do echo "== $file"; cat $file; done
echo 60000 >interval_ms; echo 1 >enabled
echo "== assigned"; (show)
echo 0 >enabled; echo 100 >interval_ms
cd /
"""


def boot(folder, script, parts, **changes):
    """What a boot prints that runs `script`, with the address map `parts`."""
    options = {"harts": 4, "ranks": 2, "files": policies.compiled(folder, ("rank_test",)), **changes}
    words = registers.after_reset(registers.read(), parts, LOAD)
    text, exit_code = machine.run(folder, script, registers.image(words), machine.controller(), **options)
    assert exit_code is not None, text
    return text


def shown(console, section):
    return machine.sections(console)[section]


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rank_assignment")
    runs = "".join(f'echo "== {name}"; rank_test; ' for name in ("first", "again"))
    return boot(folder, f'{SHOW}{runs}\necho "== end"\n', machine.rank_row_bank_column(2))


def test_it_is_off_at_first(console):
    assert [shown(console, name) for name in ("enabled", "error_percent", "interval_ms")] == ["0", "0", "100"]


def test_a_process_gets_the_node_whose_accesses_wait_the_least(console):
    lines = shown(console, "assigned").splitlines()
    assert lines[:2] == ["prefer (many):0-1", "node delay free threads"]
    node0, node1 = (line.split() for line in lines[2:])
    assert (node0[:2], node1[:2]) == (["0", "72.00"], ["1", "0.00"])
    # the shell that shows this, and those that it starts
    assert int(node1[3]) >= int(node0[3]) > 0 or int(node1[3]) > 0


@pytest.mark.parametrize("run", ["first", "again"])
def test_the_selftest_passes(console, run):
    """Once more at the end, when others have left memory and kswapd as they do."""
    assert policies.wrong("rank_test", shown(console, run)) == [], console


def test_ranks_that_are_no_nodes_are_not_measured(tmp_path):
    """Where both ranks lie in each node no counter is of one, and free pages decide."""
    console = boot(tmp_path, f'{SHOW}echo "== end"\n', registers.ROW_RANK_BANK_COLUMN)
    lines = shown(console, "assigned").splitlines()
    assert [line.split()[1] for line in lines[2:]] == ["-", "-"]


def test_one_node_is_no_choice(tmp_path):
    console = boot(tmp_path, 'echo "== one"; rank_test; echo "== end"\n', registers.ROW_RANK_BANK_COLUMN, ranks=1)
    assert re.search(r"^ok 1 enabled: \"1\" is refused$", shown(console, "one"), re.MULTILINE), console
