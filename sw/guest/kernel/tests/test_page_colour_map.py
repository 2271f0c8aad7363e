# SPDX-License-Identifier: Apache-2.0
"""A map of page colours that root writes while Linux runs, in a guest on QEMU with four harts and no driver that knows
one: Linux says what is wrong with a map, takes one, and serves PALLOC by it. `make guest` builds what is run here."""

import policies
import pytest
import weir_machine as machine

COLOURS = "/sys/kernel/mm/page_colour"
MAP = "128M@0x80000000,rank:10000,bank:22000+44000+88000"
"""Two ranks of eight banks that are XORed with the lowest bits of the row."""
REFUSED = {
    "bank:2000": "Invalid argument",
    "128M@0x80000000": "No such device",
    "128M@0x80001000,bank:2000": "Invalid argument",
    "128M@0x80000000,bank:8000000": "Invalid argument",
    "128M@0x80000000,bank:800": "No such device",
    "128M@0x80000000,bank:2000+4000+8000+10000+20000+40000+80000": "Argument list too long",
}
"""Text -> what writing it says: no map, no bit of a colour, a base within a block, a mask beyond the memory, one within
a page, seven bits of colours."""
TESTS = ("files_test", "palloc_test")


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    """What a boot prints that writes maps, shows what there is of each, and runs the selftests with the last."""
    folder = tmp_path_factory.mktemp("page_colour_map")
    refused = "\n".join(f'echo "== {text}"; echo {text} >map; cat colours map' for text in REFUSED)
    script = f"""cd {COLOURS}
{refused}
echo "== written"; echo {MAP} >map
for file in colours channels ranks banks size base masks map; do echo "== $file"; cat $file; done
cd /
for test in {" ".join(TESTS)}; do echo "== $test"; $test; done
echo "== end"
"""
    text, exit_code = machine.run(folder, script, harts=4, files=policies.compiled(folder))
    assert exit_code is not None, text
    return text


def shown(console, section):
    """What programs printed; the kernel's messages come whenever they do."""
    lines = machine.sections(console)[section].splitlines()
    return "\n".join(line for line in lines if not line.startswith("["))


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_map_is_refused(console, text):
    assert shown(console, text) == f"sh: write error: {REFUSED[text]}\n0", console


def test_a_map_is_taken(console):
    assert shown(console, "written") == ""
    sizes = {"colours": "16", "channels": "1", "ranks": "2", "banks": "8", "size": "0x8000000", "base": "0x80000000"}
    assert {file: shown(console, file) for file in sizes} == sizes
    assert shown(console, "masks").split("\n") == ["bank0 0x22000", "bank1 0x44000", "bank2 0x88000", "rank0 0x10000"]
    assert shown(console, "map") == "0x8000000@0x80000000,bank:22000+44000+88000,rank:10000"


@pytest.mark.parametrize("name", TESTS)
def test_the_selftest_passes(console, name):
    assert policies.wrong(name, shown(console, name)) == [], console
