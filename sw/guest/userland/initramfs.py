# SPDX-License-Identifier: Apache-2.0
"""Write the initramfs: a cpio archive in the newc format, whose bytes depend on its contents alone.

    initramfs.py --output OUT --file PATH=LOCAL ... [--link PATH=EXISTING ...]
    initramfs.py --output OUT --add-to ARCHIVE --file PATH=LOCAL ...

The first form makes the whole of it: the folders for the kernel's file systems, /dev/console and /dev/null, the files.
The second copies ARCHIVE and appends a second archive, which the kernel unpacks over the first: that is how a script
(/script) or tests get into a guest without a new build. Needs no root: device nodes are entries of the archive only.
PATH is absolute, in the guest; a file is executable there if it is here; a link is a hard link.
Format: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.
"""

import argparse
import stat
import sys
from pathlib import Path, PurePosixPath

FOLDERS = ["dev", "proc", "root", "sys", "tmp"]
DEVICES = {"dev/console": (0o600, 5, 1), "dev/null": (0o666, 1, 3)}
ALIGNMENT = 4  # bytes, of each name's and each file's end
HEADER = 110  # bytes in front of the name
PAGE = 4096  # bytes of the kernel's pages
PATH_MAX = 4096  # bytes of a name with its NUL, of Linux (init/initramfs.c)
TRAILER = "TRAILER!!!"


class Refused(Exception):
    """Bad input; the message names it."""


def pad(data):
    return data + bytes(-len(data) % ALIGNMENT)


def entry(inode, name, mode, links=1, data=b"", device=(0, 0), at=0):
    """One member of the archive, which it begins `at` bytes into; owner root, time 0.

    Data of a page or more is put on a page boundary, by NUL bytes behind the name, for kernels that use pages in place;
    but not where the name would be longer than PATH_MAX, as a kernel leaves such a member out.
    """
    encoded = name.encode() + b"\0"
    if len(data) >= PAGE:
        padded = encoded + bytes(-(at + HEADER + len(encoded)) % PAGE)
        encoded = padded if len(padded) <= PATH_MAX else encoded
    fields = [inode, mode, 0, 0, links, 0, len(data), 0, 0, *device, len(encoded), 0]
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return pad(header + encoded) + pad(data)


def parents(names):
    """The folders above `names`, outer ones first."""
    return sorted({str(folder) for name in names for folder in PurePosixPath(name).parents} - {"."})


def archive(files, links, folders=(), devices=None):
    """The archive of `files` {name: (executable, bytes)}, `links` {name: name of a file}, `folders`, `devices`
    {name: (permissions, major, minor)}; names without a leading slash."""
    devices = devices or {}
    members, length = [], 0

    def add(name, mode, links=1, inode=None, **contents):
        nonlocal length
        members.append(entry(inode or len(members) + 1, name, mode, links, at=length, **contents))
        length += len(members[-1])

    for name in sorted({*folders, *parents([*files, *links, *devices])}):
        add(name, stat.S_IFDIR | 0o755, links=2)
    for name, (permissions, major, minor) in sorted(devices.items()):
        add(name, stat.S_IFCHR | permissions, device=(major, minor))
    for name, (executable, data) in sorted(files.items()):
        names = [*sorted(link for link, existing in links.items() if existing == name), name]
        inode = len(members) + 1
        for each in names:  # the bytes come with the last name
            mode = stat.S_IFREG | (0o755 if executable else 0o644)
            add(each, mode, len(names), inode, data=data if each == name else b"")
    return b"".join([*members, entry(0, TRAILER, 0)])


def pairs(arguments, option):
    """{name: value} of the arguments PATH=VALUE, the PATH without its slash."""
    found = {}
    for argument in arguments:
        path, equals, value = argument.partition("=")
        name = path[1:]
        if not equals or not value:
            raise Refused(f'{option} "{argument}" is not PATH=...')
        pure = PurePosixPath(path)
        if not pure.is_absolute() or str(pure) != path or ".." in pure.parts or not name:
            raise Refused(f'{option} "{argument}": "{path}" is not an absolute path in the guest')
        if name in found:
            raise Refused(f'{option} "{argument}": "{path}" is there already')
        found[name] = value
    return found


def read(path):
    """(executable, bytes) of a local file."""
    try:
        return bool(Path(path).stat().st_mode & stat.S_IXUSR), Path(path).read_bytes()
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None


def build(options):
    files = {name: read(local) for name, local in pairs(options.file, "--file").items()}
    links = {name: target.removeprefix("/") for name, target in pairs(options.link, "--link").items()}
    for name, target in links.items():
        if target not in files:
            raise Refused(f'--link "/{name}={target}": no --file "/{target}" goes with it')
    if twice := sorted({*links} & {*files}):
        raise Refused(f'"/{twice[0]}" is a file and a link')
    if options.add_to is None:
        return archive(files, links, FOLDERS, DEVICES)
    _, base = read(options.add_to)
    if base[:6] != b"070701":
        raise Refused(f"{options.add_to}: not a cpio archive of the newc format")
    return pad(base) + archive(files, links)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True, type=Path, help="the archive to write")
    parser.add_argument("--file", action="append", default=[], metavar="PATH=LOCAL", help="a file of the guest")
    parser.add_argument("--link", action="append", default=[], metavar="PATH=EXISTING", help="another name of a --file")
    parser.add_argument("--add-to", metavar="ARCHIVE", help="begin with this archive")
    options = parser.parse_args(arguments)
    try:
        data = build(options)
    except Refused as refusal:
        print(f"initramfs: {refusal}", file=sys.stderr)
        return 2
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
