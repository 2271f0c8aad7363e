# SPDX-License-Identifier: Apache-2.0
"""What the cocotb tests of Weir are made of; a test needs only `test` and `Burst` and gets a `TB`."""

from testbench.burst import Burst, Fixed, Incr, Wrap
from testbench.tb import TB, test

__all__ = ["TB", "Burst", "Fixed", "Incr", "Wrap", "test"]
