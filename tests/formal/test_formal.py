# SPDX-License-Identifier: Apache-2.0
"""Every proof holds, speaks of something, and is broken by every fault that it should find."""

import prove
import pytest
from proofs import PROOFS


@pytest.mark.parametrize("name", PROOFS)
def test_proof(name):
    verdict, log = prove.proved(name)
    assert verdict == "PASS", "\n".join(line for line in log.splitlines() if "failed" in line or "trace:" in line)


@pytest.mark.parametrize(("name", "cover"), [(name, cover) for name, proof in PROOFS.items() for cover in proof.covers])
def test_reaches(name, cover):
    reached, log = prove.reached(name)
    assert cover in reached, log[-2000:]


@pytest.mark.parametrize(("name", "fault"), [(name, fault) for name, proof in PROOFS.items() for fault in proof.faults])
def test_finds_fault(name, fault):
    reached, log = prove.reached(name)
    assert f"fault_{fault}" in reached, log[-2000:]
