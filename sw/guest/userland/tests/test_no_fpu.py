# SPDX-License-Identifier: Apache-2.0
"""The FPU check on instructions whose encodings the assembler makes, and on the guest's own programs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
CHECK = ROOT / "sw" / "guest" / "userland" / "no_fpu.py"
GUEST = ROOT / "build" / "guest"


def assemble(folder, lines, march="rv64imafdc_zicsr", abi="lp64"):
    """An object file with the instructions between others of either length."""
    source = folder / "code.s"
    source.write_text("\n".join([".text", "c.nop", "add a0, a1, a2", *lines, "c.nop", "ret", ""]))
    output = folder / "code.o"
    command = ["riscv64-linux-gnu-gcc", f"-march={march}", f"-mabi={abi}", "-c", source, "-o", output]
    subprocess.run(command, check=True)
    return output


def check(*files):
    return subprocess.run([sys.executable, CHECK, *files], capture_output=True, text=True)


@pytest.mark.parametrize(
    "instruction",
    [
        *("flw fa0, 0(a0)", "fsw fa0, 4(a0)", "fld fa0, 2000(a1)", "fsd ft11, -8(t6)"),
        *("fadd.s fa0, fa1, fa2", "fmul.d fa0, fa1, fa2", "fcvt.d.l fa0, a0", "fmv.x.d a0, fa0"),
        *("fmadd.s fa0, fa1, fa2, fa3", "fmsub.d fa0, fa1, fa2, fa3"),
        *("fnmsub.s fa0, fa1, fa2, fa3", "fnmadd.d fa0, fa1, fa2, fa3"),
        *("c.fld fa0, 0(a0)", "c.fsd fa0, 8(a0)", "c.fldsp fa0, 8(sp)", "c.fsdsp fa0, 8(sp)"),
        *("frcsr a0", "fsrm a0, a1", "fsflagsi 1"),
    ],
)
def test_each_kind_of_instruction_is_found(tmp_path, instruction):
    file = assemble(tmp_path, [instruction])
    done = check(file)
    assert done.returncode == 1
    assert f"{file} needs an FPU: instruction" in done.stderr


def test_what_looks_like_it_is_not(tmp_path):
    """Integer loads and stores, other CSRs, and instructions whose upper half has the bits of a floating-point one."""
    lines = ["ld a0, 0(a1)", "sd a0, 8(a1)", "lw a0, 0(a1)", "c.ld a0, 0(a1)", "c.sd a0, 0(a1)", "c.ldsp a0, 8(sp)"]
    lines += ["c.sdsp a0, 8(sp)", "rdtime a0", "csrr a0, 0x100", "ecall", "lui a0, 0x53535", "amoadd.d a0, a1, (a2)"]
    done = check(assemble(tmp_path, lines))
    assert (done.returncode, done.stderr) == (0, "")


def test_an_abi_with_floating_point_registers_is_found(tmp_path):
    done = check(assemble(tmp_path, [], abi="lp64d"))
    assert done.returncode == 1
    assert "ABI" in done.stderr


def test_what_is_no_program_is_refused(tmp_path):
    text = tmp_path / "text"
    text.write_text("#!/bin/sh\n")
    for file in (text, Path(sys.executable).resolve(), tmp_path / "absent"):
        done = check(file)
        assert done.returncode == 2
        assert str(file) in done.stderr
    assert check().returncode == 2


def test_the_guests_compiler_makes_no_such_program(tmp_path):
    """Even of floating-point C, since it calls libgcc then."""
    source = tmp_path / "divide.c"
    source.write_text('#include <stdio.h>\nint main(int n, char **v) { (void)v; printf("%g\\n", 1.0 / n); }\n')
    program = tmp_path / "divide"
    subprocess.run([GUEST / "bin" / "guest-cc", "-O2", source, "-o", program], check=True)
    assert check(program).returncode == 0
    run = subprocess.run(["qemu-riscv64", "-cpu", "rv64,f=false,d=false", program, "3"], capture_output=True, text=True)
    assert run.stdout == "0.5\n"


def test_nor_does_the_guest_have_one():
    files = [GUEST / "busybox" / "busybox", GUEST / "userland" / "init"]
    done = check(*files)
    assert (done.returncode, done.stderr) == (0, "")
