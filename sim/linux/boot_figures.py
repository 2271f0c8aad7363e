# SPDX-License-Identifier: Apache-2.0
"""build/results/linux.json: `rows`, one for each number of harts that Linux ran on.

`harts`; `soc`; `cycles_to_init`, of the harts' clock from reset to init's first words; `instructions`, retired by all
harts until then; `kHz`, cycles of the SoC simulated in a millisecond of that boot; `resume_seconds`, from the start of
the program to the first cycle of a resumed snapshot.
"""

import kept_rows
import machine


def row(soc, boot, resumed):
    """The row of `soc` from weir-sim's summaries of its boot and of a run that began with the snapshot."""
    return {
        "harts": len(boot["instructions"]),
        "soc": soc,
        "cycles_to_init": boot["marks"][machine.AT_INIT],
        "instructions": sum(boot["instructions"]),
        "kHz": round(boot["cycles"] / boot["seconds"] / 1e3, 1),
        "resume_seconds": resumed["start_seconds"],
    }


def keep(path, new):
    """Put `new` into the file, in place of an older row of the same SoC."""

    def soc(row):
        return row["soc"]

    kept_rows.keep(path, [new], soc, order=soc)
