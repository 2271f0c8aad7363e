#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The policies of the patches under memory pressure: stress-ng in cgroups with and without banks, on ranks that are
nodes, while the policies change at random, in a kernel with KASAN, lockdep and kmemleak on QEMU with four harts.

Writes the kernel's and the guest's words to --log and what came of it to --output (JSON). Exit code: 1 when the kernel
objected to something, memory leaked, a count was wrong or a program failed, 2 when an argument is bad.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
GUEST = ROOT / "build" / "guest"
STRESS = GUEST / "stress"
sys.path[:0] = [str(ROOT / room) for room in ("sw/guest/emulator", "sim/lab/programs")]

import closure  # noqa: E402
import qemu  # noqa: E402
import weir_machine as machine  # noqa: E402
import weir_registers as registers  # noqa: E402

HARTS, RANKS, MEMORY_MIB = 4, 2, 1024
REGISTERS = qemu.MEMORY + (MEMORY_MIB - 16 << 20)
MANY_THREADS = "tcg,thread=multi"
"""Of QEMU: where harts share one, a hart that waits for a lock waits for the turns of all others, 100 ms each."""
POWER = "weir,rank-read-power-milliwatt = <300 450>; weir,rank-write-power-milliwatt = <320 280>;"
ROUND = 40
"""Seconds of a stressor."""
AROUND = 3000
"""Seconds for boot, end and what the last stressors take longer, at most."""
WORDS = (
    "loglevel=7 page_poison=1 movablecore=384M cma=16M brd.rd_nr=2 brd.rd_size=262144 "
    "rcupdate.rcu_cpu_stall_timeout=300 sysctl.kernel.hung_task_timeout_secs=900"
)
"""Of the kernel's command line; the machine is as slow as its host is busy."""
STRESSORS = """
vm --vm 2 --vm-bytes 192M
vm-populate --vm 1 --vm-bytes 128M --vm-populate
mmap --mmap 1 --mmap-bytes 128M
mmap-file --mmap 1 --mmap-bytes 16M --mmap-file
fork --fork 2 --fork-vm
vfork --vfork 1
brk --brk 1 --brk-bytes 160M
malloc --malloc 2 --malloc-bytes 192M
mremap --mremap 1 --mremap-bytes 32M
madvise --madvise 1
numa --numa 1 --numa-bytes 32M
page-in --vm 1 --vm-bytes 128M --page-in
swap --swap 1
shm --shm 1 --shm-bytes 16M
shm-sysv --shm-sysv 1 --shm-sysv-bytes 8M
bigheap --bigheap 1 --bigheap-bytes 256M
userfaultfd --userfaultfd 1 --userfaultfd-bytes 16M
stack --stack 1
stackmmap --stackmmap 1
memfd --memfd 1 --memfd-bytes 32M
mlock --mlock 1
mincore --mincore 1
mprotect --mprotect 1
msync --msync 1 --msync-bytes 8M
munmap --munmap 1
pageswap --pageswap 1
pagemove --pagemove 1 --pagemove-bytes 16M
rmap --rmap 2
remap --remap 1
tlb-shootdown --tlb-shootdown 1
vm-rw --vm-rw 1 --vm-rw-bytes 4M
vm-splice --vm-splice 1
vm-segv --vm-segv 1
vm-addr --vm-addr 1
mmapfork --mmapfork 1
mmapmany --mmapmany 1
mmaphuge --mmaphuge 1
mmapfixed --mmapfixed 1
mmapcow --mmapcow 1
mmapfiles --mmapfiles 1
memthrash --memthrash 1
tmpfs --tmpfs 1
fault --fault 1
oom-pipe --oom-pipe 1
resources --resources 1
ksm --vm 1 --vm-bytes 32M --vm-madvise mergeable --ksm
hugepage --vm 2 --vm-bytes 128M --vm-madvise hugepage
hdd --hdd 1 --hdd-bytes 32M
iomix --iomix 1 --iomix-bytes 32M
pthread --pthread 1
exec --exec 1
"""
"""Name and options of each."""
GROUPS = ("plain", "shared", "private", "limited", "ranked", "powered")
"""The cgroups of run.sh, each of which has the stressors in another order."""
FINE = {"0": "passed", "3": "lacked resources", "4": "not for this machine", "137": "killed for want of memory"}
"""What the exit codes of stress-ng mean that say nothing against the kernel: memory is short here."""
CHANGES = ("banks", "private", "inactive", "migrate", "rmdir", "rank", "vip")
"""Kinds of changes that must have been done at least once."""
STOCK = HARTS * 64 * 4096
"""Bytes that the kernel may have charged to a group ahead."""
MORE_OBJECTIONS = r"INFO: task .* blocked|rcu: INFO:.*stall|vmstat_refresh|soft lockup|kmemleak: .*disabled"


def objections(console):
    """The lines in which the kernel says that something is wrong, in what the console shows ahead of the results."""
    log = console.split("\n== results\n")[0]
    more = re.findall(rf"^\[.*(?:{MORE_OBJECTIONS}).*$", log, re.MULTILINE)
    return [*machine.objections(log), *more]


def leaks(text):
    """What kmemleak says of each piece of memory that nobody has a pointer to."""
    return [part.strip() for part in re.split(r"^(?=unreferenced object)", text, flags=re.MULTILINE) if part.strip()]


def wrong_counts(counts):
    """What is wrong with the free pages `counts`: colour -> (said, shown), "all" -> (said, buddyinfo, MemFree)."""
    if len(counts) < 2 or "all" not in counts:
        return ["free pages were not counted"]
    colours = {colour: pages for colour, pages in counts.items() if colour != "all"}
    lines = [
        f"colour {colour}: {said} free pages by the kernel's count, {shown} by its pages"
        for colour, (said, shown) in colours.items()
        if said != shown
    ]
    if len(set(counts["all"])) != 1:
        lines.append("free pages by colour, by buddyinfo, by MemFree: {} {} {}".format(*counts["all"]))
    return lines


def result(console):
    """What came of a run whose console showed this text, for JSON; `wrong` has a line for all that must not be."""
    sections = machine.sections(console)
    told, wrong = sections.get("results", ""), []
    if "end" not in sections:
        wrong.append("the guest did not come to the end of its script")
    ran, groups, counts, toggles, values, events, said = {}, {}, {}, {}, {}, {}, []
    for line in told.splitlines():
        match line.split():
            case ["ran", group, name, code, *ops]:
                each = ran.setdefault(name, {"runs": 0, "passed": 0, "bogo_ops": 0})
                each["runs"] += 1
                each["passed"] += code == "0"
                each["bogo_ops"] += int(ops[0]) if ops else 0
                if code not in FINE:
                    wrong.append(f"stress-ng {name} in {group}: exit code {code}")
            case ["group", group, current, swapped]:
                groups[group] = {"bytes": int(current), "swapped": int(swapped)}
            case ["count", "end", "colour", colour, *pages]:
                counts[colour] = tuple(map(int, pages[:2]))
            case ["count", "end", "free", *pages]:
                counts["all"] = tuple(map(int, pages))
            case ["toggle", name, done, refused]:
                toggles[name] = {"done": int(done), "refused": int(refused)}
            case ["meminfo", _, name, kilobytes]:
                values[name.rstrip(":")] = int(kilobytes)
            case ["event", name, number]:
                events[name] = int(number)
            case ["vmstat", equation] if not equation.endswith("=0"):
                wrong.append(f"/proc/vmstat: {equation}")
            case ["said" | "toggle-said", *words]:
                said.append(" ".join(words))
            case ["failed", *words]:
                wrong.append(f"failed: {' '.join(words)}")
            case ["dying" | "groups" as name, number] if number != "0":
                wrong.append(f"{number} cgroups are left ({name})")
            case ["banks", "end", "taken"]:
                wrong.append("banks are not free again")
            case ["active", "end", number] if number != "0":
                wrong.append("page colours are still in use")
    if not ran:
        wrong.append("no stressor ran")
    if not re.search(r"^banks end free$", told, re.MULTILINE):
        wrong.append("nobody saw that banks are free again")
    if len(re.findall(r"^active end 0$", told, re.MULTILINE)) != 2:
        wrong.append("nobody saw that page colours are out of use")
    wrong += [f"{name} was never done" for name in CHANGES if not toggles.get(name, {}).get("done")]
    left = {group: of for group, of in groups.items() if of["bytes"] > STOCK or of["swapped"]}
    wrong += [f"{group} has {of} when it is empty" for group, of in left.items()]
    wrong += [f"{group} was not looked at when empty" for group in GROUPS if group not in groups]
    wrong += wrong_counts(counts)
    objected, leaked = objections(console), leaks(sections.get("leaks", ""))
    wrong += [f"the kernel objects: {line}" for line in objected]
    wrong += [f"leaked: {leak}" for leak in leaked]
    return {
        "wrong": wrong,
        "objections": objected,
        "leaks": leaked,
        "stressors": dict(sorted(ran.items())),
        "toggles": toggles,
        "groups": groups,
        "free_pages": dict(zip(("by_colour", "buddyinfo", "meminfo"), counts.get("all", ()), strict=False)),
        "free_pages_by_colour": {colour: pages[0] for colour, pages in counts.items() if colour != "all"},
        "meminfo_kib": values,
        "events": events,
        "said": said,
    }


def lists(folder):
    """{path in the guest: local file, in `folder`} of the stressors of each group, more than it has time for."""
    found = {}
    for group in GROUPS:
        chance, lines = random.Random(group), []
        for _ in range(100):
            lines += chance.sample(STRESSORS.strip().split("\n"), STRESSORS.strip().count("\n") + 1)
        found[f"/stress/list.{group}"] = folder / f"list.{group}"
        found[f"/stress/list.{group}"].write_text("\n".join(lines) + "\n")
    return found


def files(folder):
    """{path in the guest: local file} of what the guest has beside its initramfs; `folder` is for what is made."""
    return {
        **lists(folder),
        **closure.closure(STRESS / "root", "/usr/bin/stress-ng"),
        "/bin/stress-ng": closure.local(STRESS / "root", "/usr/bin/stress-ng"),
        "/bin/busybox-debian": closure.local(STRESS / "root", "/usr/bin/busybox"),
        "/stress/counts": STRESS / "counts",
        "/stress/run.sh": HERE / "run.sh",
        "/stress/toggle.sh": HERE / "toggle.sh",
    }


def boot(folder, image, minutes, each, log):
    """What the console shows of a guest that stresses for some minutes; it is written to the file `log` meanwhile."""
    parts = machine.rank_row_bank_column(RANKS, REGISTERS)
    words = machine.command(
        folder,
        f"exec /stress/run.sh {round(60 * minutes)} {each}\n",
        registers.image(registers.after_reset(registers.read(), parts)),
        machine.controller(REGISTERS, more=POWER),
        harts=HARTS,
        files=files(folder),
        options=["--fpu", "--memory", MEMORY_MIB, "--image", image, "--append", WORDS],
        ranks=RANKS,
        at=REGISTERS,
    )
    command = [MANY_THREADS if word == qemu.ACCELERATOR else word for word in words]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        try:
            limit = 60 * minutes + AROUND
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, timeout=limit)
        except subprocess.TimeoutExpired:
            print(f"{log}: the guest did not end", file=sys.stderr)
    return log.read_text(errors="replace").replace("\r", "")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=60, help="of stress (default %(default)s)")
    parser.add_argument("--round", type=int, default=ROUND, help="seconds of a stressor (default %(default)s)")
    parser.add_argument("--image", type=Path, default=STRESS / "Image", help="default build/guest/stress/Image")
    parser.add_argument("--log", type=Path, default=ROOT / "build/logs/stress-console.log", help="the console's text")
    parser.add_argument("--output", type=Path, help="file for what came of it, as JSON")
    options = parser.parse_args(arguments)
    if not 0 < options.minutes <= 1440:
        parser.error(f"--minutes {options.minutes:g} is not in 0 to 1440")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        console = boot(Path(name), options.image, options.minutes, options.round, options.log)
    found = {"minutes": options.minutes, **result(console)}
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(found, indent=2) + "\n")
    print(f"{'stressor':16}{'runs':>6}{'passed':>8}{'bogo ops':>12}")
    for name, each in found["stressors"].items():
        print(f"{name:16}{each['runs']:6}{each['passed']:8}{each['bogo_ops']:12}")
    done = ", ".join(f"{name} {of['done']} of {of['done'] + of['refused']}" for name, of in found["toggles"].items())
    print(f"changes: {done}")
    print(f"objections: {len(found['objections'])}, leaks: {len(found['leaks'])}, free pages: {found['free_pages']}")
    for line in found["wrong"]:
        print(f"wrong: {line}", file=sys.stderr)
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
