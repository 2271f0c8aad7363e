# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / room) for room in ("emulator", "selftests", "userland")]
