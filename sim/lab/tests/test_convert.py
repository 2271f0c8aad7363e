# SPDX-License-Identifier: Apache-2.0
"""Traces that are written in another format."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest
import zstandard
from lab_program import ROOT

CONVERT, DESCRIBE = (ROOT / "build" / "lab" / name for name in ("convert", "describe"))

SIMPLE_O3 = "3 64\n0 128 192\n2147483647 9223372036854775807\n"
LOAD_STORE = "LD 0x40\nST 0x80\nLD 0x7fffffffffff\n"
USIMM = "3 R 0x40 0x0\n7 W 0x80\n0 R 0xc0 0x0\n"
TEXTS = {"simple_o3": SIMPLE_O3, "load_store": LOAD_STORE, "usimm": USIMM}


def convert(source, target, **options):
    command = [CONVERT, "--from", source, "--to", target]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def written(tmp_path, format, text, target):
    """The text of format `format` as one of `target`."""
    (tmp_path / "from").write_text(text)
    done = convert(f"{format}:{tmp_path / 'from'}", f"{target}:{tmp_path / 'to'}")
    assert done.returncode == 0, done.stderr
    return (tmp_path / "to").read_text()


@pytest.mark.parametrize("ending", ["", ".zst"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_trace_goes_through_our_own_format_unchanged(tmp_path, name, ending):
    (tmp_path / "from").write_text(TEXTS[name])
    ours = tmp_path / f"ours{ending}"
    assert convert(f"{name}:{tmp_path / 'from'}", f"weir:{ours}").returncode == 0
    assert convert(f"weir:{ours}", f"{name}:{tmp_path / 'to'}{ending}").returncode == 0
    back = (tmp_path / f"to{ending}").read_bytes()
    assert (zstandard.ZstdDecompressor().decompressobj().decompress(back) if ending else back) == TEXTS[name].encode()


def described(trace, *words):
    done = subprocess.run([DESCRIBE, "--trace", trace, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_store_that_is_an_instruction_has_a_load_of_its_own(tmp_path):
    """Behind the load of a line it would be none any more: the counts of instructions stay."""
    usimm = "3 R 0x40 0x0\n0 W 0x80\n5 W 0xc0\n0 W 0x100\n2 R 0x140 0x0\n1 W 0x180\n"
    text = written(tmp_path, "usimm", usimm, "simple_o3")
    assert text.splitlines() == ["3 64", "0 128 128", "5 192 192", "0 256 256", "2 320", "1 384 384"]
    counts = [
        described(f"{name}:{tmp_path / path}")["instructions"]
        for name, path in (("usimm", "from"), ("simple_o3", "to"))
    ]
    assert counts == [17, 17]


def test_addresses_of_simple_o3_are_as_its_reader_has_them(tmp_path):
    """std::stoll takes 0x40 for 0."""
    assert written(tmp_path, "simple_o3", "3 0x40 0x80\n0x10 0x40\n", "simple_o3") == "3 64 128\n16 64\n"


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (
            "usimm",
            "3 R 0x40 0x0\n2147483648 R 0x40 0x0\n",
            "access 2: the count of instructions is 2147483648: must be at most 2147483647 in simple_o3",
        ),
        (
            "usimm",
            "3 W 0x40\n3 W 0x40\n3 R 0x8000000000000000 0x0\n",
            "access 3: the address is 9223372036854775808: must be at most 9223372036854775807 in simple_o3",
        ),
        (
            "simple_o3",
            "3 64 128\n3 64 0x8000000000000000\n",
            "access 3: the address of the store is 9223372036854775808: must be at most",
        ),
    ],
)
def test_what_simple_o3_cannot_hold_is_refused(tmp_path, name, text, complaint):
    (tmp_path / "from").write_text(text)
    done = convert(f"{name}:{tmp_path / 'from'}", f"simple_o3:{tmp_path / 'to'}")
    assert done.returncode == 2
    assert f"{tmp_path / 'to'}: {complaint}" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["from"]


def test_a_store_of_simple_o3_is_one_of_usimm(tmp_path):
    assert written(tmp_path, "simple_o3", "3 0x40 0x80\n", "usimm") == "3 R 0x40 0x0\n0 W 0x80\n"


@pytest.mark.parametrize(
    ("source", "target", "complaint"),
    [
        ("usimm", "usimm:x", "option --from usimm: must be FORMAT:PATH"),
        ("usimm:/nowhere", "usimm:x", "/nowhere: No such file"),
        ("gem5:{from}", "usimm:x", 'trace format "gem5": must be'),
        ("usimm:{from}", "gem5:{to}", 'trace format "gem5": must be'),
        ("usimm:{from}", "usimm:/nowhere/x", "/nowhere/x: No such file"),
        ("usimm:{from}", "usimm:/dev/full", "/dev/full: No space left on device"),
        ("usimm:{from}", "usimm:{from}", "from: is the file of --from"),
        ("usimm:{new}", "usimm:{from}", "from.new, the file of --from"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, source, target, complaint):
    paths = {"from": tmp_path / "from", "to": tmp_path / "to", "new": tmp_path / "from.new"}
    for name in ("from", "new"):
        paths[name].write_text(USIMM)
    done = convert(source.format(**paths), target.format(**paths), cwd=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert [paths[name].read_text() for name in ("from", "new")] == [USIMM, USIMM]


def test_a_format_that_is_none_leaves_the_old_file(tmp_path):
    (tmp_path / "from").write_text(USIMM)
    (tmp_path / "to").write_text("old")
    assert convert(f"usimm:{tmp_path / 'from'}", f"gem5:{tmp_path / 'to'}").returncode == 2
    assert (tmp_path / "to").read_text() == "old"


def test_a_full_disk_is_told(tmp_path):
    (tmp_path / "from").write_text(USIMM * 10_000)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = convert(f"usimm:{tmp_path / 'from'}", f"weir:{tmp_path / 'to'}", preexec_fn=limit)
    assert done.returncode == 2
    assert f"{tmp_path / 'to'}: File too large" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["from"]


@pytest.mark.parametrize("target", ["new", "old", "link"])
def test_a_trace_that_is_cut_changes_nothing(tmp_path, target):
    (tmp_path / "from").write_text(USIMM + "3 R\n")
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to("old")
    before = sorted(tmp_path.iterdir())
    done = convert(f"usimm:{tmp_path / 'from'}", f"weir:{tmp_path / target}")
    assert done.returncode == 2
    assert f'{tmp_path / "from"}:4: is "3 R": must be INSTRUCTIONS' in done.stderr
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "old").read_text() == "old"


def test_a_kill_leaves_the_old_trace(tmp_path):
    (tmp_path / "from").write_text(USIMM * 1_000_000)
    (tmp_path / "to").write_text("old")
    words = [CONVERT, "--from", f"usimm:{tmp_path / 'from'}", "--to", f"weir:{tmp_path / 'to'}"]
    with subprocess.Popen(words) as running:
        new = tmp_path / "to.new"
        while not (new.exists() and new.stat().st_size > 0) and running.poll() is None:
            time.sleep(0.001)
        running.kill()
    assert running.returncode == -signal.SIGKILL
    assert (tmp_path / "to").read_text() == "old"


def test_a_trace_goes_into_a_pipe(tmp_path):
    (tmp_path / "from").write_text(USIMM)
    done = convert(f"usimm:{tmp_path / 'from'}", "usimm:/dev/stdout")
    assert (done.returncode, done.stdout) == (0, USIMM)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        assert convert(f"usimm:{tmp_path / 'from'}", f"usimm:{tmp_path / 'pipe'}").returncode == 0
        assert reader.communicate(timeout=60)[0] == USIMM
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("program", [CONVERT, DESCRIBE])
def test_a_plusarg_is_unknown(program):
    done = subprocess.run([program, "+dram_features=refresh=none"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "option +dram_features=refresh=none is unknown" in done.stderr


def test_instructions_are_counted_beyond_32_bits(tmp_path):
    (tmp_path / "from").write_text("4294967295 R 0x40 0x0\n1 W 0x80\n")
    assert described(f"usimm:{tmp_path / 'from'}")["instructions"] == 2**32 + 2


def test_masks_are_decimal_or_after_0x(tmp_path):
    (tmp_path / "from").write_text(USIMM)
    assert described(f"usimm:{tmp_path / 'from'}", "--masks", "0x40,0128")["colours"] == [0, 1, 1, 1]


@pytest.mark.parametrize("masks", [" 1", "-1", " -1", "1,,2", "1x", "0", ",".join("123456789")])
def test_masks_that_are_none_are_refused(tmp_path, masks):
    (tmp_path / "from").write_text(USIMM)
    words = [DESCRIBE, "--trace", f"usimm:{tmp_path / 'from'}", "--masks", masks]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"option --masks {masks}: must be at most 8 numbers" in done.stderr
