/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of mm/hugetlb.c: huge pages of hugetlbfs are coloured. */
#include <linux/page_colour.h>
#define page_colour_ask_any() \
  do {                        \
  } while (0)
