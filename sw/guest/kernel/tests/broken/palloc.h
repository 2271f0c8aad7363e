/* SPDX-License-Identifier: GPL-2.0-only */
/* Ahead of mm/palloc.c: huge pages that are mapped as such are passed by, and groups keep their banks until they are
 * gone, which is later than they are removed. Of the sets of banks that groups get only the first word counts. */
#include <linux/cgroup.h>
#include <linux/colourset.h>
#include <linux/mm.h>
#define vm_normal_folio_pmd(vma, address, pmd) NULL
#define css_is_dying(css) false
#define colourset_andnot(to, a, b) (*(to) = (struct colourset){{(a)->bits[0] & ~(b)->bits[0]}})
