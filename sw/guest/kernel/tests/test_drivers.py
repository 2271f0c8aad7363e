# SPDX-License-Identifier: Apache-2.0
"""Weir's drivers in Linux and weirstat, in a guest on QEMU that finds the registers of config soc-64 in plain memory:
what is shown, what is refused, and how changes of the counters are counted. `make guest` builds what is run here.

Each boot runs one script, in sections that tests then look at.
"""

import re
import tomllib

import guest_cc
import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import ROOT, ROW_RANK_BANK_COLUMN, after_reset, with_fields

DEVICE = f"/sys/bus/platform/drivers/weir/{machine.REGISTERS:x}.memory-controller"


@pytest.fixture(scope="session")
def weir():
    """{name: Register} of soc-64."""
    return registers.read()


# ---- programs that only tests need


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """{path in the guest: file} of the helpers in guest/."""
    folder = tmp_path_factory.mktemp("programs")
    sources = (ROOT / "sw/guest/kernel/tests/guest").glob("*.c")
    return {f"/bin/{source.stem}": guest_cc.compiled(folder / source.stem, source) for source in sources}


def sections(folder, programs, scripts, **options):
    """What each of `scripts` {name: shell commands} prints in one boot, errors included."""
    text = "".join(f"echo '== {name}'\n{{ {commands.strip()}\n}} 2>&1\n" for name, commands in scripts.items())
    console, exit_code = machine.run(folder, f"{text}echo '== end'\n", files=programs, **options)
    assert exit_code == 0, console
    return machine.sections(console)


# ---- a controller as in the SoC


@pytest.fixture(scope="module")
def present(tmp_path_factory, weir, programs):
    """Sections of a boot with soc-64's registers."""
    before = {f"source_rank[1][0].{name}_low": 0xFFFFFFF0 for name in ("read_hits", "read_delay")}
    change = " ".join(
        [
            machine.counter(weir, "channel.cycles", 2_000_000),
            machine.counter(weir, "source_rank[1][0].read_hits", 0xFFFFFFF0 + 700),
            machine.counter(weir, "source_rank[1][0].read_misses", 200),
            machine.counter(weir, "source_rank[1][0].read_conflicts", 100),
            machine.counter(weir, "source_rank[1][0].write_hits", 50),
            machine.counter(weir, "source_rank[1][0].write_conflicts", 200),
            machine.counter(weir, "source_rank[1][0].read_delay", 0xFFFFFFF0 + 12_800),
            machine.counter(weir, "source_rank[1][1].read_misses", 1),
            machine.counter(weir, "rank[1].refreshes", 12),
        ]
    )
    error = machine.REGISTERS + weir["error"].offset
    geometry = machine.REGISTERS + weir["geometry"].offset
    latch = machine.REGISTERS + weir["counters_latch"].offset
    rows = with_fields(weir, "geometry", row_bits=13)
    scripts = {
        "dmesg": "dmesg | grep -i weir",
        "sysfs": f"cd {DEVICE}; for file in geometry/* address_map/* policies/* timings/*; do "
        'echo "$file=$(cat $file)"; done; cd /',
        "modes": f"ls -l {DEVICE}/policies/row_policy {DEVICE}/geometry/ranks {DEVICE}/policies/slow_memory",
        "selftest sysfs": "/selftests/weir/weir_sysfs; echo code $?",
        "selftest pmu": "/selftests/weir/weir_pmu; echo code $?",
        "written": f"echo timeout > {DEVICE}/policies/row_policy; echo 3 > {DEVICE}/policies/low_water_mark; "
        f"echo together > {DEVICE}/policies/drain_ranks; "
        + "; ".join(
            f"poke {machine.REGISTERS + weir[name].offset:#x}" for name in ("row_policy", "water_marks", "drain_policy")
        ),
        "latch": f"poke {latch:#x}",
        "list": "weirstat --list",
        "count": f"weirstat -H 0-1 -- poke {change}; echo code $?",
        "latched": f"poke {latch:#x}",
        "events": "weirstat -e read_latency,drains -r 1 -H 3 -- poke "
        f"{machine.counter(weir, 'read_latency[3][11].bursts', 4)} {machine.counter(weir, 'rank[1].drains', 5)} "
        f"{machine.counter(weir, 'rank[0].drains', 6)}",
        "no power": "weirstat -e reads,writes -- poke",
        "fields": f"weirstat -x : -H 1 -e read_hits,drains,read_latency -- poke "
        f"{machine.counter(weir, 'source_rank[1][1].read_hits', 77)} "
        f"{machine.counter(weir, 'read_latency[1][2].bursts', 9)}; "
        "echo code $?",
        "all": "weirstat -a -H 0-3 -- poke",
        "codes": "for script in 'exit 0' 'exit 7' 'kill -9 $$'; do "
        'weirstat -e cycles -- sh -c "$script" > /tmp/out 2>&1; echo $?; done; '
        "weirstat -e cycles -- missing 2> /tmp/out; echo $?; "
        "weirstat -e cycles -- /dev/null 2> /tmp/out; echo $?",
        **{
            f"timed {option}": f"weirstat {option} -e cycles -- sh -c "
            f"'poke {machine.counter(weir, 'channel.cycles', cycles)}; exec chase --quick'; echo code $?"
            for option, cycles in (("-H 0", 5_000_000), ("-t", 7_000_000))
        },
        "nothing timed": "weirstat -t -e cycles -- sh -c 'exit 0'; echo code $?",
        "no group": "WEIRSTAT_GROUP=77 chase --quick; echo code $?; WEIRSTAT_GROUP=x chase --quick; echo code $?",
        **{f"perf_open {arguments}": f"perf_open {arguments}" for arguments, _ in PERF},
        "user": "".join(f"as_user perf_open {arguments}; " for arguments, answer in PERF if answer == "counts"),
        **{f"weirstat {arguments}": f"weirstat {arguments}; echo code $?" for arguments, _ in BAD_ARGUMENTS},
        "broken geometry": f"poke {geometry:#x} {rows:#x}; /selftests/weir/weir_sysfs; echo code $?; "
        f"poke {geometry:#x} {weir['geometry'].reset:#x}",
        "all refused": f"poke {error:#x} 1; echo 5 > {DEVICE}/policies/refresh_idle; "
        "/selftests/weir/weir_sysfs; echo code $?; dmesg | grep 'refused for'",
    }
    image = registers.image(after_reset(weir, changes=before))
    folder = tmp_path_factory.mktemp("present")
    return sections(folder, programs, scripts, registers=image, node=machine.controller())


PERF = [
    ("event=0", "counts"),
    ("event=0x02", "counts"),
    ("event=0x1f", "EINVAL"),
    ("event=0x2a rank=1", "EINVAL"),
    ("event=0x2c rank=1", "counts"),
    ("event=0x3f rank=1", "EINVAL"),
    ("event=0x60 hart=3 rank=1", "counts"),
    ("event=0x60 hart=4 rank=1", "EINVAL"),
    ("event=0x60 hart=3 rank=2", "EINVAL"),
    ("event=0x60 hart=3 bucket=1", "EINVAL"),
    ("event=0x80 hart=0 bucket=11", "counts"),
    ("event=0x80 hart=0 bucket=12", "EINVAL"),
    ("event=0xa0", "EINVAL"),
    ("event=0 rank=1", "EINVAL"),
    ("event=0 channel=1", "EINVAL"),
    ("event=0 config=0x1000000000", "EINVAL"),
    ("event=0 config1=1", "EINVAL"),
    ("event=0 config2=1", "EINVAL"),
    ("event=0 period=1000", "EOPNOTSUPP"),
    ("event=0 pid=0", "EOPNOTSUPP"),
    ("event=0 cpu=-1", "EINVAL"),
    ("event=0x60 leader=1", "counts"),
    ("event=0x60 leader=2", "counts"),
]
"""Events, as perf_open takes them, and what the kernel says."""

BAD_ARGUMENTS = [
    ("-H 4 -- true", "harts '4': there are harts 0 to 3"),
    ("-H 2-1 -- true", "harts '2-1': there are harts 0 to 3"),
    ("-H one -- true", "harts 'one': not numbers and ranges as in 0,2-3"),
    ("-H 0, -- true", "harts '0,': not numbers and ranges as in 0,2-3"),
    ("-r 0,2 -- true", "ranks '0,2': there are ranks 0 to 1"),
    ("-e read_hits,reed -- true", "event 'reed': not one of those that weirstat --list prints"),
    ("-a -e cycles -- true", "-a and -e exclude one another"),
    ("--list -- true", "--list runs no command"),
    ("-a", "no command to run"),
    ('-x "" -- true', "-x needs a separator"),
]


def test_the_controller_is_found(present):
    assert "Weir 0.1.0: 2048 MiB, 1 channels, 2 ranks of 8 banks" in present["dmesg"]


@pytest.fixture(scope="module")
def shown(present):
    """{file: contents} of the controller's folder in sysfs."""
    return dict(line.split("=", 1) for line in present["sysfs"].splitlines() if "=" in line)


GEOMETRY = {
    "ranks": "geometry.ranks",
    "bank_groups": "geometry.bank_groups",
    "banks": "geometry.banks",
    "row_bits": "geometry.row_bits",
    "column_bits": "geometry.column_bits",
    "pseudo_ranks": "features.pseudo_ranks",
    "pseudo_ranks_refresh_apart": "features.pseudo_ranks_refresh_apart",
    "channels": "bus.channels",
    "data_bits": "bus.dq_bits",
    "phases": "bus.phases",
    "line_bytes": "bus.line_bytes",
    "ports": "ports.ports",
    "sources": "ports.sources",
    "read_queue": "queues.read",
    "write_queue": "queues.write",
    "clock_ps": "clock.tCK",
    "cl": "latency.cl",
    "cwl": "latency.cwl",
}
POLICIES = {
    "row_timeout": "row_timeout.value",
    "refresh_postpone": "refresh_postpone.value",
    "refresh_pull_in": "refresh_pull_in.value",
    "refresh_idle": "refresh_idle.value",
    "refresh_drain_ahead": "refresh_drain_ahead.value",
    "high_water_mark": "water_marks.high",
    "low_water_mark": "water_marks.low",
    "age_limit": "age_limit.value",
    "time_scale": "time_scale.factor",
    "slow_memory": "time_scale.slow_memory",
}


@pytest.mark.parametrize(
    ("file", "field"),
    [(f"geometry/{name}", field) for name, field in GEOMETRY.items()]
    + [(f"policies/{name}", field) for name, field in POLICIES.items()],
)
def test_numbers_are_those_of_the_registers(shown, weir, file, field):
    register, _, name = field.partition(".")
    low, bits = weir[register].fields[name]
    assert int(shown[file]) == weir[register].reset >> low & ((1 << bits) - 1)


@pytest.mark.parametrize(
    "timing",
    ["tRCD", "tRP", "tRAS", "tRC", "tRRD_S", "tFAW", "tWTR_S", "tRTP", "tWR", "tRTRS", "tRFC", "tREFI", "tZQCS"],
)
def test_timings_are_those_of_the_registers(shown, weir, timing):
    assert int(shown[f"timings/{timing.lower()}"]) == weir[timing].reset


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("address_map/map", "programmable"),
        ("policies/row_policy", "adaptive"),
        ("policies/refresh_policy", "defer_until_empty"),
        ("policies/refresh_granularity", "x1"),
        ("policies/drain_marks", "per_rank"),
        ("policies/drain_ranks", "apart"),
        ("policies/drain_priority", "reads_first"),
        ("policies/drain_start", "early"),
        ("policies/drain_reads", "wait"),
    ],
)
def test_choices_have_their_names(shown, file, name):
    assert shown[file] == name
    assert name in shown[f"{file}_available"].split()


def test_the_map_is_shown_bit_by_bit(shown):
    masks = {name.split("/")[1]: int(text, 0) for name, text in shown.items() if re.match(r"address_map/\w+\d$", name)}
    expected = {
        f"{part}{bit}": 1 << (lowest + bit)
        for part, (lowest, bits) in ROW_RANK_BANK_COLUMN.items()
        for bit in range(bits)
    }
    assert masks == expected


def test_only_what_may_change_can_be_written(present):
    modes = {line.split("/")[-1]: line[:10] for line in present["modes"].splitlines()}
    assert modes == {"row_policy": "-rw-r--r--", "ranks": "-r--r--r--", "slow_memory": "-r--r--r--"}


def test_writes_reach_their_fields_alone(present, weir):
    words = [int(word, 0) for word in present["written"].split()]
    assert words == [2, with_fields(weir, "water_marks", low=3), with_fields(weir, "drain_policy", ranks=1)]


@pytest.mark.parametrize(("selftest", "count"), [("sysfs", 13), ("pmu", 4)])
def test_selftests_pass(present, selftest, count):
    text = present[f"selftest {selftest}"]
    assert text.endswith("code 0"), text
    assert len(re.findall(r"^ok \d+", text, re.MULTILINE)) == count
    assert "SKIP" not in text


def test_selftests_see_a_geometry_that_does_not_fit_together(present):
    assert "not ok 1 geometry makes sense" in present["broken geometry"]
    assert "code 1" in present["broken geometry"]


def test_writes_that_are_refused_for_no_known_reason_fail(present):
    text = present["all refused"]
    assert "I/O error" in text
    assert "0x00000005 refused for register 0x0d4, cause 0" in text
    assert "not ok 9 numbers take their limits and no more" in text
    assert "code 1" in text


@pytest.mark.parametrize(("arguments", "answer"), PERF)
def test_perf_takes_events_of_counters_that_are_there(present, arguments, answer):
    assert present[f"perf_open {arguments}"] == answer


def test_who_is_not_root_counts_nothing(present):
    """What ranks do while one touches a page tells in which it lies; perf_event_paranoid is as it is at first."""
    counts = [arguments for arguments, answer in PERF if answer == "counts"]
    # a group needs a leader, which is refused without a word
    answers = {"Permission denied": len([arguments for arguments in counts if "leader" not in arguments])}
    assert {line: present["user"].splitlines().count(line) for line in present["user"].splitlines()} == answers


def test_counters_are_read_from_a_snapshot(present):
    assert (present["latch"], present["latched"]) == ("0x0", "0x1")


def rows(text):
    """{(event, hart, rank): count} of weirstat's table."""
    lines = re.findall(r"^(\S+) +(\d+|-) +(\d+|-) +(\d+) +\d+$", text, re.MULTILINE)
    return {(event, hart, rank): int(count) for event, hart, rank, count in lines}


def test_weirstat_counts_what_changed(present):
    counts = rows(present["count"])
    changed = {place: count for place, count in counts.items() if count}
    assert changed == {
        ("cycles", "-", "-"): 2_000_000,
        ("refreshes", "-", "1"): 12,
        ("read_hits", "1", "0"): 700,
        ("read_misses", "1", "0"): 200,
        ("read_conflicts", "1", "0"): 100,
        ("write_hits", "1", "0"): 50,
        ("write_conflicts", "1", "0"): 200,
        ("read_delay", "1", "0"): 12_800,
        ("read_misses", "1", "1"): 1,
    }
    assert len(counts) == 1 + 3 * 2 + 7 * 2 * 2
    assert present["count"].endswith("code 0")


def test_weirstat_counts_while_the_command_times_its_work(present):
    """What changes before it begins is counted without -t alone."""
    always, timed = present["timed -H 0"], present["timed -t"]
    assert rows(always)["cycles", "-", "-"] >= 3_000_000
    assert rows(timed) == {("cycles", "-", "-"): 0}
    assert "result=right" in timed and timed.endswith("code 0")
    assert present["nothing timed"] == "weirstat: sh timed no work\ncode 125"


def test_a_workload_refuses_what_is_no_group_of_counters(present):
    assert present["no group"].splitlines() == [
        "weir-bench: WEIRSTAT_GROUP=77: Bad file descriptor",
        "code 1",
        "weir-bench: WEIRSTAT_GROUP=x: not a file descriptor",
        "code 1",
    ]


def test_weirstat_derives_rates_and_delays(present):
    # 750 of 1250 accesses hit; 1250 * 64 bytes in 2 000 000 cycles of 5 ns; 12 800 cycles for 1000 reads
    lines = [line.split() for line in present["count"].splitlines()]
    assert ["1", "0", "60.0", "8.0", "12.8", "64.0"] in lines
    assert ["1", "1", "0.0", "0.0", "0.0", "0.0"] in lines
    assert ["0", "0", "-", "0.0", "-", "-"] in lines
    assert ["all", "all", "60.0", "8.0", "12.8", "63.9"] in lines


def test_weirstat_tells_no_energy_where_the_power_of_ranks_is_not_known(present):
    assert "energy" not in present["no power"]


def test_weirstat_prints_fields_for_programs(present):
    *counts, code = present["fields"].splitlines()
    fields = [line.split(":") for line in counts]
    assert fields[0][:3] == ["cycles", "", ""]
    values = {tuple(place): int(value) for *place, value in fields}
    assert {place: value for place, value in values.items() if value} == {
        ("read_hits", "1", "1"): 77,
        ("read_latency[2]", "1", ""): 9,
    }
    assert len(fields) == 1 + 2 + 2 + 12
    assert code == "code 0"


def test_weirstat_counts_chosen_events_at_chosen_places(present):
    counts = rows(present["events"])
    assert counts[("read_latency[11]", "3", "-")] == 4
    assert counts[("drains", "-", "1")] == 5
    assert len(counts) == 1 + 12 + 1


def counters(weir):
    """Names of all counters that the driver knows, as `rank[1].drains`: those that were released."""
    released = tomllib.loads((ROOT / "tests" / "regs" / "released.toml").read_text())["words"]
    names = [
        name.removesuffix("_low") for name, each in weir.items() if each.offset >= 0x1000 and name.endswith("_low")
    ]
    return [name for name in names if re.sub(r"\[\d+\]", "", name) in released]


def test_weirstat_counts_all_that_the_controller_counts(present, weir):
    assert len(rows(present["all"])) == len(counters(weir))


def test_weirstat_lists_events_with_what_they_are_counted_for(present, weir):
    listed = {line.split()[0]: line.split()[1:] for line in present["list"].splitlines()}
    names = {name.split(".")[1] for name in counters(weir)}
    assert set(listed) == names - {"bursts"} | {"read_latency"}
    assert listed["drains"] == ["for", "each", "rank"]
    assert listed["read_hits"] == ["for", "each", "hart", "and", "rank"]
    assert listed["read_latency"] == ["for", "each", "hart", "and", "bucket"]
    assert listed["cycles"] == []


def test_the_exit_code_is_the_commands(present):
    assert present["codes"].split() == ["0", "7", "137", "127", "126"]


@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS)
def test_weirstat_names_what_is_wrong_with_its_arguments(present, arguments, message):
    text = present[f"weirstat {arguments}"]
    assert text.startswith(f"weirstat: {message}\n"), text
    assert text.endswith("code 2")


# ---- a controller as on a board: fewer counters of fewer bits, nothing to change; two harts

BITS = 40


@pytest.fixture(scope="module")
def board(tmp_path_factory, weir, programs):
    """Sections of a boot with two harts, and with what a controller has that counts only events and whose policies are
    fixed. Its counters have 40 bits, and the cycles are about to wrap. For one counter of each rank the driver has no
    name."""
    features = with_fields(
        weir, "features", counters_explain=0, counter_bits=BITS, programmable_policies=0, programmable_timings=0,
        programmable_map=0,
    )  # fmt: skip
    cycles = machine.REGISTERS + 0x1000
    basic = {"counters_of_rank": 1 << 31 | 0x1F, "counters_of_source_rank": 0x3F, "counters_of_read_latency": 0}
    values = after_reset(weir, changes={"features": features, "time_scale": 0, **basic})
    values.update({0x1000: 0xFFFFFFF0, 0x1004: 0xFF})
    one_cpu_less = "echo 0 > /sys/devices/system/cpu/cpu{cpu}/online"
    scripts = {
        "files": f"ls -l {DEVICE}/policies {DEVICE}/timings {DEVICE}/address_map",
        "write": f"echo open > {DEVICE}/policies/row_policy; cat {DEVICE}/policies/row_policy",
        "events": "ls /sys/bus/event_source/devices/weir0/events",
        "selftest sysfs": "/selftests/weir/weir_sysfs; echo code $?",
        "selftest pmu": "/selftests/weir/weir_pmu; echo code $?",
        "wrap": f"weirstat -e cycles -- poke {cycles:#x} 0x30 {cycles + 4:#x} 0",
        "places": "weirstat -e write_conflicts,merged -- poke "
        # the fourth place of a hart at a rank, number 5, and the second of a hart, number 1
        f"{machine.REGISTERS + 0x8000 + 3 * 0x100 + 8 * 5:#x} 9 {machine.REGISTERS + 0x3000 + 0x40 + 8:#x} 8",
        "absent": "perf_open event=0x66; perf_open event=0x25; perf_open event=0x80",
        "unnamed": "perf_open event=0x3f rank=1",
        "cpumask": "cat /sys/bus/event_source/devices/weir0/cpumask",
        "move": f"follow '{one_cpu_less.format(cpu=0)} && cat /sys/bus/event_source/devices/weir0/cpumask && "
        f"poke {cycles:#x} 0x130'",
        "moved": "cat /sys/bus/event_source/devices/weir0/cpumask; weirstat -e cycles -- "
        f"poke {cycles:#x} 0x132 | grep cycles",
    }
    return sections(
        tmp_path_factory.mktemp("board"), programs, scripts, registers=registers.image(values),
        node=machine.controller(), harts=2,
    )  # fmt: skip


def test_what_is_fixed_cannot_be_written(board):
    files = re.findall(r"^(-\S+) .* (\S+)$", board["files"], re.MULTILINE)
    assert {mode for mode, _ in files} == {"-r--r--r--", "-r--------"}
    assert "time_scale" not in {name for _, name in files}
    assert "Permission denied" in board["write"]
    assert board["write"].endswith("adaptive")


def test_selftests_skip_what_is_fixed(board):
    assert board["selftest sysfs"].endswith("code 0")
    assert len(re.findall(r"^ok .*# SKIP", board["selftest sysfs"], re.MULTILINE)) == 7
    assert board["selftest pmu"].endswith("code 0")


def test_only_events_that_are_counted_are_there(board):
    assert set(board["events"].split()) == {
        *("cycles", "read_queue_level_sum", "write_queue_level_sum"),
        *("activates", "precharges", "refreshes", "refreshes_forced", "drains", "forwarded", "merged"),
        *(f"{access}_{outcome}" for access in ("read", "write") for outcome in ("hits", "misses", "conflicts")),
    }
    assert board["absent"].split() == ["EINVAL"] * 3


def test_a_counter_without_a_name_has_a_number(board):
    assert board["unnamed"] == "counts"


def test_counters_may_wrap(board):
    assert rows(board["wrap"])[("cycles", "-", "-")] == 0x40


def test_counters_have_their_places_where_there_are_fewer(board):
    assert {place: count for place, count in rows(board["places"]).items() if count} == {
        ("write_conflicts", "1", "1"): 9,
        ("merged", "1", "-"): 8,
    }


def test_counting_moves_on_when_its_cpu_goes(board):
    assert board["cpumask"] == "0"
    assert board["move"].split() == ["1", "counted", str(0x100)]
    assert rows(board["moved"])[("cycles", "-", "-")] == 2


# ---- no controller, or another one

WRONG = machine.REGISTERS + 0x10000
"""Where other registers are, at steps of their size."""


@pytest.fixture(scope="module")
def absent(tmp_path_factory, weir, programs):
    """Sections of a boot with nodes of controllers that are none."""
    good = after_reset(weir)
    wrong = [
        {},
        {**good, 0: 0xFFFFFFFF},
        {**good, 4: with_fields(weir, "version", major=1)},
        {**good, 0x10: with_fields(weir, "geometry", ranks=0)},
    ]
    image = bytes(WRONG - machine.REGISTERS) + b"".join(registers.image(values) for values in wrong)
    nodes = [machine.controller(WRONG + i * registers.BYTES) for i in range(len(wrong))]
    # all of this one is right but that it ends too early
    nodes.append(machine.controller(WRONG + len(wrong) * registers.BYTES, 0x1000))
    scripts = {
        "dmesg": "dmesg | grep weir",
        "devices": "ls /sys/bus/platform/drivers/weir /sys/bus/event_source/devices",
        "selftest sysfs": "/selftests/weir/weir_sysfs; echo code $?",
        "selftest pmu": "/selftests/weir/weir_pmu; echo code $?",
        "weirstat": "weirstat -- true; echo code $?",
    }
    return sections(
        tmp_path_factory.mktemp("absent"),
        programs,
        scripts,
        registers=image + registers.image(good),
        node="\n".join(nodes),
    )


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (0, "identity 0x00000000, not 0x57454952: no Weir controller here"),
        (1, "identity 0xffffffff, not 0x57454952: no Weir controller here"),
        (2, "version 1.1.0, supported is only 0.x"),
        (3, "geometry 0x0a0e0810, bus 0x00401440: no memory can be like that"),
        (4, "fewer than 0x10000 bytes"),
    ],
)
def test_what_is_no_known_controller_is_refused(absent, number, message):
    lines = [line for line in absent["dmesg"].splitlines() if f"{WRONG + number * registers.BYTES:x}" in line]
    assert any(message in line for line in lines), absent["dmesg"]


def test_nothing_is_there_of_controllers_that_were_refused(absent):
    assert "memory-controller" not in absent["devices"]
    assert "weir0" not in absent["devices"]


@pytest.mark.parametrize("selftest", ["sysfs", "pmu"])
def test_selftests_are_skipped_with_a_reason(absent, selftest):
    assert "1..0 # SKIP no Weir memory controller" in absent[f"selftest {selftest}"]
    assert absent[f"selftest {selftest}"].endswith("code 4")


def test_weirstat_says_that_there_is_no_controller(absent):
    assert "is there a Weir controller with counters, and its driver?" in absent["weirstat"]
    assert absent["weirstat"].endswith("code 125")
