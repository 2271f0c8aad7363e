# SPDX-License-Identifier: Apache-2.0
"""Weir's driver is told to let its controller go while an event of its counters is open and mapped, in the kernel with
debug options, which poisons what is freed: it stays. A driver that does go leaves the event behind, and is found out.
`make kunit` builds both kernels, and runs this."""

import guest_cc
import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import ROOT, after_reset

pytestmark = pytest.mark.long

DRIVER = "/sys/bus/platform/drivers/weir"
DEVICE = f"{machine.REGISTERS:x}.memory-controller"
SCRIPT = f"""follow 'echo {DEVICE} >{DRIVER}/unbind; echo "unbound: $?"; true'
ls -d {DRIVER}/{DEVICE}
"""


def boot(folder, image):
    """What the guest prints whose kernel is the file `image`, and the exit code of the script, None if it died."""
    follow = guest_cc.compiled(folder / "follow", ROOT / "sw/guest/kernel/tests/guest/follow.c")
    return machine.run(
        folder,
        SCRIPT,
        registers=registers.image(after_reset(registers.read())),
        node=machine.controller(),
        files={"/bin/follow": follow},
        options=["--image", image, "--append", "slub_debug=P page_poison=1 oops=panic loglevel=7"],
    )


def test_the_driver_stays_and_the_event_counts(tmp_path):
    console, exit_code = boot(tmp_path, machine.GUEST / "kunit" / "Image")
    assert exit_code == 0, console
    assert machine.objections(console) == [], console
    assert "unbound: 1" in console
    assert "counted 0" in console


def test_a_driver_that_goes_is_found_out(tmp_path):
    console, exit_code = boot(tmp_path, machine.GUEST / "kunit" / "broken" / "Image")
    assert "unbound: 0" in console, console
    assert exit_code is None
    assert machine.objections(console), console
