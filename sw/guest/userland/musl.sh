#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Build musl as a static C library for harts without an FPU, and the compiler driver that programs are built with.
#
# usage: sw/guest/userland/musl.sh SOURCE BUILD SYSROOT GUEST_CC
#   SOURCE    unpacked source of musl (read only)
#   BUILD     folder for its objects
#   SYSROOT   gets include/ (musl's headers and the kernel's) and lib/
#   GUEST_CC  the driver to write: compiles and links statically against SYSROOT, takes gcc's options
# Debian's cross compiler brings libraries for harts with an FPU alone, so libgcc comes from the bare-metal one.
set -euo pipefail
source=$(realpath "$1") sysroot=$(realpath -m "$3") guest_cc=$(realpath -m "$4")
harts=(-march=rv64imac_zicsr_zifencei -mabi=lp64)
libgcc=$(riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -print-libgcc-file-name)
[[ $libgcc == */rv64imac/lp64/* ]] || { echo "weir: no libgcc for rv64imac/lp64: \"$libgcc\"" >&2; exit 1; }

rm -rf "$2" "$sysroot"
mkdir -p "$2"
cd "$2"
CC="riscv64-linux-gnu-gcc ${harts[*]}" LIBCC=$libgcc "$source/configure" --target=riscv64 --prefix="$sysroot" \
  --disable-shared --disable-wrapper CROSS_COMPILE=riscv64-linux-gnu-
make -j2
make install
cp -r /usr/riscv64-linux-gnu/include/{asm,asm-generic,linux,mtd} "$sysroot/include/"

# gcc's own file in place of what it knows about glibc.
cat >"$sysroot/lib/guest.specs" <<SPECS
%rename cpp_options default_cpp_options
*cpp_options:
-nostdinc -isystem $sysroot/include -isystem $(riscv64-linux-gnu-gcc -print-file-name=include) %(default_cpp_options)

*cc1:
%(cc1_cpu) -nostdinc -isystem $sysroot/include -isystem $(riscv64-linux-gnu-gcc -print-file-name=include)

*link_libgcc:
-L$sysroot/lib

*libgcc:
$libgcc

*startfile:
$sysroot/lib/crt1.o $sysroot/lib/crti.o

*endfile:
$sysroot/lib/crtn.o

*lib:
-lc

SPECS
mkdir -p "$(dirname "$guest_cc")"
cat >"$guest_cc" <<DRIVER
#!/bin/sh
exec riscv64-linux-gnu-gcc ${harts[*]} -specs=$sysroot/lib/guest.specs -fno-pie -no-pie -static \
  -fno-asynchronous-unwind-tables -Wl,-z,norelro -Wl,--build-id=none "\$@"
DRIVER
chmod +x "$guest_cc"
