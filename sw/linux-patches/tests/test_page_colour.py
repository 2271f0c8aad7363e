# SPDX-License-Identifier: Apache-2.0
"""The kernel's own sources of page colours, compiled for this machine beside a model of memory (page_colour/model.c):
the index of free blocks, and the requests that the page allocator serves from it. Broken sources must be found out."""

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
KERNEL_HEADERS = (
    *("bitmap", "bits", "cache", "cleanup", "cpumask", "ctype", "errno", "export", "gfp", "init", "jump_label", "kernel"),
    *(
        "kobject",
        "list",
        "log2",
        "memory_hotplug",
        "mm",
        "mm_types",
        "mmzone",
        "mutex",
        "overflow",
        "palloc",
        "percpu",
        "pfn",
        "sched",
        "slab",
        "string",
    ),
    *("sysfs", "types", "vmstat"),
)


def part_of_page_alloc():
    """The functions of FUNCTIONS and the table of fallbacks, as one text."""
    source = (MM / "page_alloc.c").read_text()
    parts = [re.search(r"^static int fallbacks\[.*?^};\n", source, re.MULTILINE | re.DOTALL)[0]]
    for name in FUNCTIONS:
        found = re.search(rf"^\w[^;{{}}]*?\b{name}\([^;{{}}]*\)\n\{{.*?^\}}\n", source, re.MULTILINE | re.DOTALL)
        assert found, f"mm/page_alloc.c has no {name}()"
        parts.append(found[0])
    return "\n".join(parts)


def build(folder, file=None, old=None, new=None):
    """The model's program in `folder`, with the only `old` in the source `file` replaced by `new`."""
    sources = {name: (MM / name).read_text() for name in ("page_colour.c", "page_colour.h", "page_colour_map.c")}
    sources["page_alloc_part.c"] = part_of_page_alloc()
    sources["internal.h"] = ""
    if file:
        assert sources[file].count(old) == 1, f"{file}: {old}"
        sources[file] = sources[file].replace(old, new)
    (folder / "asm").mkdir()
    (folder / "linux").mkdir()
    (folder / "trace/events").mkdir(parents=True)
    (folder / "trace/events/page_colour.h").write_text("")
    (folder / "linux/page_colour.h").write_text((HEADERS / "page_colour.h").read_text())
    for header in ("asm/barrier", *(f"linux/{name}" for name in KERNEL_HEADERS)):
        (folder / f"{header}.h").write_text("#include <kernel.h>\n")
    for name, text in sources.items():
        (folder / name).write_text(text)
    options = ["-O1", "-std=gnu11", "-w", "-iquote", folder, "-I", folder, "-I", MODEL]
    subprocess.run(["gcc", *options, MODEL / "model.c", "-o", folder / "model"], check=True)
    return folder / "model"


def run(program, seed):
    return subprocess.run([program, str(seed)], capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return build(tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("seed", range(1, 4))
def test_index_and_requests_hold_against_the_model(program, seed):
    done = run(program, seed)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^(\d+) colours", done.stdout, re.MULTILINE) == ["16", "16", "8", "64", "4"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("page_alloc_part.c", "if (!(page_colours_of(page_to_pfn(*page), high) & spread[high]))", "if (0)"),
        ("page_alloc_part.c", "page_colour_del(page, zone, order, old_mt);", ""),
        ("page_alloc_part.c", "page_colour_add(page, zone, order, migratetype, tail);", ""),
        ("page_alloc_part.c", "at < limit", "at < NR_PAGE_ORDERS"),
        ("page_alloc_part.c", "if (low >= high)", "if (low)"),
        ("page_alloc_part.c", "&highest, order, from,", "&highest, 0, from,"),
        ("page_alloc_part.c", "watermark = zone->_watermark[WMARK_MIN] + (1UL << order)", "watermark = 0"),
        ("page_colour.c", "page_to_pfn(page) >= low", "1"),
        ("page_colour.c", "index->nonempty[order][migratetype] &= ~BIT_ULL(class);", ";"),
        ("page_colour.c", "set |= page_colours_shift(set, page_colours.step[order]);", ""),
        ("page_colour.c", "set = page_colours_within(&page_colours, set, order);", ""),
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
        ("page_colour.c", "page_colour_ask(req.set);", ";"),
        ("page_colour.c", "current->page_colour_set = 0;", ""),
        ("page_colour.c", "__page_colours_wanted(folio) ?: page_colour_all()", "__page_colours_wanted(folio)"),
        ("page_colour.c", "return palloc_folio_banks(folio);", "return 0;"),
        ("page_colour.c", "page_colour_ask(set ?: page_colour_all());", "page_colour_ask(set);"),
        ("page_colour.c", "if (palloc_swapped_banks(entry, &set))", "palloc_swapped_banks(entry, &set);"),
        ("page_colour.c", ".rest = page_colour_all(),", ""),
        ("page_colour.c", "return (gfp & GFP_COLOURED) == GFP_COLOURED &&", "return"),
        ("page_colour_map.c", "class[i ^ by]", "class[i]"),
        ("page_colour_map.c", "row[own + i] = row[i] ^", "row[own + i] ="),
    ],
)
def test_a_broken_source_is_found_out(tmp_path, file, old, new):
    assert run(build(tmp_path, file, old, new), 1).returncode != 0
