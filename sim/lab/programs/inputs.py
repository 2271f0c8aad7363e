# SPDX-License-Identifier: Apache-2.0
"""Inputs of the programs, made anew from a seed: the same bytes on every machine."""

from __future__ import annotations

import random

import numpy

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
    """Commands of sqlite3: a table of so many rows of some 250 bytes, an index, then look-ups and updates by chance,
    more than any capture sees."""
    chance = random.Random(seed)
    lines = [
        "PRAGMA journal_mode = OFF;",
        "CREATE TABLE parts (id INTEGER PRIMARY KEY, key INTEGER, weight REAL, name TEXT);",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
        f"{rows}) INSERT INTO parts SELECT i, (i * 2654435761) % {rows}, i * 0.5, printf('%0220d', i) FROM n;",
        "CREATE INDEX by_key ON parts (key);",
    ]
    for _ in range(1000):
        asked, changed = (
            f"WITH RECURSIVE drawn(n, state) AS (SELECT 1, {chance.randrange(1 << 31)} UNION ALL"
            f" SELECT n + 1, (state * 1103515245 + 12345) % 2147483648 FROM drawn WHERE n < {count})"
            f" SELECT state / 256 % {rows} AS key FROM drawn"
            for count in (5000, 500)
        )
        lines.append(f"SELECT sum(weight), max(name) FROM ({asked}) CROSS JOIN parts USING (key);")
        lines.append(f"UPDATE parts SET weight = weight + 1 WHERE key IN ({changed});")
    return "\n".join([*lines, ""]).encode()


def moves(count: int, seed: int) -> bytes:
    """Commands of a program of go (GTP): so many moves of both sides, after some by chance."""
    chance = random.Random(seed)
    lines = ["boardsize 19", "clear_board"]
    points = [(column, row) for column in "CDEFGHJKLMNOPQR" for row in range(3, 18)]
    for number, (column, row) in enumerate(chance.sample(points, 20)):
        lines.append(f"play {('black', 'white')[number % 2]} {column}{row}")
    lines += [f"genmove {('black', 'white')[number % 2]}" for number in range(count)]
    return "\n".join([*lines, "quit", ""]).encode()


def scene(spheres: int, seed: int) -> bytes:
    """A scene for POV-Ray: so many spheres that mirror and let light through, over a plane."""
    chance = random.Random(seed)
    lines = [
        "#version 3.7; global_settings { assumed_gamma 1 max_trace_level 8 }",
        "camera { location <0, 6, -14> look_at <0, 1, 0> }",
        "light_source { <20, 30, -20> rgb 1 area_light <4, 0, 0>, <0, 4, 0>, 4, 4 }",
        "plane { y, 0 pigment { checker rgb 0.9, rgb 0.2 } finish { reflection 0.2 } }",
    ]
    for _ in range(spheres):
        x, y, z = (chance.uniform(*limits) for limits in ((-8, 8), (0.2, 5), (-6, 12)))
        colour = ", ".join(f"{chance.random():.3f}" for _ in range(3))
        lines.append(
            f"sphere {{ <{x:.3f}, {y:.3f}, {z:.3f}>, {chance.uniform(0.1, 0.6):.3f} pigment {{ rgbt <{colour}, 0.5> }}"
            " finish { reflection 0.4 specular 0.6 } interior { ior 1.3 } }"
        )
    return "\n".join([*lines, ""]).encode()


def linear_program(rows: int, seed: int) -> bytes:
    """A linear program in CPLEX's format: so many rows, twice as many columns, six numbers in a column."""
    chance = random.Random(seed)
    columns = 2 * rows
    terms: list[list[str]] = [[] for _ in range(rows)]
    for column in range(columns):
        for row in chance.sample(range(rows), 6):
            terms[row].append(f"{chance.randint(1, 9)} x{column}")
    cost = [f"{chance.randint(1, 99)} x{column}" for column in range(columns)]

    def total(words: list[str]) -> str:
        # lines have an end in this format
        return "\n + ".join(" + ".join(words[at : at + 8]) for at in range(0, len(words), 8))

    lines = ["Maximize", f" cost: {total(cost)}", "Subject To"]
    lines += [f" r{row}: {total(words)} <= {chance.randint(100, 999)}" for row, words in enumerate(terms) if words]
    return "\n".join([*lines, "End", ""]).encode()


def perl(keys: int, seed: int) -> bytes:
    """A script of Perl that counts and sorts words: so many keys of a hash."""
    return f"""my ($state, %count) = ({seed});
for my $round (1 .. 1000) {{
  for (1 .. 4 * {keys}) {{
    $state = ($state * 1103515245 + 12345) % 2147483648;
    $count{{"word" . ($state >> 8) % {keys}}} .= chr(97 + $state % 26);
  }}
  my $length = 0;
  for my $word (sort keys %count) {{
    $length += length $count{{$word}};
    $count{{$word}} = substr($count{{$word}}, -8);
  }}
  print "$round $length\n";
}}
""".encode()


def c_source(functions: int, seed: int) -> bytes:
    """A source of C: so many functions of loops, branches and arrays."""
    chance = random.Random(seed)
    lines = []
    for number in range(functions):
        terms = ""
        for _ in range(6):
            sign, operator = chance.choice("+-^|&"), chance.choice(["*", ">>", "<<", "+"])
            terms += f" {sign} (a[i + {chance.randint(0, 63)}] {operator} {chance.randint(1, 15)})"
        call = f"s += f{chance.randrange(number)}(a, n - 1);" if number else "s++;"
        lines.append(
            f"long f{number}(long *a, long n) {{ long s = {number}; if (n < 0) return s;\n"
            f" for (long i = 0; i < n; i++) {{ s += (s{terms});\n"
            f" switch (s & 7) {{ case 0: a[i] = s; break;"
            f" case 3: s -= a[i + 1]; break; case 5: {call} break; }} }}\n"
            " return s; }"
        )
    return "\n".join([*lines, ""]).encode()


def stylesheet(records: int, seed: int) -> bytes:
    """A stylesheet of XSLT that is its own document too: so many records, which it looks up, sorts and prints, round
    after round."""
    chance = random.Random(seed)
    names = ["".join(chance.choices(LETTERS, k=8)) for _ in range(records // 10 + 1)]
    lines = [
        '<?xml version="1.0"?>',
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:d="urn:data">',
        '<xsl:output method="html"/>',
        '<xsl:key name="maker" match="d:part" use="@maker"/>',
        '<xsl:template match="/"><html><xsl:apply-templates select="//d:round"/></html></xsl:template>',
        '<xsl:template match="d:round"><table>',
        '<xsl:for-each select="//d:part[@weight mod 97 = current()/@rest]">',
        '<xsl:sort select="@maker"/><xsl:sort select="@weight" data-type="number" order="descending"/>',
        '<tr><td><xsl:value-of select="@maker"/></td><td><xsl:value-of select="d:name"/></td>',
        "<td><xsl:value-of select=\"sum(key('maker', @maker)/@weight)\"/></td></tr>",
        "</xsl:for-each></table></xsl:template>",
    ]
    for _ in range(records):
        name = "-".join(chance.choices(names, k=3))
        weight = chance.randrange(10_000)
        lines.append(f'<d:part maker="{chance.choice(names)}" weight="{weight}"><d:name>{name}</d:name></d:part>')
    lines += [f'<d:round rest="{number % 97}"/>' for number in range(1000)]
    return "\n".join([*lines, "</xsl:stylesheet>", ""]).encode()


def video(frames: int, seed: int) -> bytes:
    """Raw frames of 352 by 288 in YUV 4:2:0: squares that move over a pattern, and noise."""
    width, height = 352, 288
    chance = numpy.random.default_rng(seed)
    across, down = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
    squares = chance.integers((0, 0, -4, -4, 16, 0), (width, height, 5, 5, 64, 256), (24, 6))
    made = []
    for frame in range(frames):
        light = 128 + 64 * numpy.sin((across + 2 * frame) / 23) * numpy.cos(down / 17)
        for x, y, right, up, side, value in squares:
            left, top = (x + frame * right) % width, (y + frame * up) % height
            light[top : top + side, left : left + side] = value
        light += chance.normal(0, 3, light.shape)
        luma = numpy.clip(light, 0, 255).astype(numpy.uint8)
        made += [luma.tobytes(), (luma[::2, ::2] // 2 + 64).tobytes(), (255 - luma[::2, ::2] // 2).tobytes()]
    return b"".join(made)


MAKERS = {
    "text": text,
    "sql": sql,
    "moves": moves,
    "scene": scene,
    "linear_program": linear_program,
    "perl": perl,
    "c_source": c_source,
    "stylesheet": stylesheet,
    "video": video,
}
"""Name in programs.yaml -> what makes the bytes, from a size and a seed."""
