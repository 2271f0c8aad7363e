/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of drivers/memory/weir.c: the driver can be unbound. What it says against that goes to a field that does no
 * harm. */
#include <linux/device/driver.h>
#define suppress_bind_attrs probe_type
