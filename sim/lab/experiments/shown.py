# SPDX-License-Identifier: Apache-2.0
"""Shows what was found."""

from rich.console import Console
from rich.table import Table


def show(table: Table, width: int = 160) -> None:
    """Prints a table, in so many columns where there is no terminal."""
    console = Console()
    (console if console.is_terminal else Console(width=width)).print(table)
