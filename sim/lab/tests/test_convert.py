# SPDX-License-Identifier: Apache-2.0
"""Traces that are written in another format."""

import resource
import signal
import subprocess

import pytest
import zstandard
from lab_program import ROOT

CONVERT = ROOT / "build" / "lab" / "convert"

SIMPLE_O3 = "3 0x40\n0 0x80 0xc0\n4294967295 0xffffffffffffffff\n"
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


def test_a_store_belongs_to_the_load_before_it_or_has_one_of_its_own(tmp_path):
    usimm = "3 R 0x40 0x0\n0 W 0x80\n5 W 0xc0\n0 W 0x100\n2 R 0x140 0x0\n1 W 0x180\n"
    assert written(tmp_path, "usimm", usimm, "simple_o3").splitlines() == [
        "3 0x40 0x80",
        "5 0xc0 0xc0",
        "0 0x100 0x100",
        "2 0x140",
        "1 0x180 0x180",
    ]


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
    ],
)
def test_what_is_wrong_is_told(tmp_path, source, target, complaint):
    paths = {"from": tmp_path / "from", "to": tmp_path / "to"}
    paths["from"].write_text(USIMM)
    done = convert(source.format(**paths), target.format(**paths), cwd=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr


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
    assert not (tmp_path / "to").exists()


def test_a_trace_that_is_cut_leaves_nothing(tmp_path):
    (tmp_path / "from").write_text(USIMM + "3 R\n")
    done = convert(f"usimm:{tmp_path / 'from'}", f"weir:{tmp_path / 'to'}")
    assert done.returncode == 2
    assert f"{tmp_path / 'from'}:4: must be INSTRUCTIONS" in done.stderr
    assert not (tmp_path / "to").exists()
