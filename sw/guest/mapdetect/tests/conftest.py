# SPDX-License-Identifier: Apache-2.0
"""Where the tests find their parts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
