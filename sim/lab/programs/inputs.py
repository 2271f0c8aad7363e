# SPDX-License-Identifier: Apache-2.0
"""Inputs of the programs, made anew from a seed: the same bytes on every machine."""

from __future__ import annotations

import random

WORDS = 20_000
LETTERS = "etaoinshrdlcumwfgypbvkjxqz"


def text(size: int, seed: int) -> bytes:
    """So many bytes of words, of which the n-th is as frequent as 1/n (Zipf), in sentences and lines."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(LETTERS, range(26, 0, -1), k=chance.randint(2, 11))) for _ in range(WORDS)]
    weights = [1 / rank for rank in range(1, WORDS + 1)]
    lines, length = [], 0
    while length < size:
        line = " ".join(chance.choices(words, weights, k=chance.randint(6, 14))) + ".\n"
        lines.append(line.capitalize())
        length += len(line)
    return "".join(lines).encode()[:size]


def sql(rows: int, seed: int) -> bytes:
    """Commands of sqlite3: a table of so many rows, an index, and look-ups, joins and updates by chance."""
    chance = random.Random(seed)
    lines = [
        "PRAGMA journal_mode = OFF;",
        "CREATE TABLE parts (id INTEGER PRIMARY KEY, key INTEGER, weight REAL, name TEXT);",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
        f"{rows}) INSERT INTO parts SELECT i, (i * 2654435761) % {rows}, i * 0.5, hex(i * 7919) FROM n;",
        "CREATE INDEX by_key ON parts (key);",
    ]
    for _ in range(rows // 20):
        at = chance.randrange(rows)
        lines.append(f"SELECT a.name, b.weight FROM parts a JOIN parts b ON b.key = a.id WHERE a.key = {at};")
        lines.append(f"UPDATE parts SET weight = weight + 1 WHERE key = {chance.randrange(rows)};")
    return "\n".join([*lines, "SELECT sum(weight) FROM parts;", ""]).encode()


MAKERS = {"text": text, "sql": sql}
"""Name in programs.yaml -> what makes the bytes, from a size and a seed."""
