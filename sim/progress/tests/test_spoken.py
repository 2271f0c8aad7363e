# SPDX-License-Identifier: Apache-2.0
"""What is said of runs where there is no terminal, and that bars alone are drawn where there is one."""

import io
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console

sys.path.append(str(Path(__file__).resolve().parents[1]))
from spoken import SpokenProgress


class Log(io.StringIO):
    """What is written, and whether something has been."""

    def __init__(self):
        super().__init__()
        self.written = threading.Event()

    def write(self, text):
        super().write(text)
        if text.strip():
            self.written.set()
        return len(text)


@pytest.mark.parametrize(
    ("total", "said"), [(34, "   .. palloc: 12 of 34 M cycles, 0:"), (None, "   .. palloc: 12 M cycles, 0:")]
)
def test_a_task_under_way_is_told_in_a_log(total, said):
    log = Log()
    with SpokenProgress(console=Console(file=log), unit="M cycles", every=0.01) as progress:
        ended = progress.add_task("over", total=1)
        progress.advance(ended)
        progress.update(progress.add_task("palloc", total=total), completed=12)
        log.written.clear()
        assert log.written.wait(30)
    assert said in log.getvalue()
    assert "over" not in log.getvalue()


def test_nothing_is_said_after_the_end_or_on_a_terminal():
    log = Log()
    with SpokenProgress(console=Console(file=log, force_terminal=True), unit="runs", every=0.001) as progress:
        progress.add_task("palloc", total=2)
    assert "   .. " not in log.getvalue()
