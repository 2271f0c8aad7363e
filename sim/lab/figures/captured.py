# SPDX-License-Identifier: Apache-2.0
"""What is captured (../programs), for the figures."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: F401
import workloads  # noqa: F401
