# SPDX-License-Identifier: Apache-2.0
# Programs of the guest: each NAME.c, and each folder NAME with its parts, becomes /bin/NAME of the initramfs.

GUEST_TOOLS_SINGLE := $(patsubst sw/guest/tools/%.c,%,$(wildcard sw/guest/tools/*.c))
GUEST_TOOLS_FOLDERS := $(patsubst sw/guest/tools/%/main.c,%,$(wildcard sw/guest/tools/*/main.c))
GUEST_TOOL_CC = build/guest/bin/guest-cc -O2 -std=gnu11 -ffunction-sections -fdata-sections -Wall -Wextra -Werror \
  -Wl,--gc-sections -s

# $(call guest_tool,NAME,SOURCES,HEADERS,OPTIONS)
define guest_tool
build/guest/tools/$(1): $(2) $(3) $(wildcard sw/guest/userland/*.h) build/guest/bin/guest-cc | $(TOOLS)
	@mkdir -p $$(@D)
	@$$(GUEST_TOOL_CC) $(4) $(2) -o $$@
endef

$(foreach tool,$(GUEST_TOOLS_SINGLE),$(eval $(call guest_tool,$(tool),sw/guest/tools/$(tool).c)))

# $(call guest_folder,NAME): with no more than what is in the folder
guest_folder = $(call guest_tool,$(1),$(wildcard sw/guest/tools/$(1)/*.c),$(wildcard sw/guest/tools/$(1)/*.h))
$(foreach tool,$(filter-out membench,$(GUEST_TOOLS_FOLDERS)),$(eval $(call guest_folder,$(tool))))

# For the tests: with --break it spoils its own result.
GUEST_BENCH := $(wildcard sw/guest/tools/weir-bench/*.c)
GUEST_BENCH_HEADERS := $(wildcard sw/guest/tools/weir-bench/*.h)
$(eval $(call guest_tool,weir-bench-spoilable,$(GUEST_BENCH),$(GUEST_BENCH_HEADERS),-DSPOILABLE))

# The measurements are those of the bare-metal program, on what harts.h and guest.h here make of Linux.
GUEST_MEMBENCH := $(wildcard sw/guest/tools/membench/*.c) \
  $(addprefix sw/firmware/membench/,bandwidth.c latency.c measure.c report.c)
GUEST_MEMBENCH_HEADERS := $(wildcard sw/guest/tools/membench/*.h sw/firmware/membench/*.h)
GUEST_MEMBENCH_OPTIONS := -Isw/guest/tools/membench -Isw/firmware/membench
$(eval $(call guest_tool,membench,$(GUEST_MEMBENCH),$(GUEST_MEMBENCH_HEADERS),$(GUEST_MEMBENCH_OPTIONS)))

GUEST_TOOLS := $(GUEST_TOOLS_SINGLE) $(GUEST_TOOLS_FOLDERS)
GUEST_FILES += $(foreach tool,$(GUEST_TOOLS),/bin/$(tool)=build/guest/tools/$(tool))
GUEST_LINKS += $(foreach name,bfs chase gups hashjoin spmv stencil stream,/bin/$(name)=/bin/weir-bench)
BUILDS_guest += build/guest/tools/weir-bench-spoilable
