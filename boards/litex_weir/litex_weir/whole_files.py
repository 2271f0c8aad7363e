# SPDX-License-Identifier: Apache-2.0
"""Files that a reader finds whole, or as they were: each is written beside its place and renamed."""

import contextlib
import errno
import os


def write(folder, texts):
    """Write `texts`, bytes by the name of their file below `folder`, a Path; folders that are missing are made.

    None takes its place before all are written: when one cannot be (OSError, of a full disk too), every file is as it
    was, and nothing lies beside.
    """
    places = {folder / name: (folder / name).with_name(f".{(folder / name).name}.{os.getpid()}") for name in texts}
    made = []
    try:
        for (place, beside), text in zip(places.items(), texts.values(), strict=True):
            for missing in reversed([path for path in (place.parent, *place.parent.parents) if not path.exists()]):
                missing.mkdir(exist_ok=True)
                made.append(missing)
            if place.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{place} is a folder")
            beside.write_bytes(text)
        for place, beside in places.items():
            beside.replace(place)
    except OSError:
        for beside in places.values():
            with contextlib.suppress(OSError):
                beside.unlink()
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise
