# SPDX-License-Identifier: Apache-2.0
"""Changes to the Verilog of a design before a proof: rooms that are left free, and faults.

Everything that is changed must be there exactly once, else the change is refused: so none is lost when the design
changes.
"""

from __future__ import annotations

import re


class ChangeError(Exception):
    """The Verilog is not as a change expects it; says which change and what was found."""


def replace(text: str, old: str, new: str, of: str = "the design") -> str:
    """`text` with the only match of the regular expression `old` replaced by `new` (with \\1 for its groups)."""
    found = len(re.findall(old, text, re.MULTILINE))
    if found != 1:
        raise ChangeError(f"{of}: {old!r} occurs {found} times, not once")
    return re.sub(old, new, text, count=1, flags=re.MULTILINE)


def load(text: str) -> str:
    """Without comments; the design's own assertions, which end a simulation, are assertions for the proof."""
    text = re.sub(r"//.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"if \(`ASSERT_VERBOSE_COND_\)\s*\$error\(.*\);", "", text)
    return re.sub(r"if \(`STOP_COND_\)\s*\$fatal;", "assert (0);", text)


def modules(text: str, pattern: str) -> list[str]:
    """Names of the modules that match the regular expression `pattern`."""
    return re.findall(rf"^module ({pattern})\(", text, re.MULTILINE)


def module(text: str, name: str) -> tuple[int, int]:
    """Where the module of that name stands."""
    found = [m.span() for m in re.finditer(rf"^module {name}\(.*?^endmodule", text, re.MULTILINE | re.DOTALL)]
    if len(found) != 1:
        raise ChangeError(f"module {name} occurs {len(found)} times, not once")
    return found[0]


def only(text: str, top: str) -> str:
    """Module `top` and those that it is made of, without the others."""
    kept: dict[str, str] = {}
    wanted = [top]
    while wanted:
        name = wanted.pop()
        if name not in kept:
            start, end = module(text, name)
            kept[name] = text[start:end]
            wanted += re.findall(
                r"^  (?!module|assign|wire|reg|input|output)(\w+) \w+ \(\s*$", kept[name], re.MULTILINE
            )
    before = re.split(r"^module ", text, maxsplit=1, flags=re.MULTILINE)[0]
    return before + "\n".join(kept.values()) + "\n"


def outputs(header: str) -> list[tuple[str, str]]:
    """Range and name of each output port of a module, as firtool writes them."""
    found, direction, width = [], "", ""
    for line in header.split("(", 1)[1].split(","):
        words = re.fullmatch(r"\s*(input|output)?\s*(\[[^]]*\])?\s*(\w+)\s*", line)
        if not words:
            raise ChangeError(f"port {line.strip()!r} is not understood")
        if words[1]:
            direction, width = words[1], words[2] or ""
        elif words[2]:
            width = words[2]
        if direction == "output":
            found.append((width, words[3]))
    return found


def free(text: str, pattern: str, **known: str) -> str:
    """Leaves the modules that match free to do anything at their outputs, but for those whose expression is `known`, of
    other outputs and of `free_NAME`, which may be anything.
    """
    names = modules(text, pattern)
    if not names:
        raise ChangeError(f"no module matches {pattern!r}")
    for name in names:
        start, end = module(text, name)
        header = text[start : text.index(");", start)]
        body = []
        for width, port in outputs(header):
            body.append(f"  (* anyseq *) wire {width} free_{port};")
            body.append(f"  assign {port} = {known.get(port, f'free_{port}')};")
        missing = known.keys() - {port for _, port in outputs(header)}
        if missing:
            raise ChangeError(f"module {name} has no output {', '.join(missing)}")
        text = text[:start] + header + ");\n" + "\n".join(body) + "\nendmodule" + text[end:]
    return text


def loosen(text: str, name: str, **outputs_of: str) -> str:
    """Lets outputs of module `name` have another value in every cycle: each is the expression given, of `free_NAME`,
    which may be anything, whatever the module makes of it.
    """
    start, end = module(text, name)
    body = text[start:end]
    widths = {port: width for width, port in outputs(body[: body.index(");")])}
    for port, expression in outputs_of.items():
        if port not in widths:
            raise ChangeError(f"module {name} has no output {port}")
        free_one = f"  (* anyseq *) wire {widths[port]} free_{port};\n  assign {port} = {expression};"
        body = replace(body, rf"^  assign {port} =[^;]*;", free_one, f"module {name}")
    return text[:start] + body + text[end:]


def faults(text: str, name: str, wanted: list[tuple[int, str, str]]) -> str:
    """Module `name` with faults of which a proof chooses one: (number, where, becomes) makes the expression that is the
    group `is` of the regular expression `where` be `becomes` when `mutant`, a constant of any value, is the number.
    """
    start, end = module(text, name)
    body = text[start:end]
    spans: dict[tuple[int, int], str] = {}
    for number, where, becomes in wanted:
        found = list(re.finditer(where, body))
        if len(found) != 1:
            raise ChangeError(f"module {name}: {where!r} occurs {len(found)} times, not once")
        span = found[0].span("is")
        spans[span] = f"(mutant == 8'd{number} ? ({becomes}) : {spans.get(span, '(' + found[0]['is'] + ')')})"
    for (first, last), expression in sorted(spans.items(), reverse=True):
        body = body[:first] + expression + body[last:]
    body = body.replace(");\n", ");\n  (* anyconst *) wire [7:0] mutant;\n", 1)
    return text[:start] + body + text[end:]
