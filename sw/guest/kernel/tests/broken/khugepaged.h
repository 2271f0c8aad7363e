/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of mm/khugepaged.c: huge pages lie by the banks of who collapses them. */
#include <linux/page_colour.h>
#define page_colour_hint(mm) \
  do {                       \
  } while (0)
