# SPDX-License-Identifier: Apache-2.0
# The guest on QEMU.

.PHONY: qemu
qemu: build/guest/Image build/guest/initramfs.cpio build/hw/soc-64/Weir.rdl ## run the guest on QEMU: a shell, or SCRIPT=FILE (HARTS=1, 2 or 4; default 4)
	@python sw/guest/emulator/qemu.py --harts $(HARTS) $(if $(SCRIPT),--script $(SCRIPT))
