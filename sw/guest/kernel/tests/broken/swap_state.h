/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of mm/swap_state.c: pages that are swapped in lie by the banks of who swaps them in. */
#include <linux/page_colour.h>
#define page_colour_ask_swapped(entry) \
  do {                                 \
  } while (0)
