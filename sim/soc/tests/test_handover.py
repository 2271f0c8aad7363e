# SPDX-License-Identifier: Apache-2.0
"""A guest that takes the DFI from Weir again and again while its stores are on their way, and gives it back."""

from conftest import ONE_HART


def test_memory_is_whole_after_software_had_the_dfi():
    run = ONE_HART.boot("handover")
    assert run.code == 0, run.console + run.messages
