# SPDX-License-Identifier: Apache-2.0
"""The bounds of the soak where part of memory is NVM: for how long a rank may go on with one class of accesses."""

import json
from pathlib import Path

import pytest
from benches import Turns, turns_of

ROOT = Path(__file__).resolve().parents[3]

# Cycles from the papers' tables by hand, each rounded up to controller cycles and one more for the choice. A write and
# the next row: tRCD, the write, tRP; a read and the next row: tRAS, tRP.
EXPECTED = {
    # 5 ns: 55.5, 171 and 150 ns, 64 writes; 79.5 and 150 ns, 32 reads
    "test-migration": Turns(64 * (13 + 36 + 31), 32 * (17 + 31)),
    # 10 ns: 13.75, 45 (CWL 5 and a burst) + 125 and 13.75 ns, 8 writes; 56.25 and 13.75 ns, 8 reads
    "test-migration-x16": Turns(8 * (3 + 18 + 3), 8 * (7 + 3)),
    # no NVM
    "soc-64": Turns(0, 0),
}


@pytest.mark.parametrize("config", EXPECTED)
def test_turns_follow_from_the_medium(config):
    assert turns_of(json.loads((ROOT / f"build/hw/{config}/Weir.json").read_text())) == EXPECTED[config]
