# SPDX-License-Identifier: Apache-2.0
"""The parts of the library that touch no register, compiled for this machine, beside models that are told here anew."""

import ctypes
import random
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]
SOURCES = ("utility.c", "frames.c", "recovery.c", "greatest.c")
OK, NULL, RANGE, COSTS, STATE, NONE_LEFT = range(6)
FREE, CLEAN, DIRTY = range(3)
VALID = 1 << 63


class Costs(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint32)
        for name in ("nvm_read", "nvm_write", "dram_read", "dram_write", "migrate", "write_back")
    ]


class Use(ctypes.Structure):
    _fields_ = [("reads", ctypes.c_uint32), ("writes", ctypes.c_uint32)]


class Threshold(ctypes.Structure):
    _fields_ = [
        ("cycles", ctypes.c_int64),
        ("step", ctypes.c_int64),
        ("greatest", ctypes.c_int64),
        ("swaps_tolerated", ctypes.c_uint32),
    ]


class Frame(ctypes.Structure):
    _fields_ = [
        ("page", ctypes.c_uint64),
        ("next", ctypes.c_uint32),
        ("previous", ctypes.c_uint32),
        ("first", ctypes.c_uint32),
        ("other", ctypes.c_uint32),
        ("list", ctypes.c_int),
    ]


class Frames(ctypes.Structure):
    _fields_ = [
        ("frame", ctypes.POINTER(Frame)),
        ("count", ctypes.c_uint32),
        ("head", ctypes.c_uint32 * 3),
        ("tail", ctypes.c_uint32 * 3),
        ("length", ctypes.c_uint32 * 3),
    ]


class Layout(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("first_page", "pages", "first_frame", "frames")]


class Found(ctypes.Structure):
    _fields_ = [("in_dram", ctypes.c_uint64), ("bad", ctypes.c_uint64)]


# Overflow, shifts and indices out of range end the test.
UNDEFINED = ("-fsanitize=undefined", "-fno-sanitize-recover=all", "-fsanitize-undefined-trap-on-error")


def compiled(library, *sources):
    """The sources as a library of this machine, which ends the process where C does not say what happens."""
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *UNDEFINED]
    subprocess.run(["gcc", *flags, f"-I{FOLDER}", "-o", library, *sources], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("hybrid") / "hybrid.so", *(FOLDER / name for name in SOURCES))


@pytest.fixture
def rng():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    return random.Random(seed)


def some_costs(rng, greatest=5000):
    dram_read, dram_write = rng.randrange(greatest), rng.randrange(greatest)
    return Costs(
        dram_read + rng.randrange(greatest) + 1,
        dram_write + rng.randrange(greatest),
        dram_read,
        dram_write,
        rng.randrange(100 * greatest),
        rng.randrange(100 * greatest),
    )


def saved(costs, reads, writes):
    return (costs.nvm_read - costs.dram_read) * reads + (costs.nvm_write - costs.dram_write) * writes


def test_benefits_are_those_of_the_equations(hybrid, rng):
    answer = ctypes.c_int64()
    for greatest in (10, 5000, 1 << 24):
        for _ in range(300):
            costs = some_costs(rng, greatest)
            use, leaves = (Use(rng.randrange(1 << 15), rng.randrange(1 << 15)) for _ in range(2))
            assert hybrid.utility_benefit(ctypes.byref(costs), use, ctypes.byref(answer)) == OK
            assert answer.value == saved(costs, use.reads, use.writes) - costs.migrate
            for dirty in (False, True):
                code = hybrid.utility_swap_benefit(
                    ctypes.byref(costs), use, leaves, ctypes.c_bool(dirty), ctypes.byref(answer)
                )
                less = saved(costs, leaves.reads, leaves.writes) + costs.migrate + dirty * costs.write_back
                assert (code, answer.value) == (OK, saved(costs, use.reads, use.writes) - less)


def test_the_least_count_is_the_first_that_is_worth_a_move(hybrid, rng):
    count, found = ctypes.c_uint32(), 0
    for _ in range(500):
        costs, threshold = some_costs(rng), rng.randrange(1 << 20)
        code = hybrid.utility_least_count(ctypes.byref(costs), ctypes.c_int64(threshold), 32767, ctypes.byref(count))
        if saved(costs, 32767, 0) - costs.migrate <= threshold:
            assert code == RANGE
            continue
        assert code == OK
        assert saved(costs, count.value, 0) - costs.migrate > threshold
        assert saved(costs, count.value - 1, 0) - costs.migrate <= threshold
        found += 1
    assert found > 50


def test_a_write_weighs_what_it_saves(hybrid, rng):
    weight = ctypes.c_uint32()
    for _ in range(500):
        costs = some_costs(rng)
        assert hybrid.utility_write_weight(ctypes.byref(costs), 31, ctypes.byref(weight)) == OK
        ratio = (costs.nvm_write - costs.dram_write) / (costs.nvm_read - costs.dram_read)
        assert abs(weight.value - min(max(ratio, 1), 31)) <= 0.5


@pytest.mark.parametrize(
    "costs, code",
    [
        (Costs(20, 20, 20, 20, 1, 1), COSTS),
        (Costs(10, 30, 20, 20, 1, 1), COSTS),
        (Costs(30, 10, 20, 20, 1, 1), COSTS),
        (Costs(21, 20, 20, 20, 1, 1), OK),
        (None, NULL),
    ],
)
def test_costs_by_which_nvm_is_not_slower_are_refused(hybrid, costs, code):
    answer = ctypes.c_int64(77)
    pointer = ctypes.byref(costs) if costs else None
    assert hybrid.utility_check(pointer) == code
    assert hybrid.utility_benefit(pointer, Use(1, 1), ctypes.byref(answer)) == code
    assert hybrid.utility_swap_benefit(pointer, Use(1, 1), Use(1, 1), False, ctypes.byref(answer)) == code
    assert code == OK or answer.value == 77


def test_uses_beyond_counting_and_answers_to_nowhere_are_refused(hybrid):
    costs, answer = Costs(2, 2, 1, 1, 1, 1), ctypes.c_int64(77)
    for use in (Use(1 << 30, 0), Use(0, 0xFFFFFFFF)):
        assert hybrid.utility_benefit(ctypes.byref(costs), use, ctypes.byref(answer)) == RANGE
        assert hybrid.utility_swap_benefit(ctypes.byref(costs), Use(1, 1), use, False, ctypes.byref(answer)) == RANGE
    assert hybrid.utility_benefit(ctypes.byref(costs), Use(1, 1), None) == NULL
    assert hybrid.utility_write_weight(ctypes.byref(costs), 0, ctypes.byref(answer)) == RANGE
    assert hybrid.utility_least_count(ctypes.byref(costs), ctypes.c_int64(-1), 10, ctypes.byref(answer)) == RANGE
    assert answer.value == 77


def test_the_threshold_follows_the_swaps(hybrid, rng):
    threshold = Threshold(0, 300, 1000, 4)
    expected = 0
    for _ in range(500):
        swaps = rng.randrange(9)
        assert hybrid.utility_threshold_update(ctypes.byref(threshold), swaps) == OK
        expected = min(1000, expected + 300) if swaps > 4 else max(0, expected - 300)
        assert threshold.cycles == expected
    for bad in (Threshold(-1, 1, 1, 1), Threshold(0, -1, 1, 1), Threshold(2, 1, 1, 1)):
        assert hybrid.utility_threshold_update(ctypes.byref(bad), 1) == RANGE
    assert hybrid.utility_threshold_update(None, 1) == NULL


def frames_against_lists(hybrid, rng, steps=4000, count=13):
    """Random calls; the model is three Python lists."""
    storage, frames = (Frame * count)(), Frames()
    assert hybrid.frames_init(ctypes.byref(frames), storage, count) == OK
    lists = [list(range(count)), [], []]
    page_of = {}
    answer = ctypes.c_uint32()
    for _ in range(steps):
        frame = rng.randrange(count)
        where = next(kind for kind in range(3) if frame in lists[kind])
        call = rng.choice(("next", "hold", "mark", "release"))
        if call == "next":
            assert hybrid.frames_next(ctypes.byref(frames), ctypes.byref(answer)) == OK
            assert answer.value == next(members[0] for members in lists if members)
        elif call == "hold":
            held = {page_of[each] for each in lists[CLEAN] + lists[DIRTY]}
            page = rng.choice(sorted(held)) if held and rng.randrange(3) == 0 else rng.randrange(1 << 40)
            code = hybrid.frames_hold(ctypes.byref(frames), frame, ctypes.c_uint64(page))
            assert code == (OK if where == FREE and page not in held else STATE)
            if code == OK:
                lists[FREE].remove(frame)
                lists[CLEAN].append(frame)
                page_of[frame] = page
        elif call == "mark":
            to = rng.choice((CLEAN, DIRTY))
            code = hybrid.frames_mark(ctypes.byref(frames), frame, ctypes.c_bool(to == DIRTY))
            assert code == (STATE if where == FREE else OK)
            if code == OK and where != to:
                lists[where].remove(frame)
                lists[to].append(frame)
        else:
            code = hybrid.frames_release(ctypes.byref(frames), frame)
            assert code == (STATE if where == FREE else OK)
            if code == OK:
                lists[where].remove(frame)
                lists[FREE].append(frame)
        assert list(frames.length) == [len(members) for members in lists]
        for kind in (CLEAN, DIRTY):
            assert all(storage[each].page == page_of[each] for each in lists[kind])


def test_frames_are_in_the_lists_that_a_model_has(hybrid, rng):
    frames_against_lists(hybrid, rng)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("frames->tail[list] = number;\n  ++", "frames->tail[list] = frames->head[list];\n  ++"),
        ("if (is_held(frames, page)) return", "if (is_held(frames, page) && frame == frames->count) return"),
    ],
    ids=["a frame joins its list at the head", "a page is held twice"],
)
def test_frames_that_are_wrong_are_found(right, wrong, tmp_path, rng):
    """The model sees a mistake."""
    source = (FOLDER / "frames.c").read_text()
    broken = source.replace(right, wrong)
    assert broken != source
    (tmp_path / "frames.c").write_text(broken)
    library = compiled(tmp_path / "broken.so", tmp_path / "frames.c")
    with pytest.raises(AssertionError):
        frames_against_lists(library, rng)


def test_frames_that_are_none_are_refused(hybrid):
    storage, frames = (Frame * 2)(), Frames()
    assert hybrid.frames_init(ctypes.byref(frames), storage, 0) == RANGE
    assert hybrid.frames_init(ctypes.byref(frames), None, 2) == NULL
    assert hybrid.frames_init(None, storage, 2) == NULL
    assert hybrid.frames_init(ctypes.byref(frames), storage, 2) == OK
    assert hybrid.frames_hold(ctypes.byref(frames), 2, ctypes.c_uint64(1)) == RANGE
    assert hybrid.frames_mark(ctypes.byref(frames), 2, True) == RANGE
    assert hybrid.frames_release(ctypes.byref(frames), 2) == RANGE
    assert hybrid.frames_next(ctypes.byref(frames), None) == NULL


FIRST_PAGE, PAGES, FIRST_FRAME, FRAMES = 4096, 300, 1000, 64


def test_recovery_finds_the_pages_that_were_in_dram(hybrid, rng):
    for _ in range(50):
        entries, expected, bad = [], [], 0
        for page in range(PAGES):
            kind = rng.randrange(6)
            frame = rng.randrange(FIRST_FRAME, FIRST_FRAME + FRAMES)
            if kind == 0:
                entries.append(VALID | rng.getrandbits(11) << 52 | frame)
                expected.append(FIRST_PAGE + page)
            elif kind == 1:
                entries.append(VALID | rng.choice((0, FIRST_FRAME - 1, FIRST_FRAME + FRAMES, (1 << 52) - 1)))
                bad += 1
            else:
                entries.append(rng.getrandbits(63))
        table, found = (ctypes.c_uint64 * PAGES)(*entries), Found()
        pages, layout = (ctypes.c_uint64 * PAGES)(), Layout(FIRST_PAGE, PAGES, FIRST_FRAME, FRAMES)
        if expected:
            room = ctypes.c_uint64(len(expected) - 1)
            code = hybrid.recovery_run(table, ctypes.byref(layout), pages, room, ctypes.byref(found))
            assert code == RANGE and list(table) == entries
        room = ctypes.c_uint64(len(expected))
        assert hybrid.recovery_run(table, ctypes.byref(layout), pages, room, ctypes.byref(found)) == OK
        assert (list(pages[: len(expected)]), found.in_dram, found.bad) == (expected, len(expected), bad)
        assert not any(entry & VALID for entry in table)


LAST = (1 << 64) - 1
NO_LAYOUTS = (
    Layout(FIRST_PAGE, 0, 0, 1),
    Layout(FIRST_PAGE, 8, 0, 0),
    Layout(FIRST_PAGE, 8, FIRST_PAGE - 3, 4),
    # sums that wrap
    Layout(FIRST_PAGE, 8, LAST, 8),
    Layout(FIRST_PAGE, 8, LAST - FIRST_PAGE, 8),
    Layout(FIRST_PAGE, 8, 8, LAST),
    Layout(FIRST_PAGE, 8, LAST, LAST),
    Layout(LAST, 8, 0, 4),
    Layout((1 << 52) - 7, 8, 0, 4),
    Layout(8, LAST, 0, 4),
)


def is_refused(hybrid, layout):
    table = (ctypes.c_uint64 * 8)(*[VALID] * 8)
    code = hybrid.recovery_run(table, ctypes.byref(layout), None, ctypes.c_uint64(0), ctypes.byref(Found()))
    return code == RANGE and list(table) == [VALID] * 8


@pytest.mark.parametrize("layout", NO_LAYOUTS)
def test_recovery_of_no_layout_is_refused(hybrid, layout):
    assert is_refused(hybrid, layout)


def test_a_layout_whose_sum_wraps_is_found(tmp_path):
    """The test above sees a mistake: a sum in place of a difference."""
    source = (FOLDER / "recovery.c").read_text()
    right = "layout->first_frame <= layout->first_page - layout->frames"
    broken = source.replace(right, "layout->first_frame + layout->frames <= layout->first_page")
    assert broken != source
    (tmp_path / "recovery.c").write_text(broken)
    library = compiled(tmp_path / "broken.so", tmp_path / "recovery.c")
    assert not all(is_refused(library, layout) for layout in NO_LAYOUTS if layout.pages == 8)


def test_the_last_layout_that_is_possible(hybrid):
    """The region ends where page numbers do, and frames fill all below it."""
    pages = (1 << 52) - 8
    table, found = (ctypes.c_uint64 * 8)(*[VALID | pages - 1] * 8), Found()
    layout, in_dram = Layout(pages, 8, 0, pages), (ctypes.c_uint64 * 8)()
    assert hybrid.recovery_run(table, ctypes.byref(layout), in_dram, ctypes.c_uint64(8), ctypes.byref(found)) == OK
    assert (list(in_dram), found.in_dram, found.bad) == ([pages + index for index in range(8)], 8, 0)


def test_the_greatest_costs_and_uses_overflow_nothing(hybrid):
    """Products of the largest numbers that are accepted, of either sign."""
    answer, most = ctypes.c_int64(), (1 << 32) - 1
    slow, fast = Costs(most, most, 0, 0, most, most), Costs(1, 0, 0, 0, most, most)
    for costs in (slow, fast):
        for one, other in ((Use(0, 0), Use((1 << 30) - 1, (1 << 30) - 1)), (Use((1 << 30) - 1, 0), Use(0, 0))):
            code = hybrid.utility_swap_benefit(ctypes.byref(costs), one, other, True, ctypes.byref(answer))
            left = saved(costs, other.reads, other.writes) + costs.migrate + costs.write_back
            assert (code, answer.value) == (OK, saved(costs, one.reads, one.writes) - left)
        weight = ctypes.c_uint32()
        assert hybrid.utility_write_weight(ctypes.byref(costs), most, ctypes.byref(weight)) == OK
        assert hybrid.utility_least_count(
            ctypes.byref(costs), ctypes.c_int64(LAST >> 2), most, ctypes.byref(weight)
        ) == (RANGE if costs is fast or (LAST >> 2) // most >= most else OK)


def test_the_greatest_counts_come_first(hybrid, rng):
    for _ in range(200):
        counts = [rng.randrange(20) for _ in range(rng.randrange(1, 40))]
        least, most = rng.randrange(1, 20), rng.randrange(1, 12)
        places = (ctypes.c_uint32 * most)()
        found = hybrid.hot_greatest((ctypes.c_uint16 * len(counts))(*counts), len(counts), least, places, most)
        enough = [place for place in range(len(counts)) if counts[place] >= least]
        expected = sorted(enough, key=lambda place: (-counts[place], place))
        assert list(places[:found]) == expected[:most]
