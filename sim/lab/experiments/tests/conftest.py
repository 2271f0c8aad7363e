# SPDX-License-Identifier: Apache-2.0
"""Puts the room on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
