# SPDX-License-Identifier: Apache-2.0
"""The flow's modules, and what it takes of its neighbours, as boards/build.mk puts them on the path."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("boards", "boards/litex_weir", "boards/area", "sim/soc")]
