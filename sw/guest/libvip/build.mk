# SPDX-License-Identifier: Apache-2.0
# What user space has for ViPZonE: libvip for programs of the guest (-Isw/guest/libvip, build/guest/libvip/libvip.a), and
# vip-migrate, which has pages moved that are used much.

build/guest/libvip/libvip.a: sw/guest/libvip/vip.c sw/guest/libvip/vip.h build/guest/bin/guest-cc | $(TOOLS)
	@mkdir -p $(@D)
	@build/guest/bin/guest-cc -O2 -std=gnu11 -ffunction-sections -Wall -Wextra -Werror -c $< -o $(@D)/vip.o
	@rm -f $@ && riscv64-linux-gnu-ar rcD $@ $(@D)/vip.o

GUEST_FILES += /bin/vip-migrate=sw/guest/libvip/vip-migrate.sh
BUILDS_guest += build/guest/libvip/libvip.a
