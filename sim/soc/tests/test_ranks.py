# SPDX-License-Identifier: Apache-2.0
"""The programs that run in all ranks and in a rank each: where they read, what they refuse, and what is made of it."""

import pytest
import ranks
from conftest import FOUR_HARTS, ROOT

DESIGN = ROOT / "build" / "hw" / "soc-512"
SHORT = {"kilobytes": 128, "operations": 256}
"""A row in each bank of two ranks."""


def boot(tmp_path, script):
    path = tmp_path / "script"
    path.write_text(script)
    return FOUR_HARTS.boot("ranks", "--script", path)


@pytest.mark.parametrize(
    ("program", "placement", "shares"), [("chase", "all ranks", (0.5, 0.5)), ("updates", "own rank", (1, 0))]
)
def test_hart_0_reads_in_the_ranks_of_its_memory(tmp_path, program, placement, shares):
    case = ranks.Case(program, **SHORT, fields={"refresh_policy": 1, "age_limit": 400})
    # at the memory's full speed, which is the shortest
    script = case.script(placement, DESIGN / "Weir.rdl").replace(f" {ranks.DIVIDER} ", " 1 ", 1)
    run = boot(tmp_path, script)
    assert run.code == 0, run.console + run.messages
    row = ranks.row(run.console)
    reads = row["reads"]
    assert row["operations"] == 256 and 0.8 * 256 < sum(reads) < 1.2 * 256
    assert [count / sum(reads) for count in reads] == pytest.approx(shares, abs=0.1)
    assert 0 < sum(row["bank"]) < sum(row["delay"])


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("", "ranks: the script's updates must be 0 to 1"),
        ("0 1 48 100 1 0 ", "ranks: 48 kilobytes are not a power of two"),
        ("0 1 64 100 1 1 196 5 ", "ranks: the register at 0xc4 refuses 0x5 and has 0x64"),
    ],
)
def test_a_script_that_asks_for_what_there_is_not_is_refused(tmp_path, script, message):
    run = boot(tmp_path, script)
    assert run.code == 2 and message in run.console, run.console + run.messages


def test_every_case_has_a_script_of_numbers(tmp_path):
    for case in ranks.CASES.values():
        numbers = [int(number) for number in case.script("own rank", DESIGN / "Weir.rdl").split()]
        assert numbers[1] == 1 and len(numbers) == 6 + 2 * numbers[5]


def test_a_program_without_results_has_failed():
    assert ranks.row('=== begin ranks ===\r\n{"cycles": 7}\r\n=== end ranks ===\r\n') == {"cycles": 7}
    with pytest.raises(ranks.Failed, match="did not print"):
        ranks.row("=== begin ranks ===\n")
