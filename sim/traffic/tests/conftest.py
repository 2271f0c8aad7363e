# SPDX-License-Identifier: Apache-2.0
"""The modules under test lie beside this folder, what builds benches in sim/bench; make builds the programs."""

import sys
from pathlib import Path

ROOM = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOM), str(ROOM.parent / "bench")]
