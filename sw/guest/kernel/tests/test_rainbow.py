# SPDX-License-Identifier: Apache-2.0
"""Rainbow's driver in a guest on QEMU whose controller is plain memory: what it takes from the registers and puts
there, what it takes from DRAM and gives back, and what it refuses. That pages move is seen on the SoC alone."""

import functools
import math

import guest_cc
import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import ROOT

FOLDER = "/sys/bus/platform/drivers/weir-rainbow/weir-rainbow.*"
PAGE = 4096
FIRST_PAGE = machine.rank_bytes(2) // PAGE
"""Number of the first page of NVM, the second of two ranks."""

FRAMES = 512
RESERVED_FRAMES = 768
TABLE_BYTES = 8 * FIRST_PAGE
"""Of pointers: NVM has as many pages as DRAM by the registers, if fewer by the memory."""


def _reserved(name, address, size):
    return f"{name}: {name}@{address:x} {{ reg = <0x0 {address:#x} 0x0 {size:#x}>; no-map; }};"


FRAME_BASE = 0x8000_0000 + (FIRST_PAGE - RESERVED_FRAMES) * PAGE
TABLE_BASE = machine.REGISTERS - (1 << 20)
RESERVED = "\n".join(
    (_reserved("frames", FRAME_BASE, RESERVED_FRAMES * PAGE), _reserved("pointers", TABLE_BASE, TABLE_BYTES))
)
MOVED = (3, 700)
"""Pages of NVM that a power cut has found in DRAM."""

MEMORY = """memory-region = <&pointers>, <&frames>; memory-region-names = "pointers", "frames";"""

REMAP = {
    "bitmap": "remap_bitmap_base",
    "pointer": "remap_pointer_base",
    "frame": "remap_frame_base",
    "count": "remap_frame_count",
    "control": "remap_control",
    "enable": "interrupt_enable",
    "counted": "hot_control",
    "interval": "hot_interval",
    "threshold": "hot_threshold",
    "weights": "hot_weights",
}


def controller(interrupt=True, more=""):
    interrupts = "interrupt-parent = PLIC; interrupts = <20>;" if interrupt else ""
    return machine.controller(more=interrupts + more)


@functools.cache
def weir():
    """The registers of a config with an NVM region."""
    return registers.read(registers.HYBRID_RDL)


def poke(register):
    """Command that prints a register, or writes it with a value behind."""
    return f"poke {machine.REGISTERS + weir()[register].offset:#x}"


def boot(folder, script, node, reserved=RESERVED, image=machine.GUEST / "Image"):
    """Section -> what of a boot that runs `script` it has, in a guest whose kernel is the file `image`."""
    changes = {
        "remap_region": FIRST_PAGE,
        "hot_region": FIRST_PAGE // 512,
        "memory_bytes_low": 2 * machine.rank_bytes(2),
    }
    parts = machine.rank_row_bank_column(2)
    values = registers.after_reset(weir(), parts, changes)
    program = guest_cc.compiled(folder / "poke", ROOT / "sw/guest/kernel/tests/guest/poke.c")
    peeks = "".join(f"echo '== {name}'; {poke(register)}\n" for name, register in REMAP.items())
    text, exit_code = machine.run(
        folder,
        script.replace("PEEK", peeks) + "echo '== end'\n",
        registers.image(values),
        node,
        ranks=2,
        files={"/bin/poke": program},
        options=["--append", "loglevel=7", "--image", image],
        reserved=reserved,
    )
    assert exit_code == 0, text
    return {"console": text, **machine.sections(text)}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    nvm, control = poke("nvm_control"), poke("remap_control")
    valid = [f"{TABLE_BASE + 8 * page + 4:#x}" for page in MOVED]
    return boot(
        tmp_path_factory.mktemp("rainbow"),
        f"""
cd {FOLDER}
for file in enabled node frames interval_us superpages write_weight costs/* statistics/least_count; do
  echo "== $file"; cat $file
done
for tier in /sys/devices/virtual/memory_tiering/memory_tier*; do
  echo "== nodes of ${{tier##*/memory_tier}}"; cat $tier/nodelist
done
poke {" 0x80000000 ".join(valid)} 0x80000000
refuse() {{ echo "$2" >$1 && echo "$1 takes $2"; cat $1; }}
echo '== refused'; exec 2>&1
refuse interval_us 99; refuse frames 0; refuse frames {RESERVED_FRAMES + 1}; refuse superpages 101
refuse write_weight 32; refuse enabled maybe; refuse costs/nvm_read_ns 46; refuse costs/dram_write_ns 379
echo '== migrate without costs'; echo migrate >mechanism; echo 1 >enabled; cat enabled; echo remap >mechanism
echo 2500 >costs/migrate_ns
echo '== already enabled'; {control} 1; echo 1 >enabled; cat enabled; {control} 0
echo '== fast nvm'; {nvm} 0; echo 1 >enabled; cat enabled; {nvm} 1
echo {FRAMES} >frames; echo 1000 >interval_us; echo 1 >enabled
echo '== started'; cat enabled statistics/free_frames statistics/recovered
PEEK
echo '== pointers of moved pages'; {"; ".join(f"poke {address}" for address in valid)}
echo '== frames while enabled'; echo 7 >frames; cat frames
echo '== mechanism while enabled'; echo migrate-huge >mechanism; cat mechanism
echo 0 >enabled
echo '== stopped'; cat enabled; {control}
echo migrate-huge >mechanism; echo 1 >enabled
echo '== huge'; cat enabled mechanism; {control}; {poke("hot_control")}
echo 0 >enabled; echo remap >mechanism
echo 1 >enabled; cd /
echo $(basename {FOLDER}) >/sys/bus/platform/drivers/weir-rainbow/unbind
echo '== unbound'; ls -d {FOLDER} 2>&1; {control}
""",
        controller(more=MEMORY),
    )


def number(shown, name):
    return int(shown[name].split()[-1], 0)


def test_defaults_are_the_papers(shown):
    assert shown["enabled"] == "0"
    assert shown["node"] == "1"
    # all that are reserved
    assert shown["frames"] == str(RESERVED_FRAMES)
    # 10^8 cycles of 5 ns, N = 100
    assert shown["interval_us"] == "500000"
    assert shown["superpages"] == "100"


def test_costs_are_of_the_timings(shown):
    # MT41J128M8JP-125, clocks of 1.25 ns: tRP, tRCD and CL 11, CWL 8, tWR 12, a burst of 4; PCM of Rainbow's Table IV:
    # tRP 150 ns, tRCD 55.5 ns, 6 ns more for a read, 171 ns for a write
    clock = 1.25
    row = math.ceil(150 / clock) + math.ceil(55.5 / clock)
    expected = {
        "dram_read_ns": (11 + 11 + 11 + 4) * clock,
        "dram_write_ns": (11 + 11 + 8 + 4 + 12) * clock,
        "nvm_read_ns": (row + 11 + 4 + math.ceil(6 / clock)) * clock,
        "nvm_write_ns": (row + math.ceil(171 / clock)) * clock,
    }
    for name, nanoseconds in expected.items():
        assert abs(int(shown[f"costs/{name}"]) - nanoseconds) <= 0.5, name


def test_nvm_is_a_lower_tier(shown):
    """By how much longer its accesses take than DRAM's, of which the distance is 576, in tiers of 128."""
    nvm, dram = (
        sum(int(shown[f"costs/{name}_{access}_ns"]) for access in ("read", "write")) for name in ("nvm", "dram")
    )
    tiers = {name: shown[name] for name in shown if name.startswith("nodes of")}
    assert tiers == {"nodes of 4": "0", f"nodes of {576 * nvm // dram // 128}": "1"}
    assert nvm > 3 * dram


def test_bad_values_are_refused(shown):
    assert "takes" not in shown["refused"]
    values = [line for line in shown["refused"].splitlines() if line.isdigit()]
    costs = [shown[f"costs/{name}_ns"] for name in ("nvm_read", "dram_write")]
    assert values == ["500000", *2 * [str(RESERVED_FRAMES)], "100", "0", "0", *costs]


@pytest.mark.parametrize(
    ("when", "said", "told"),
    [
        ("migrate without costs", "Invalid argument", "costs/migrate_ns of moves by page tables has to be written"),
        ("already enabled", "busy", "pages live in DRAM that nobody here has moved there"),
        ("fast nvm", "No such device", "NVM is not slower than DRAM"),
    ],
)
def test_it_stays_disabled_where_it_cannot_work(shown, when, said, told):
    assert said in shown[when] and "0" in shown[when].splitlines()
    assert told in shown["console"]


def test_frames_and_pointers_are_where_memory_is_reserved(shown):
    assert shown["started"].split()[:2] == ["1", str(FRAMES)]
    assert number(shown, "count") == FRAMES
    assert number(shown, "frame") == FIRST_PAGE - RESERVED_FRAMES
    assert number(shown, "pointer") == (TABLE_BASE - 0x8000_0000) // PAGE
    assert 0 < number(shown, "bitmap") < FIRST_PAGE
    # enabled, with a table
    assert number(shown, "control") == 0x11
    assert "busy" in shown["frames while enabled"] and shown["frames while enabled"].endswith(str(FRAMES))


def test_pages_that_had_not_come_home_are_told(shown):
    assert shown["started"].split()[2] == str(len(MOVED))
    assert f"{len(MOVED)} pages had not come home" in shown["console"]
    assert {int(word, 0) for word in shown["pointers of moved pages"].split()} == {0}


def test_the_controller_counts_as_the_costs_say(shown):
    # of the interval's end and the hot list
    assert number(shown, "enable") == 3
    # 1 ms in cycles of 5 ns
    assert number(shown, "interval") == 200_000
    nvm_read, nvm_write, dram_read, dram_write = (
        int(shown[f"costs/{name}_ns"]) for name in ("nvm_read", "nvm_write", "dram_read", "dram_write")
    )
    saved = nvm_read - dram_read
    assert number(shown, "threshold") == 2500 // saved + 1
    weight = round((nvm_write - dram_write) / saved)
    assert number(shown, "weights") == weight | weight << 8


def counts(value, field):
    return bool(value >> weir()["hot_control"].fields[field][0] & 1)


def test_pages_of_superpages_are_counted_if_pages_move(shown):
    assert counts(number(shown, "counted"), "superpages") and counts(number(shown, "counted"), "pages")
    assert "busy" in shown["mechanism while enabled"] and shown["mechanism while enabled"].endswith("remap")
    enabled, mechanism, remapping, control = shown["huge"].split()
    assert (enabled, mechanism) == ("1", "migrate-huge")
    assert int(remapping, 0) & 1 == 0
    assert counts(int(control, 0), "superpages") and not counts(int(control, 0), "pages")


def test_it_ends_when_it_is_told_and_when_it_is_unbound(shown):
    assert shown["stopped"].split()[0] == "0"
    assert int(shown["stopped"].split()[1], 0) & 1 == 0
    assert "No such file" in shown["unbound"]
    assert int(shown["unbound"].split()[-1], 0) & 1 == 0


DRIVERS = "echo '== drivers'; ls -d /sys/bus/platform/drivers/weir*/*.*\n"


@pytest.mark.parametrize(
    ("node", "reserved", "said"),
    [
        (controller(interrupt=False), "", "no interrupt"),
        (
            controller(more=MEMORY),
            RESERVED.replace("reg = <0x0 0x8", "reg = <0x0 0x7"),
            "memory-region of the pointers",
        ),
        (
            controller(more=MEMORY.replace("<&pointers>, <&frames>", "<&pointers>, <&pointers>")),
            RESERVED,
            f"memory-region of the frames, [mem {TABLE_BASE:#010x}-{TABLE_BASE + TABLE_BYTES - 1:#010x}]: must be "
            f"1 pages or more, from page 0 up to {FIRST_PAGE}",
        ),
    ],
)
def test_what_is_wrong_in_the_device_tree_is_told(tmp_path, node, reserved, said):
    shown = boot(tmp_path, DRIVERS, node, reserved)
    assert "memory-controller" in shown["drivers"]
    assert "weir-rainbow." not in shown["drivers"]
    assert said in shown["console"]


ENABLE = f"exec 2>&1; cd {FOLDER}; echo 2500 >costs/migrate_ns; echo {FRAMES} >frames; echo 1 >enabled"


def test_without_memory_for_frames_it_stays_disabled(tmp_path):
    shown = boot(tmp_path, f"echo '== enabled'; {ENABLE}; cat {FOLDER}/enabled\n", controller(), "")
    assert "Not supported" in shown["enabled"]
    assert shown["enabled"].splitlines()[-1] == "0"


@pytest.mark.long
def test_frames_come_from_dram_and_go_back(tmp_path):
    """In the kernel with debug options, which can make room for a range of pages (`make kunit`)."""
    free = "grep MemFree /sys/devices/system/node/node0/meminfo"
    script = f"""{ENABLE}
PEEK
echo '== before'; {free}; echo 0 >enabled
echo '== after'; {free}
"""
    shown = boot(tmp_path, script, controller(), "", machine.GUEST / "kunit" / "Image")
    assert number(shown, "count") == FRAMES
    assert 0 < number(shown, "frame") <= FIRST_PAGE - FRAMES
    # pointers stand in pages' homes
    assert number(shown, "control") == 1
    gained = int(shown["after"].split()[-2]) - int(shown["before"].split()[-2])
    # the CPU's own list keeps some of the pages
    assert gained * 1024 >= FRAMES * PAGE // 2
    assert machine.objections(shown["console"]) == []
