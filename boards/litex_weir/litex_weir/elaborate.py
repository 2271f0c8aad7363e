# SPDX-License-Identifier: Apache-2.0
"""Run Weir's generator, which is in Scala, from a checkout of Weir's repository."""

import json
import re
import subprocess
from pathlib import Path

from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError

# Where the values of Weir's classes stand in the YAML file, by what the generator's messages call them.
_PLACES = (
    (r"\bGeometry\.(ranks|dqBits)", r"dram.\1"),
    (r"\bPart (\S+): a data bus of (\d+) bits", r"dram.dqBits = \2: part \1: a data bus of \2 bits"),
    (r"\bPart (\S+): a clock period of", r"system_clock: part \1: a clock period of"),
    (r"^part (\S+) is not", r"dram.part = \1: is not"),
    (r"\b(Axi|Policies|Observation|Placement)\.", lambda match: f"{match[1].lower()}."),
    (r"^WeirConfig\.", ""),
)


def elaborate(description, weir, folder):
    """The design of a config, made in `folder`.

    Parameters
    ----------
    description : dict
        As CoreFile.description() gives it.
    weir : Path
        A checkout of Weir.
    folder : Path
        Where config.json and NAME/ are written.

    Raises WeirError if the generator refuses the config, with the YAML file's names, or cannot be run.
    """
    mill = Path(weir) / "mill"
    if not mill.is_file():
        raise WeirError(f"--weir {weir}: no checkout of Weir: {mill} does not exist")
    config, output = Path(folder).resolve() / "config.json", Path(folder).resolve()
    config.write_text(json.dumps(description))
    command = [str(mill.resolve()), "--ticker", "false", "hw.run", "--file", str(config), "--output", str(output)]
    ended = subprocess.run(command, cwd=weir, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        refusal = re.search(rf"--file {re.escape(str(config))}: (.*)\.", ended.stderr)
        if refusal:
            raise WeirError(in_the_files_words(refusal[1]))
        raise WeirError(f"Weir's generator failed: {ended.stderr.strip() or ended.stdout.strip()}")
    return WeirDesign.load(output / description["name"])


def in_the_files_words(message):
    """What the generator says of a value, with the YAML file's name for it."""
    for pattern, place in _PLACES:
        message = re.sub(pattern, place, message)
    return message
