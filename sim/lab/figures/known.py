# SPDX-License-Identifier: Apache-2.0
"""The figures that there are."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from figure import Figure

HERE = Path(__file__).resolve().parent


def figures() -> dict[str, Figure]:
    """{name: figure} of the modules here that have one."""
    found = {}
    for module in pkgutil.iter_modules([str(HERE)]):
        figure = getattr(importlib.import_module(module.name), "FIGURE", None)
        if figure is not None:
            found[module.name.replace("_", "-")] = figure
    return found
