# SPDX-License-Identifier: Apache-2.0
"""Modules of the room are found by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
