# SPDX-License-Identifier: Apache-2.0
"""The archive, read by cpio and by a reader here that follows the format's description, not the writer."""

import os
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

WRITER = Path(__file__).resolve().parents[1] / "initramfs.py"


@dataclass
class Member:
    inode: int
    mode: int
    links: int
    device: tuple
    data: bytes


def archives(data):
    """The archives in `data`, one after the other, each as {name: Member}."""
    found, at = [], 0
    while at < len(data):
        members = {}
        while True:
            assert at % 4 == 0
            assert data[at : at + 6] == b"070701"
            inode, mode, uid, gid, links, time, size, _, _, major, minor, name_size, check = (
                int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)
            )
            assert (uid, gid, time, check) == (0, 0, 0, 0)
            name = data[at + 110 : at + 110 + name_size]
            assert name.endswith(b"\0")
            start = at + 110 + name_size
            start += -start % 4
            at = start + size
            at += -at % 4
            if name == b"TRAILER!!!\0":
                break
            name = name.rstrip(b"\0").decode()
            assert name not in members
            parent = name.rpartition("/")[0]
            known = [*members, *(n for archive in found for n in archive)]
            assert not parent or parent in known, f"{name} comes before its folder"
            members[name] = Member(inode, mode, links, (major, minor), data[start : start + size])
        found.append(members)
    return found


def write(folder, *arguments):
    """The finished writer, and what it wrote."""
    output = folder / "out.cpio"
    done = subprocess.run(
        [sys.executable, WRITER, "--output", output, *map(str, arguments)], capture_output=True, text=True
    )
    return done, output.read_bytes() if output.exists() else None


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "program"
    file.write_bytes(b"seven b")
    file.chmod(0o700)
    return file


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "text"
    file.write_bytes(b"")
    file.chmod(0o600)
    return file


def test_files_devices_and_folders(tmp_path, program, text):
    done, data = write(tmp_path, "--file", f"/init={program}", "--file", f"/etc/deep/text={text}")
    assert (done.returncode, done.stderr) == (0, "")
    (members,) = archives(data)
    assert members["init"].data == b"seven b"
    assert members["init"].mode == stat.S_IFREG | 0o755
    assert members["etc/deep/text"].mode == stat.S_IFREG | 0o644
    assert members["etc/deep/text"].data == b""
    assert (members["dev/console"].mode, members["dev/console"].device) == (stat.S_IFCHR | 0o600, (5, 1))
    assert (members["dev/null"].mode, members["dev/null"].device) == (stat.S_IFCHR | 0o666, (1, 3))
    for folder in ("dev", "proc", "sys", "tmp", "etc", "etc/deep"):
        assert members[folder].mode == stat.S_IFDIR | 0o755
    inodes = [member.inode for member in members.values()]
    assert len({*inodes}) == len(inodes)


def test_links_share_an_inode_and_the_last_has_the_bytes(tmp_path, program):
    _, data = write(tmp_path, "--file", f"/bin/b={program}", "--link", "/bin/z=/bin/b", "--link", "/a=/bin/b")
    (members,) = archives(data)
    named = {name: member for name, member in members.items() if name in ("bin/b", "bin/z", "a")}
    assert len(named) == 3
    assert {member.inode for member in named.values()} == {named["a"].inode}
    assert {member.links for member in named.values()} == {3}
    assert [member.data for member in named.values()] == [b"", b"", b"seven b"]


@pytest.mark.parametrize("size", [4095, 4096, 10_000])
def test_data_of_a_page_or_more_is_on_a_page_boundary(tmp_path, size):
    files = [tmp_path / name for name in ("first", "second")]
    for file in files:
        file.write_bytes(file.name.encode() + bytes(range(1, 200)) * (size // 199 + 1))
        os.truncate(file, size)
    _, data = write(tmp_path, *(word for file in files for word in ("--file", f"/{file.name}={file}")))
    places = [data.index(file.read_bytes()) for file in files]
    assert all(place % 4096 == 0 for place in places) == (size >= 4096)
    (members,) = archives(data)
    assert [members[file.name].data for file in files] == [file.read_bytes() for file in files]


def test_no_name_is_longer_than_a_kernel_takes(tmp_path):
    """A kernel leaves members of longer names out (init/initramfs.c: PATH_MAX)."""
    first, second = tmp_path / "first", tmp_path / "second"
    second.write_bytes(b"second" * 1000)
    name, header = b"long-name-of-second\0", 110

    def of(size):
        """Where in a page the second file's data would be without padding, how long its name is, where its data is."""
        first.write_bytes(bytes(size))
        _, data = write(tmp_path, "--file", f"/first={first}", "--file", f"/{name[:-1].decode()}={second}")
        begin, place = data.index(name) - header, data.index(second.read_bytes())
        return (begin + header + len(name)) % 4096, int(data[begin + 94 : begin + 102], 16), place % 4096

    unpadded, _, _ = of(0)
    for size in range(4096 - unpadded - 32, 4096 - unpadded + 32, 4):
        unpadded, length, place = of(size)
        padded = len(name) + -unpadded % 4096
        assert (length, place) == ((padded, 0) if padded <= 4096 else (len(name), unpadded - unpadded % 4 + 4))


def test_cpio_reads_it(tmp_path, program):
    _, data = write(tmp_path, "--file", f"/bin/b={program}", "--link", "/bin/z=/bin/b")
    listing = subprocess.run(["cpio", "-t", "--quiet"], input=data, capture_output=True, check=True)
    assert {*listing.stdout.decode().split()} == {
        *("bin", "bin/b", "bin/z", "dev", "dev/console", "dev/null", "proc", "root", "sys", "tmp")
    }
    target = tmp_path / "out"
    target.mkdir()
    subprocess.run(["cpio", "-i", "--quiet", "bin*"], input=data, cwd=target, check=True)
    assert (target / "bin/z").read_bytes() == b"seven b"
    assert (target / "bin/z").samefile(target / "bin/b")


def test_the_same_input_gives_the_same_bytes(tmp_path, program, text):
    arguments = [("--file", f"/x={program}"), ("--file", f"/y={text}"), ("--link", "/z=/x")]
    _, first = write(tmp_path, *[word for pair in arguments for word in pair])
    os.utime(program, (1, 1))
    program.chmod(0o755)
    _, second = write(tmp_path, *[word for pair in reversed(arguments) for word in pair])
    assert first == second


def test_add_to_appends_an_archive(tmp_path, program, text):
    _, data = write(tmp_path, "--file", f"/init={program}")
    base = tmp_path / "base.cpio"
    base.write_bytes(data)
    _, both = write(tmp_path, "--add-to", base, "--file", f"/script={program}")
    assert both.startswith(data)
    first, second = archives(both)
    assert "init" in first
    assert [*second] == ["script"]
    assert second["script"].data == b"seven b"
    assert base.read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--file", "/init"], '"/init" is not PATH='),
        (["--file", "init={program}"], '"init" is not an absolute path'),
        (["--file", "/a/../b={program}"], '"/a/../b" is not an absolute path'),
        (["--file", "/={program}"], '"/" is not an absolute path'),
        (["--file", "/a={program}", "--file", "/a={program}"], '"/a" is there already'),
        (["--file", "/a=/nonexistent/file"], "/nonexistent/file: No such file"),
        (["--link", "/a=/b"], 'no --file "/b"'),
        (["--file", "/a={program}", "--link", "/a=/a"], '"/a" is a file and a link'),
        (["--add-to", "{program}"], "not a cpio archive"),
        (["--add-to", "/nonexistent/archive"], "/nonexistent/archive: No such file"),
    ],
)
def test_bad_input_is_refused(tmp_path, program, arguments, named):
    done, data = write(tmp_path, *[argument.format(program=program) for argument in arguments])
    assert done.returncode == 2
    assert named in done.stderr
    assert data is None
