# SPDX-License-Identifier: Apache-2.0
"""How the files of page colours read numbers and lists: the kernel's own sources and their KUnit tests, with
its readers beneath, compiled for this machine, for sets of one word and of several. Broken sources must be found
out."""

import subprocess

import pytest
from native import KERNEL, SHIM, every_case_passes, functions, line, part, run

NUMBERS = (
    *("unsigned int _parse_integer_limit", "unsigned int _parse_integer(", "const char *_parse_integer_fixup_radix"),
    *("static int _kstrtoull", "int kstrtoull", "int kstrtouint"),
)
"""What is taken of lib/kstrtox.c."""
LISTS = (
    *("struct region {", "static void bitmap_set_region", "static int bitmap_check_region"),
    *("static const char *bitmap_getnum", "static inline bool end_of_str", "static inline bool __end_of_region"),
    *(
        "static inline bool end_of_region",
        "static const char *bitmap_find_region(",
        "static const char *bitmap_parse_region",
    ),
    "int bitmap_parselist(",
)
"""What is taken of lib/bitmap-str.c."""
TESTED = (
    "int page_colour_check_text",
    "static bool has_huge_number",
    "int page_colour_parse(",
    "int page_colour_parse_number",
)
CASES = ("lists_of_numbers_are_read", "lists_of_all_numbers_are_read", "numbers_are_read")


def program(folder, old="", new="", colours=64):
    """Path of the tests in `folder`, for sets of `colours`, with the only `old` in the tested functions replaced by
    `new`."""
    tests = (KERNEL / "mm/page_colour_test.c").read_text()
    text = [
        '#include "text.h"',
        functions("lib/kstrtox.c", NUMBERS),
        functions("lib/bitmap-str.c", LISTS),
        functions("mm/page_colour_map.c", TESTED, old, new),
        part(tests, "struct text {"),
        line(tests, "#define TEXT("),
        *(part(tests, f"static void {case}(") for case in CASES),
        "static struct kunit_case cases[] = {",
        *(f"KUNIT_CASE({case})," for case in CASES),
        "{}};\nstatic struct kunit_suite suite = {.test_cases = cases};\nkunit_test_suite(suite);",
    ]
    (folder / "test.c").write_text("\n".join(text))
    options = ["-std=gnu11", "-w", f"-DPAGE_COLOURS_MAX={colours}U", "-I", SHIM]
    command = ["gcc", *options, folder / "test.c", "-o", folder / "test"]
    subprocess.run(command, check=True)
    return folder / "test"


@pytest.mark.parametrize("colours", [64, 256, 1024])
def test_each_case_passes(tmp_path, colours):
    every_case_passes(program(tmp_path, colours=colours), cases=3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memchr(buf, '\\0', length) ? -EINVAL : 0", "0"),
        ("\tif (*skip_spaces(strchrnul(buf, '\\n')))\n\t\treturn -EINVAL;\n", ""),
        ("\tif (has_huge_number(buf))\n\t\treturn -ERANGE;\n", ""),
        (" ||\n\t\t\t number == UINT_MAX", ""),
        ("check_mul_overflow(number, 10, &number)", "((number *= 10), false)"),
        ("\t\t\tnumber = 0;\n", "\t\t\t;\n"),
        ("\tif (colourset_empty(&set) && *skip_spaces(buf))\n\t\treturn -EINVAL;\n", ""),
        ("kstrtouint(buf, 10, &value)", "kstrtouint(buf, 0, &value)"),
        ("value < least || ", ""),
        (" || value > most", ""),
        ("min(nr, PAGE_COLOURS_MAX)", "PAGE_COLOURS_MAX"),
    ],
)
def test_a_broken_source_is_found_out(tmp_path, old, new):
    assert run(program(tmp_path, old, new))[0] != 0
