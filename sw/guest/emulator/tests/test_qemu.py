# SPDX-License-Identifier: Apache-2.0
"""The guest on QEMU: boots, scripts and their exit codes, and how runs end that do not end well."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

QEMU_PY = Path(__file__).resolve().parents[1] / "qemu.py"
ROOT = QEMU_PY.parents[3]


def run(*options, script=None, folder=None, environment=None):
    """Run qemu.py with `options` and the text `script`; gives the process with its output as text."""
    command = [sys.executable, QEMU_PY, "--timeout", "240", *options]
    if script is not None:
        (folder / "script").write_text(script)
        command += ["--script", folder / "script"]
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", env=environment, stdin=subprocess.DEVNULL
    )


def lines(done):
    return [line.rstrip("\r") for line in done.stdout.splitlines()]


@pytest.mark.parametrize("harts", [1, 2, 4])
def test_the_guest_boots_on_all_harts(tmp_path, harts):
    script = "grep -c ^processor /proc/cpuinfo\ngrep -m1 ^isa /proc/cpuinfo\n"
    done = run("--harts", str(harts), script=script, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    start = next(index for index, line in enumerate(lines(done)) if line.startswith("weir: init at cycle "))
    assert lines(done)[start + 1] == str(harts)
    assert "rv64imac" in lines(done)[start + 2]


def test_the_guest_has_what_experiments_need(tmp_path):
    script = """
set -e
grep -q cpuset /sys/fs/cgroup/cgroup.controllers
grep -q memory /sys/fs/cgroup/cgroup.controllers
test -e /proc/self/pagemap
test -c /dev/mem
test -e /proc/sys/kernel/perf_event_paranoid
test -d /sys/bus/platform
echo all there
"""
    done = run("--harts", "1", script=script, folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "all there" in lines(done)


@pytest.mark.parametrize("nodes", [1, 2, 4])
def test_pages_lie_in_all_nodes_in_turn(tmp_path, nodes):
    """Harts are on the first, and the nodes are as near as Linux lets them be."""
    script = """
set -e
cd /sys/devices/system/node
pages() { for node in node*; do set -- $(grep nr_file_pages $node/vmstat); echo pages $node $2; done; }
for node in node*; do echo $node: $(cat $node/cpulist), $(cat $node/distance); done
pages
dd if=/dev/zero of=/file bs=4096 count=1024 2>/dev/null
pages
"""
    done = run("--harts", "2", "--nodes", str(nodes), script=script, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for node in range(nodes):
        distances = " ".join("10" if other == node else "11" for other in range(nodes))
        assert f"node{node}: {'0-1' if node == 0 else ''}, {distances}" in lines(done)
    pages = re.findall(r"pages node(\d) (\d+)", done.stdout)
    assert len(pages) == 2 * nodes
    for (node, before), (same, after) in zip(pages[:nodes], pages[nodes:], strict=True):
        assert node == same
        assert int(after) - int(before) == pytest.approx(1024 / nodes, rel=0.1)


def test_memory_above_the_addresses_of_the_soc_is_there(tmp_path):
    """QEMU's begins at 2 GiB, the SoC has none from 4 GiB on."""
    done = run("--memory", "3072", script="grep MemTotal /proc/meminfo\n", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"MemTotal: +(\d+) kB", done.stdout)[1]) > 2900 << 10


def test_a_slow_clock_is_slower_for_the_kernel(tmp_path):
    for said, options in (("10MHz", ()), ("1000MHz", ("--slow-clock", "100"))):
        done = run("--harts", "2", *options, script="dmesg | grep sched_clock\n", folder=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"sched_clock: 64 bits at {said}" in done.stdout


def test_a_slow_clock_that_cannot_be_had_is_told(tmp_path):
    done = run("--slow-clock", "2", environment={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 127
    assert "qemu.py: no device tree with a slow clock or nodes: " in done.stderr
    assert "Traceback" not in done.stderr


def test_pages_of_the_initramfs_are_used_in_place(tmp_path):
    programs = ("busybox", "weirstat")
    # a file that takes pages over can be written, read and removed as any other
    script = f"""
set -e
cd /bin
md5sum {" ".join(programs)}
cp busybox /tmp/copy
printf changed 1<>/tmp/copy
printf changed 1<>weirstat
head -c 7 weirstat; echo
rm weirstat
cmp busybox /tmp/copy || echo differ
"""
    done = run("--harts", "1", script=script, folder=tmp_path)
    assert done.returncode == 0, done.stdout
    local = {"busybox": ROOT / "build/guest/busybox/busybox", "weirstat": ROOT / "build/guest/tools/weirstat"}
    for program in programs:
        assert f"{hashlib.md5(local[program].read_bytes()).hexdigest()}  {program}" in lines(done)
    assert "changed" in lines(done)
    assert "differ" in lines(done)


def test_the_exit_code_is_that_of_the_script(tmp_path):
    assert run("--harts", "1", script="exit 42\n", folder=tmp_path).returncode == 42


def test_a_panic_ends_the_run(tmp_path):
    done = run("--harts", "1", "--append", "rdinit=/none init=/none", script="exit 0\n", folder=tmp_path)
    assert done.returncode == 125
    assert "qemu.py: the guest's kernel panicked" in done.stderr


def test_a_guest_that_does_not_end_is_ended(tmp_path):
    done = run("--harts", "1", "--timeout", "0.5", script="while :; do :; done\n", folder=tmp_path)
    assert done.returncode == 124
    assert "did not end in 0.5 s" in done.stderr


@pytest.fixture
def fake(tmp_path):
    """Run qemu.py with a shell script for QEMU."""

    def fake(body, *options, script="exit 0\n"):
        program = tmp_path / "bin" / "qemu-system-riscv64"
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/bash\n" + body)
        program.chmod(0o755)
        environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
        return run(*options, script=script, folder=tmp_path, environment=environment)

    return fake


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("printf 'weir: exit 7\\r\\n'", 7, ""),
        ("printf 'weir: exit 300\\r\\n'", 255, ""),
        ("printf 'weir: '; exec printf 'exit 3\\n'", 3, ""),
        ("echo 'my weir: exit 0'", 126, "without the exit code of the script"),
        ("true", 126, "without the exit code of the script"),
        ("exit 1", 127, "QEMU ended with exit code 1"),
        ("echo '[ 1.0] Kernel panic - not syncing: Oh'; echo 'weir: exit 0'", 125, "not syncing: Oh"),
    ],
)
def test_what_the_console_says_decides(fake, body, code, said):
    done = fake(body)
    assert done.returncode == code
    assert said in done.stderr


def test_a_shell_that_is_left_is_no_error(fake):
    assert fake("true", script=None).returncode == 0


def test_harts_are_run_by_one_thread(fake):
    done = fake('echo "$@"; echo "weir: exit 0"', "--harts", "2", "--append", "a=b")
    arguments = done.stdout.split()
    assert arguments[arguments.index("-smp") + 1] == "2"
    assert "thread=single" in arguments[arguments.index("-accel") + 1]
    assert "a=b" in arguments


def test_the_machine_has_the_memory_that_is_asked_for(fake):
    for options, said in (((), "128M"), (("--memory", "512"), "512M")):
        arguments = fake('echo "$@"; echo "weir: exit 0"', *options).stdout.split()
        assert arguments[arguments.index("-m") + 1] == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--harts", "3"], "invalid choice: 3"),
        (["--harts", "2", "--count-instructions"], "--count-instructions with --harts 2"),
        (["--timeout", "0"], "0 is not a time above 0 s"),
        (["--slow-clock", "0"], "--slow-clock 0 is not in 1 to 100"),
        (["--slow-clock", "101"], "--slow-clock 101 is not in 1 to 100"),
        (["--memory", "63"], "--memory 63 is not in 64 to 4096 MiB"),
        (["--memory", "4097"], "--memory 4097 is not in 64 to 4096 MiB"),
        (["--script", "/none"], '"/none" is not a file'),
        (["--image", "/none"], '"/none" is not a file'),
        (["--initramfs", "/none"], '"/none" is not a file'),
    ],
)
def test_bad_arguments_are_refused(options, said):
    done = run(*options)
    assert done.returncode == 2
    assert said in done.stderr
