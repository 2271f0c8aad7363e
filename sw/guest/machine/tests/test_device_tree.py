# SPDX-License-Identifier: Apache-2.0
"""Device trees as dtc and fdtget see them, and what is refused."""

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from description import FINISHER, FREEZE, HYBRID, SCRIPT, UART, WEIR_2, changed

DEVICE_TREE = Path(__file__).resolve().parents[1] / "device_tree.py"
INITRAMFS_BYTES = 1234


class Made:
    """A device tree that was made."""

    def __init__(self, path):
        self.path = path

    def get(self, node, name, kind="x"):
        """Property `name` of `node`: numbers in hexadecimal, or with kind "s" strings; None if it is not there."""
        done = subprocess.run(["fdtget", "-t", kind, self.path, node, name], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def nodes(self, node):
        return subprocess.run(["fdtget", "-l", self.path, node], capture_output=True, text=True).stdout.split()


@pytest.fixture
def make(tmp_path):
    def make(description, *options, initramfs_bytes=INITRAMFS_BYTES, largest_file=None):
        csr, initramfs, output = (tmp_path / name for name in ("csr.json", "initramfs.cpio", "soc.dtb"))
        csr.write_text(json.dumps(description))
        with initramfs.open("wb") as file:
            file.truncate(initramfs_bytes)
        command = [sys.executable, DEVICE_TREE, csr, initramfs, output, *options]

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit if largest_file else None)
        done.tree = Made(output)
        return done

    return make


@pytest.fixture
def tree(make):
    done = make(WEIR_2)
    assert done.returncode == 0, done.stderr
    return done.tree


def test_a_full_disk_leaves_no_tree(make):
    """Files may have as many bytes as the source, and as a tree that is cut; dtc does not notice."""
    whole = make(WEIR_2).tree.path
    source_bytes, tree_bytes = whole.with_suffix(".dts").stat().st_size, whole.stat().st_size
    assert tree_bytes < 4096  # what dtc notices is that more than that cannot be written
    for largest_file in (tree_bytes - 1, source_bytes - 1):
        done = make(WEIR_2, largest_file=largest_file)
        assert done.returncode != 0
        assert not whole.exists()
    assert make(WEIR_2, largest_file=max(source_bytes, tree_bytes)).returncode == 0


def test_the_harts_are_there(tree):
    assert tree.nodes("/cpus") == ["cpu@0", "cpu@1"]
    assert tree.get("/cpus/cpu@1", "reg") == "1"
    assert tree.get("/cpus/cpu@1", "riscv,isa-extensions", "s") == "i m a c zicsr zifencei"
    assert tree.get("/cpus/cpu@1", "mmu-type", "s") == "riscv,sv39"


def test_time_ticks_every_100_cycles(tree):
    assert tree.get("/cpus", "timebase-frequency") == f"{2_000_000:x}"


def test_linux_gets_128_mib_without_the_firmware(tree):
    assert tree.get("/memory@80000000", "reg") == "80000000 8000000"
    assert tree.get("/reserved-memory/firmware@80100000", "reg") == "80100000 100000"
    assert tree.get("/reserved-memory/firmware@80100000", "no-map") == ""


def test_memory_whose_ranks_are_no_ranges_is_no_node(tree):
    assert tree.get("/memory@80000000", "numa-node-id") is None
    assert tree.get("/cpus/cpu@1", "numa-node-id") is None
    assert "distance-map" not in tree.nodes("/")


@pytest.mark.parametrize("ranks", [2, 4])
def test_each_rank_is_a_node(make, ranks):
    rank_bytes = (2 << 30) // ranks
    tree = make(changed("constants.weir_rank_bytes", rank_bytes)).tree
    bases = [f"{0x8000_0000 + rank * rank_bytes:x}" for rank in range(ranks)]
    assert [node for node in tree.nodes("/") if node.startswith("memory")] == [f"memory@{base}" for base in bases]
    for rank, base in enumerate(bases):
        assert tree.get(f"/memory@{base}", "reg") == f"{base} 4000000"
        assert tree.get(f"/memory@{base}", "numa-node-id") == str(rank)
    assert {tree.get(f"/cpus/cpu@{hart}", "numa-node-id") for hart in range(2)} == {"0"}
    assert tree.get("/distance-map", "compatible", "s") == "numa-distance-map-v1"
    distances = [int(cell, 16) for cell in tree.get("/distance-map", "distance-matrix").split()]
    rows = list(zip(distances[::3], distances[1::3], distances[2::3], strict=True))
    assert rows == [(a, b, 10 if a == b else 11) for a in range(ranks) for b in range(ranks)]


def test_nvm_is_farther_and_its_pages_have_frames_and_pointers(make):
    tree = make(HYBRID).tree
    distances = [int(cell, 16) for cell in tree.get("/distance-map", "distance-matrix").split()]
    assert distances[2::3] == [10, 11, 15, 15, 11, 10, 15, 15, 15, 15, 10, 11, 15, 15, 11, 10]
    # 8 bytes for each of 2^18 pages, at the end
    assert tree.get("/reserved-memory/pointers@ffe00000", "reg") == "ffe00000 200000"
    assert tree.get("/reserved-memory/pointers@ffe00000", "no-map") == ""
    # 4096 at the end of DRAM
    assert tree.get("/reserved-memory/frames@bf000000", "reg") == "bf000000 1000000"
    assert tree.get("/reserved-memory/frames@bf000000", "no-map") == ""
    controller = "/soc/memory-controller@20000000"
    assert tree.get(controller, "interrupts") == "6"
    assert tree.get("/reserved-memory/persistent@ffc00000", "reg") == "ffc00000 200000"
    assert tree.get("/reserved-memory/persistent@ffc00000", "no-map") == ""
    assert tree.get(controller, "memory-region-names", "s") == "pointers frames persistent"
    reserved = ("pointers@ffe00000", "frames@bf000000", "persistent@ffc00000")
    phandles = [tree.get(f"/reserved-memory/{name}", "phandle") for name in reserved]
    assert tree.get(controller, "memory-region").split() == phandles


def test_dram_alone_has_neither_table_nor_interrupt(make):
    tree = make(changed("constants.weir_rank_bytes", 1 << 30)).tree
    assert tree.get("/soc/memory-controller@20000000", "interrupts") is None
    assert tree.get("/soc/memory-controller@20000000", "memory-region") is None
    assert tree.nodes("/reserved-memory") == ["firmware@80100000"]


def test_the_initramfs_ends_where_the_archive_does(tree):
    assert tree.get("/chosen", "linux,initrd-start") == "82000000"
    assert tree.get("/chosen", "linux,initrd-end") == f"{0x8200_0000 + INITRAMFS_BYTES:x}"


def test_init_learns_the_registers_of_the_host(tree):
    words = tree.get("/chosen", "bootargs", "s").split()
    assert words[0] == "console=liteuart"
    assert {f"finisher={FINISHER:#x}", f"host_freeze={FREEZE:#x}", f"host_script={SCRIPT:#x}"} <= set(words)


def test_registers_that_are_not_there_are_left_out(make):
    tree = make(changed("csr_registers.host_freeze", None)).tree
    assert "host_freeze" not in tree.get("/chosen", "bootargs", "s")


def test_words_can_be_put_behind_the_command_line(make):
    tree = make(WEIR_2, "--bootargs", "loglevel=7  maxcpus=1").tree
    assert tree.get("/chosen", "bootargs", "s").endswith(" loglevel=7 maxcpus=1")


def test_the_console_has_source_interrupt_plus_one(tree):
    node = f"/soc/serial@{UART:x}"
    assert tree.get(node, "compatible", "s") == "litex,liteuart"
    assert tree.get(node, "interrupts") == "3"


def test_each_hart_has_its_timer_and_its_external_interrupts(tree):
    first, second = (tree.get(f"/cpus/cpu@{hart}/interrupt-controller", "phandle") for hart in (0, 1))
    clint = tree.get("/soc/clint@2000000", "interrupts-extended").split()
    assert clint == [first, "3", first, "7", second, "3", second, "7"]
    plic = tree.get("/soc/interrupt-controller@c000000", "interrupts-extended").split()
    assert plic == [first, "b", first, "9", second, "b", second, "9"]


def test_the_memory_controller_has_its_registers(tree):
    assert tree.get("/soc/memory-controller@20000000", "compatible", "s") == "weir,memory-controller"
    assert tree.get("/soc/memory-controller@20000000", "reg") == "20000000 10000"


def test_no_memory_controller_without_weir(make):
    assert "memory-controller@20000000" not in make(changed("memories.weir", None)).tree.nodes("/soc")


def test_the_end_of_a_run_goes_to_the_finisher(make, tree):
    finisher = tree.get(f"/soc/syscon@{FINISHER:x}", "phandle")
    assert tree.get("/poweroff", "regmap") == tree.get("/reboot", "regmap") == finisher
    # The driver writes only a value that differs from what it reads, 0; the exit code is the low eight bits.
    assert int(tree.get("/poweroff", "value"), 16) != 0
    assert int(tree.get("/poweroff", "value"), 16) & 0xFF == 0
    assert int(tree.get("/reboot", "value"), 16) & 0xFF != 0
    without = make(changed("csr_registers.finisher_exit_code", None)).tree
    assert not {"poweroff", "reboot"} & set(without.nodes("/"))


def test_dtc_accepts_the_source(make, tmp_path):
    make(WEIR_2)
    done = subprocess.run(
        ["dtc", "-I", "dts", "-O", "dtb", "-o", "/dev/null", tmp_path / "soc.dts"], capture_output=True, text=True
    )
    warnings = [line for line in done.stderr.splitlines() if "interrupt_provider" not in line]
    assert (done.returncode, warnings) == (0, [])


@pytest.mark.parametrize(
    ("description", "bytes_", "said"),
    [
        (WEIR_2, (96 << 20) + 1, f"{(96 << 20) + 1} bytes; at 0x82000000 it may have {96 << 20}"),
        (changed("memories.main_ram.size", 64 << 20), 1, "main_ram has 0x4000000 bytes"),
        (changed("memories.main_ram.base", 0x4000_0000), 1, "at 0x40000000"),
        (changed("constants.weir_rank_bytes", 1 << 30), (32 << 20) + 1, f"at 0x82000000 it may have {32 << 20}"),
        (changed("constants.weir_rank_bytes", 32 << 20), 1, "main_ram has 0x2000000 bytes of each rank at 0x80000000"),
        (
            changed("constants.weir_rank_bytes", 64 << 20, "constants.weir_nvm_bytes", 64 << 20),
            1,
            "the frames at 0xfb000000 would be in the memory that Linux uses up to 0xfc000000",
        ),
        (changed("constants.uart_interrupt", None), 1, "uart_interrupt is missing"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_written(make, description, bytes_, said):
    done = make(description, initramfs_bytes=bytes_)
    assert done.returncode == 2
    assert said in done.stderr
    assert not done.tree.path.exists()


def test_a_missing_initramfs_is_refused(tmp_path):
    (tmp_path / "csr.json").write_text(json.dumps(WEIR_2))
    command = [sys.executable, DEVICE_TREE, tmp_path / "csr.json", tmp_path / "none.cpio", tmp_path / "soc.dtb"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "none.cpio" in done.stderr
