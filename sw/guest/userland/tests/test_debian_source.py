# SPDX-License-Identifier: Apache-2.0
"""setup/debian_source.sh where it needs no network: what it refuses, and what it leaves when it fails."""

import os
import subprocess
from pathlib import Path

import pytest

FETCH = Path(__file__).resolve().parents[4] / "setup" / "debian_source.sh"


def fetch(*arguments, **environment):
    return subprocess.run(
        [FETCH, *arguments], capture_output=True, text=True, env={**os.environ, "LANG": "C", **environment}
    )


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "usage: "),
        (["musl", "trixie"], "usage: "),
        (["--downstream", "musl", "trixie", "x"], "usage: "),
        (["no_such", "trixie", "x"], 'PACKAGE "no_such"'),
        (["../musl", "trixie", "x"], 'PACKAGE "../musl"'),
        (["musl", "Trixie", "x"], 'RELEASE "Trixie"'),
        (["musl", "trixie main", "x"], 'RELEASE "trixie main"'),
    ],
)
def test_bad_arguments_are_refused(tmp_path, arguments, named):
    arguments = [str(tmp_path / "x") if argument == "x" else argument for argument in arguments]
    done = fetch(*arguments)
    assert done.returncode == 2
    assert named in done.stderr
    assert not [*tmp_path.iterdir()]


def test_a_destination_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "kept").write_text("kept")
    done = fetch("musl", "trixie", str(tmp_path))
    assert done.returncode == 2
    assert f'DESTINATION "{tmp_path}" is there already' in done.stderr
    assert (tmp_path / "kept").read_text() == "kept"


def test_without_a_network_it_says_so_and_leaves_nothing(tmp_path):
    nowhere = "http://127.0.0.1:9"  # the port `discard`, where nothing answers
    configuration = tmp_path / "apt.conf"  # of the machine: apt is to try once
    configuration.write_text('Acquire::Retries "0";\n')
    target = tmp_path / "target"
    done = fetch(
        *("musl", "trixie", str(target / "musl")),
        http_proxy=nowhere,
        https_proxy=nowhere,
        APT_CONFIG=str(configuration),
    )
    assert done.returncode == 1
    assert "connect" in done.stderr
    assert "the list of Debian trixie's packages cannot be fetched" in done.stderr
    assert not [*target.iterdir()]
