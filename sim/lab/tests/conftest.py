# SPDX-License-Identifier: Apache-2.0
"""Small systems and small traces."""

import random

import pytest
import yaml
from lab_program import LINE, PAPER


@pytest.fixture
def system(tmp_path):
    """Function that writes the paper's system with other fields, named with dots, and gives its path."""

    def write(**changes):
        fields = yaml.safe_load(PAPER.read_text())
        for name, value in changes.items():
            *path, last = name.split("__")
            place = fields
            for word in path:
                place = place[word]
            if value is None:
                del place[last]
            else:
                place[last] = value
        path = tmp_path / "system.yaml"
        path.write_text(yaml.safe_dump(fields))
        return path

    return write


@pytest.fixture(scope="session")
def updates(tmp_path_factory):
    """A trace of random updates: a load and a store of the same line, as SimpleO3 has them."""
    draw = random.Random(1)
    lines = [draw.randrange(1 << 24) * LINE for _ in range(20_000)]
    path = tmp_path_factory.mktemp("traces") / "updates"
    path.write_text("".join(f"20 {line} {line}\n" for line in lines))
    return path
