# SPDX-License-Identifier: Apache-2.0
"""Where the tests find the guest. `make build` has made it."""

import sys
from pathlib import Path

USERLAND = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(USERLAND))
