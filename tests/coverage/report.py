# SPDX-License-Identifier: Apache-2.0
"""What is written of coverage: a page for people, and lcov's format for editors and for genhtml."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from exclusions import Judgement
from items import Item, Items, Key


def page(items: Items, judgement: Judgement, runs: Iterable[str]) -> str:
    """The report, in Markdown."""
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->", "# Coverage of the controller", ""]
    lines += ["Simulated: " + ", ".join(runs) + ".", ""]
    lines += ["## By room and file", "", *_table(items), ""]
    lines += ["## Not reached and not listed", "", *_unlisted(items, judgement), ""]
    lines += ["## Listed", ""]
    for entry, count in judgement.listed:
        lines.append(f"- {count} of `{entry.file}`, {entry.kind} `{entry.name}`: {entry.reason}")
    lines += ["", "## Listed but reached, or not there", ""]
    for entry, there in judgement.idle:
        lines.append(f"- `{entry.file}`, {entry.kind} `{entry.name}`: {'reached' if there else 'there is none'}")
    return "\n".join(lines) + "\n"


def _table(items: Items) -> list[str]:
    """Parts reached of each room and its files: branches and edges of signals."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for key, item in items.items():
        reached, all_of = len(item.parts) - len(item.unreached), len(item.parts)
        for row in (("", ""), (key.room, ""), (key.room, key.file)):
            at = 0 if key.kind == "branch" else 2
            counts[row][at] += reached
            counts[row][at + 1] += all_of
    lines = ["| room | file | branches | of | | edges | of | |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for (room, file), (branches, all_branches, edges, all_edges) in sorted(counts.items()):
        name = file.rpartition("/")[2]
        shown = f"| {room if not file else ''}{'all' if not room else ''} | {name} "
        shown += f"| {branches} | {all_branches} | {_share(branches, all_branches)} "
        lines.append(shown + f"| {edges} | {all_edges} | {_share(edges, all_edges)} |")
    return lines


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def _unlisted(items: Items, judgement: Judgement) -> list[str]:
    if not judgement.unlisted:
        return ["Nothing."]
    keys = sorted(judgement.unlisted, key=lambda key: (key.file, items[key].line, key.name))
    return [f"- {describe(key, items[key], judgement.unlisted[key])}" for key in keys]


def describe(key: Key, item: Item, parts: list[str]) -> str:
    """A line on parts that are not reached, as in `channel/Bank.scala:12 toggle Bank.open: never 0->1`."""
    if len(parts) == len(item.parts):
        which = "never"
    else:
        shown = " ".join(sorted(parts)[:6]) + (" ..." if len(parts) > 6 else "")
        which = f"not {shown} ({len(parts)} of {len(item.parts)})"
    return f"{key.file}:{item.line} {key.kind} `{key.name}`: {which}"


def lcov(items: Items, judgement: Judgement, root: Path) -> str:
    """Lines of Scala in lcov's tracefile format: a line is hit as often as what is hit least there of what is not
    listed; the sides of branches are counted too."""
    files: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    branches: dict[str, list[str]] = defaultdict(list)
    for key, item in items.items():
        unlisted = judgement.unlisted.get(key, [])
        hits = [count for part, count in item.parts.items() if count or part in unlisted]
        if hits:
            files[key.file][item.line].append(min(hits))
        if key.kind == "branch":
            branches[key.file] += [
                f"BRDA:{item.line},0,{number},{count or '-'}" for number, count in enumerate(item.parts.values())
            ]
    text = []
    for file in sorted(files):
        text.append(f"SF:{root / 'hw/src/weir' / file}")
        text += sorted(branches[file])
        text += [f"DA:{line},{min(hits)}" for line, hits in sorted(files[file].items())]
        text.append("end_of_record")
    return "\n".join(text) + "\n"
