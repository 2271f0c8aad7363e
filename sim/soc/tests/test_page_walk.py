# SPDX-License-Identifier: Apache-2.0
"""That Rocket's page walker lets an access go first whose line has come (litex_weir.rocket_walker)."""

from conftest import ONE_HART


def test_an_access_before_the_tlbs_end_gets_done():
    run = ONE_HART.boot("page_walk", "--hang-limit", 100_000)
    assert run.code == 0, run.console + run.messages
    assert "1023 of 1023 loads" in run.console
