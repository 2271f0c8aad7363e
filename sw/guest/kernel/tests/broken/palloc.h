/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of mm/palloc.c: huge pages that are mapped as such are passed by, and groups keep their banks until they are
 * gone, which is later than they are removed. */
#include <linux/cgroup.h>
#include <linux/mm.h>
#define vm_normal_folio_pmd(vma, address, pmd) NULL
#define css_is_dying(css) false
