# SPDX-License-Identifier: Apache-2.0
"""The kernel's own sources of page colours, compiled for this machine beside a model of memory (page_colour/model.c):
the index of free blocks, and the requests that the page allocator serves from it, with sets of one word and of several.
Broken sources must be found out."""

import re
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).parent / "page_colour"
MM = Path(__file__).resolve().parents[3] / "build" / "guest" / "kernel-source" / "mm"
HEADERS = MM.parent / "include" / "linux"
FUNCTIONS = (
    *("__add_to_free_list", "move_to_free_list", "__del_page_from_free_list", "del_page_from_free_list"),
    *("change_pageblock_range", "expand_coloured", "rmqueue_coloured_smallest", "isolate_coloured_page"),
    *("rmqueue_coloured_claim", "__rmqueue_coloured"),
)
"""What of mm/page_alloc.c is tested, in an order that compiles."""
COLOURS = {6: [16, 16, 8, 64, 4], 8: [16, 16, 8, 64, 4, 256], 10: [16, 16, 8, 64, 4, 256, 1024]}
"""CONFIG_PAGE_COLOUR_SHIFT -> how many colours each map has that the model tries."""
FEW, MANY = 6, 8
"""The values of it with which broken sources are tried: that of one word, and one of several."""


def part_of_page_alloc():
    """The functions of FUNCTIONS and the table of fallbacks, as one text."""
    source = (MM / "page_alloc.c").read_text()
    parts = [re.search(r"^static int fallbacks\[.*?^};\n", source, re.MULTILINE | re.DOTALL)[0]]
    for name in FUNCTIONS:
        found = re.search(rf"^\w[^;{{}}]*?\b{name}\([^;{{}}]*\)\n\{{.*?^\}}\n", source, re.MULTILINE | re.DOTALL)
        assert found, f"mm/page_alloc.c has no {name}()"
        parts.append(found[0])
    return "\n".join(parts)


def build(folder, shift, file=None, old=None, new=None):
    """The model's program in `folder`, for maps of at most 2 to the power of `shift` colours, with the only `old` in
    the source `file` replaced by `new`."""
    sources = {name: (MM / name).read_text() for name in ("page_colour.c", "page_colour.h", "page_colour_map.c")}
    for name in ("page_colour.h", "colourset.h", "colourset_types.h"):
        sources[f"linux/{name}"] = (HEADERS / name).read_text()
    sources["page_alloc_part.c"] = part_of_page_alloc()
    sources["internal.h"] = ""
    if file:
        assert sources[file].count(old) == 1, f"{file}: {old}"
        sources[file] = sources[file].replace(old, new)
    included = {
        name for text in sources.values() for name in re.findall(r"^#include <([\w/]+\.h)>", text, re.MULTILINE)
    }
    # of the kernel's other headers the model has what is needed in one
    sources |= dict.fromkeys(included - sources.keys(), "#include <kernel.h>\n")
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    options = ["-O1", "-std=gnu11", "-w", "-iquote", folder, "-I", folder, "-I", MODEL]
    options += [f"-DCONFIG_PAGE_COLOUR_SHIFT={shift}"]
    subprocess.run(["gcc", *options, MODEL / "model.c", "-o", folder / "model"], check=True)
    return folder / "model"


def run(program, seed):
    return subprocess.run([program, str(seed)], capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module", params=COLOURS)
def program(request, tmp_path_factory):
    """The program, and CONFIG_PAGE_COLOUR_SHIFT."""
    return build(tmp_path_factory.mktemp("model"), request.param), request.param


@pytest.mark.parametrize("seed", range(1, 4))
def test_index_and_requests_hold_against_the_model(program, seed):
    path, shift = program
    done = run(path, seed)
    assert done.returncode == 0, done.stderr
    assert [int(nr) for nr in re.findall(r"^(\d+) colours", done.stdout, re.MULTILINE)] == COLOURS[shift]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("page_alloc_part.c", "if (!page_colour_is_in(page_to_pfn(*page), &spread[high]))", "if (0)"),
        ("page_alloc_part.c", "page_colour_del(page, zone, order, old_mt);", ""),
        ("page_alloc_part.c", "page_colour_add(page, zone, order, migratetype, tail);", ""),
        ("page_alloc_part.c", "at < limit", "at < NR_PAGE_ORDERS"),
        ("page_alloc_part.c", "if (low >= high)", "if (low)"),
        ("page_alloc_part.c", "&highest, order, from,", "&highest, 0, from,"),
        ("page_alloc_part.c", "watermark = zone->_watermark[WMARK_MIN] + (1UL << order)", "watermark = 0"),
        ("page_colour.c", "page_to_pfn(page) >= low", "1"),
        ("page_colour.c", "colourset_del(&index->nonempty[order][migratetype], class);", ";"),
        ("page_colour.c", "colourset_or(&wider, &wider, &shifted);", ""),
        ("page_colour.c", "page_colours_within(&page_colours, *set, order);", "*set;"),
        ("page_colour.c", "page->mapping = NULL;", ""),
        ("page_colour.c", "if (index && page->mapping)", "if (index && index->live)"),
        ("page_colour.c", "if (index && page->mapping)", "if (index)"),
        ("page_colour.c", "else if (!page->mapping)", "else"),
        (
            "page_colour.c",
            "if (index && index->live &&\n\t    page_colours_cover",
            "if (index &&\n\t    page_colours_cover",
        ),
        ("page_colour.c", "gfp & __GFP_ACCOUNT &&", ""),
        ("page_colour.c", "page_colour_ask(&req.set);", ";"),
        ("page_colour.c", "page_colours.share[order];", "(1UL << order);"),
        ("page_colour.c", "current->page_colour_set = (struct colourset) {};", ""),
        ("page_colour.c", "__page_colours_wanted(folio, &set) ?", "__page_colours_wanted(folio, &set) | 1 ?"),
        ("page_colour.c", "return palloc_folio_banks(folio, set);", "return false;"),
        ("page_colour.c", "colourset_empty(&set) ?", "0 ?"),
        ("page_colour.c", "if (palloc_swapped_banks(entry, &set))", "palloc_swapped_banks(entry, &set);"),
        ("page_colour.c", ".rest = *page_colour_all(),", ""),
        ("page_colour.c", "return (gfp & GFP_COLOURED) == GFP_COLOURED &&", "return"),
        ("linux/colourset.h", "by -= words * BITS_PER_LONG;", "by = 0;"),
        ("page_colour_map.c", "class[i ^ by]", "class[i]"),
        ("page_colour_map.c", "row[own + i] = row[i] ^", "row[own + i] ="),
        ("page_colour_map.c", "<<\n\t\t\t\t\t    (class[0] == class[by])", ""),
    ],
)
def test_a_broken_source_is_found_out(tmp_path, file, old, new):
    assert run(build(tmp_path, FEW, file, old, new), 1).returncode != 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("set->bits[i ^ words]", "set->bits[i]"),
        ("find_first_and_bit(a->bits, b->bits, PAGE_COLOURS_MAX)", "PAGE_COLOURS_MAX"),
        ("COLOURSET_WORDS == 1 ? 0 : BIT_WORD(colour)", "0"),
    ],
)
def test_a_source_that_is_broken_for_many_colours_alone_is_found_out(tmp_path_factory, old, new):
    few, many = (tmp_path_factory.mktemp("model") for _ in range(2))
    broken = ("linux/colourset.h", old, new)
    assert run(build(few, FEW, *broken), 1).returncode == 0
    assert run(build(many, MANY, *broken), 1).returncode != 0


def test_tables_that_are_too_narrow_are_found_out(tmp_path):
    """Numbers of more than 256 colours take 16 bits."""
    broken = ("page_colour.h", "#if PAGE_COLOUR_SHIFT > 8", "#if 0")
    assert run(build(tmp_path, 10, *broken), 1).returncode != 0
