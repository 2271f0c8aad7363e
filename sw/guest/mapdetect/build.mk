# SPDX-License-Identifier: Apache-2.0
# The detection of the address map as a program of the guest.

MAPDETECT := $(wildcard sw/guest/mapdetect/*.c sw/guest/mapdetect/linux/*.c)
MAPDETECT_HEADERS := $(wildcard sw/guest/mapdetect/*.h sw/guest/mapdetect/linux/*.h)

build/guest/mapdetect/mapdetect: $(MAPDETECT) $(MAPDETECT_HEADERS) build/guest/bin/guest-cc | $(TOOLS)
	@mkdir -p $(@D)
	@build/guest/bin/guest-cc -O2 -std=gnu11 -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Wl,--gc-sections -s \
	  $(MAPDETECT) -o $@

GUEST_FILES += /bin/mapdetect=build/guest/mapdetect/mapdetect
BUILDS += build/guest/mapdetect/mapdetect
