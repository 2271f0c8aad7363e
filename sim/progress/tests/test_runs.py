# SPDX-License-Identifier: Apache-2.0
"""Runs give what they returned, or why they failed, as they end."""

import io
import sys
import threading
from pathlib import Path

from rich.console import Console

sys.path.append(str(Path(__file__).resolve().parents[1]))
from runs import Failed, as_they_end


def test_each_run_ends_with_what_it_returned_or_why_it_failed():
    second_ended = threading.Event()

    def work(number, name):
        if number == 1:
            second_ended.wait(timeout=60)
            return name
        second_ended.set()
        raise Failed(f"{name} hangs")

    failures = []
    ended = list(as_they_end("runs", [(1, "a"), (2, "b")], work, Console(file=io.StringIO()), failures))
    assert ended == [((1, "a"), "a")]
    assert failures == ["b hangs"]
