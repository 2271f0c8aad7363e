/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of mm/palloc.c: huge pages that are mapped as such are passed by. */
#include <linux/mm.h>
#define vm_normal_folio_pmd(vma, address, pmd) NULL
