# SPDX-License-Identifier: Apache-2.0
"""init on QEMU: what it prints, how it ends the run, and that it reaps what is left to it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
GUEST = ROOT / "build" / "guest"
EMULATOR = [sys.executable, ROOT / "sw" / "guest" / "emulator" / "qemu.py", "--harts", "1", "--timeout", "60"]
WRITER = [sys.executable, ROOT / "sw" / "guest" / "userland" / "initramfs.py"]
UART = 0x1000_0000  # of QEMU's machine `virt`: what is written there appears on the console


def run(folder, script, *options):
    """The run of a script: (exit code, lines of the console from init on)."""
    file = folder / "script.sh"
    file.write_text(script)
    done = subprocess.run([*EMULATOR, "--script", file, *options], capture_output=True)
    return done.returncode, from_init(done.stdout)


def from_init(console):
    lines = console.decode(errors="replace").replace("\r", "").splitlines()
    starts = [number for number, line in enumerate(lines) if re.fullmatch(r"weir: init at cycle \d+", line)]
    assert len(starts) == 1, lines
    return lines[starts[0] :]


def initramfs(folder, **files):
    output = folder / "initramfs.cpio"
    arguments = [f"--file=/{name.replace('_', '/')}={file}" for name, file in files.items()]
    subprocess.run([*WRITER, "--output", output, *arguments], check=True)
    return output


def test_a_script_runs_between_the_two_lines(tmp_path):
    code, lines = run(tmp_path, "echo here\nexit 7\n")
    assert lines[1:3] == ["here", "weir: exit 7"]
    assert int(lines[0].split()[-1]) > 0
    assert code == 7


@pytest.mark.parametrize(
    ("script", "status"),
    [("true\n", 0), ("false\n", 1), ("no-such-command\n", 127), ("kill -9 $$\n", 128 + 9), ("", 0)],
)
def test_the_status_of_a_script_is_that_of_the_run(tmp_path, script, status):
    code, lines = run(tmp_path, script)
    assert f"weir: exit {status}" in lines
    assert code == status


def test_the_file_systems_are_mounted(tmp_path):
    _, lines = run(tmp_path, "cut -d' ' -f2,3 /proc/mounts\n")
    for mount in ("/proc proc", "/sys sysfs", "/dev devtmpfs", "/sys/fs/cgroup cgroup2"):
        assert mount in lines
    assert not [line for line in lines if line.startswith("weir: init: ")]


def test_poweroff_ends_the_run(tmp_path):
    code, lines = run(tmp_path, "poweroff\nwhile true; do usleep 1000; done\n")
    assert "weir: exit 0" in lines
    assert code == 0


# An orphan whose entry in /proc goes away only when somebody has waited for it; status 9 when nobody does.
ORPHAN = """
(sh -c 'echo $$ > /tmp/orphan') &
wait
sh -c '(while [ ! -e /tmp/go ]; do usleep 1000; done; exit 3) & echo $! > /tmp/orphan'
orphan=$(cat /tmp/orphan)
grep PPid /proc/$orphan/status
touch /tmp/go
tries=0
while [ -d /proc/$orphan ]; do
  usleep 10000
  tries=$((tries + 1))
  [ $tries -lt 100 ] || { grep State /proc/$orphan/status; exit 9; }
done
exit 5
"""


def test_orphans_are_reaped(tmp_path):
    code, lines = run(tmp_path, ORPHAN)
    assert "PPid:\t1" in lines
    assert code == 5


def test_an_init_that_reaps_no_orphan_is_found(tmp_path):
    folder = ROOT / "sw" / "guest" / "userland"
    source = (folder / "init.c").read_text()
    broken = source.replace("waitpid(-1,", "waitpid(shell,")
    assert broken != source
    (tmp_path / "init.c").write_text(broken)
    compiler = [GUEST / "bin" / "guest-cc", "-Os", "-iquote", folder]
    subprocess.run([*compiler, tmp_path / "init.c", "-o", tmp_path / "init"], check=True)
    archive = initramfs(
        tmp_path, init=tmp_path / "init", bin_busybox=GUEST / "busybox/busybox", bin_sh=GUEST / "busybox/busybox"
    )
    code, lines = run(tmp_path, ORPHAN, "--initramfs", archive)
    assert "State:\tZ (zombie)" in lines
    assert code == 9


def type_into_shell(commands, *options):
    """A run without a script, whose shell gets the commands as soon as it asks: as run()."""
    with subprocess.Popen([*EMULATOR, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as guest:
        console = b""
        while not console.endswith(b"# "):
            byte = guest.stdout.read(1)
            assert byte, console
            console += byte
        rest, _ = guest.communicate(commands)
    return guest.returncode, from_init(console + rest)


def test_without_a_script_there_is_a_shell_with_job_control():
    code, lines = type_into_shell(b"echo flags $-\nsleep 100 &\njobs\nkill %1\nexit 5\n")
    assert [line for line in lines if re.fullmatch("flags .*i.*m.*|flags .*m.*i.*", line)]
    assert [line for line in lines if re.match(r"\[1\].*Running", line)]
    assert "weir: exit 5" in lines
    assert code == 5


def test_a_missing_shell_is_named(tmp_path):
    code, lines = run(tmp_path, "true\n", "--initramfs", initramfs(tmp_path, init=GUEST / "userland/init"))
    assert "weir: init: /bin/sh: No such file or directory" in lines
    assert code == 127


def test_an_initramfs_without_a_console_has_one_all_the_same(tmp_path):
    import initramfs as writer

    files = {"init": "userland/init", "bin/sh": "busybox/busybox"}
    contents = {name: (True, (GUEST / file).read_bytes()) for name, file in files.items()}
    archive = tmp_path / "no-console.cpio"
    archive.write_bytes(writer.archive(contents, {}, writer.FOLDERS))
    code, lines = run(tmp_path, "echo here\nexit 4\n", "--initramfs", archive)
    assert "here" in lines
    assert code == 4


def test_the_registers_of_the_command_line_are_written(tmp_path):
    """With the UART in their place: the freeze writes 1, the finisher the exit code, here an A."""
    code, lines = run(tmp_path, "echo\nexit 65\n", "--append", f"host_freeze={UART:#x} finisher={UART:#x}")
    text = "\n".join(lines)
    assert "\x01" in text[: text.index("weir: exit 65")]
    assert "A" in text[text.index("weir: exit 65") + len("weir: exit 65") :].split("reboot")[0]
    assert code == 65


def test_a_host_without_a_script_leads_to_the_shell():
    """The first read gives 0: QEMU's flash, which is empty."""
    code, _ = type_into_shell(b"exit 6\n", "--append", "host_script=0x20000000")
    assert code == 6


def test_a_script_can_ask_for_a_snapshot_too(tmp_path):
    """Once init does, and once the script; no script is handed over then, where there is nothing but zeros."""
    registers = f"host_freeze={UART:#x} host_script=0x20000000"
    code, lines = run(tmp_path, 'eval "$(weir-freeze)"; echo "went on: $?"\n', "--append", registers)
    assert "\n".join(lines).count("\x01") == 2
    assert "went on: 0" in "\n".join(lines)
    assert code == 0


@pytest.mark.parametrize(
    ("registers", "said"),
    [
        ("", "weir-freeze: host_freeze is not on the kernel's command line"),
        (f"host_freeze={UART:#x}", "weir-freeze: host_script is not on the kernel's command line"),
        (
            f"host_freeze={UART:#x} host_script=0x20000002",
            "weir-freeze: host_script=0x20000002 is not the address of a register",
        ),
    ],
)
def test_without_a_register_no_snapshot_is_asked_for(tmp_path, registers, said):
    code, lines = run(tmp_path, "weir-freeze\n", "--append", registers)
    text = "\n".join(lines)
    assert said in text
    assert text.count("\x01") == (1 if registers else 0)  # init's
    assert code == 1


@pytest.mark.parametrize("value", ["nonsense", "0x", "0x10000001", ""])
def test_a_bad_address_is_named_and_the_run_ends_all_the_same(tmp_path, value):
    code, lines = run(tmp_path, "exit 3\n", "--append", f"finisher={value}")
    assert f"weir: init: finisher={value} on the command line is not the address of a register" in lines
    assert code == 3
