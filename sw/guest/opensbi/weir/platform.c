// SPDX-License-Identifier: Apache-2.0
/*
 * OpenSBI's platform of Weir's SoC: LiteX with Rocket harts. What Rocket fixes is written down here, which spares the
 * search through the device tree that OpenSBI's generic platform makes for each device on each hart. The device tree
 * says how many harts there are and where the console is. It lies at a fixed address, where the machine puts it before
 * the harts start, and goes to Linux as it is: it reserves OpenSBI's memory itself (sw/guest/machine/device_tree.py).
 */

#include <libfdt.h>
#include <sbi/riscv_asm.h>
#include <sbi/sbi_console.h>
#include <sbi/sbi_domain.h>
#include <sbi/sbi_platform.h>
#include <sbi_utils/fdt/fdt_helper.h>
#include <sbi_utils/ipi/aclint_mswi.h>
#include <sbi_utils/irqchip/plic.h>
#include <sbi_utils/serial/litex-uart.h>
#include <sbi_utils/timer/aclint_mtimer.h>

/* sw/guest/machine/layout.py has the same address. */
#define WEIR_FDT_ADDRESS 0x80080000UL

#define WEIR_MAX_HARTS 4
#define WEIR_CLINT_ADDRESS 0x2000000UL
#define WEIR_PLIC_ADDRESS 0xc000000UL
#define WEIR_PLIC_SIZE 0x400000UL
#define WEIR_PLIC_SOURCES 8
/* Rocket's mtime counts every 100th of 200 M clock cycles a second. */
#define WEIR_MTIME_HZ 2000000UL

static struct plic_data plic = {
    .addr = WEIR_PLIC_ADDRESS,
    .size = WEIR_PLIC_SIZE,
    .num_src = WEIR_PLIC_SOURCES,
    .context_map = {{0, 1}, {2, 3}, {4, 5}, {6, 7}},
};

static struct aclint_mswi_data mswi = {
    .addr = WEIR_CLINT_ADDRESS + CLINT_MSWI_OFFSET,
    .size = ACLINT_MSWI_SIZE,
};

static struct aclint_mtimer_data mtimer = {
    .mtime_freq = WEIR_MTIME_HZ,
    .mtime_addr = WEIR_CLINT_ADDRESS + CLINT_MTIMER_OFFSET + ACLINT_DEFAULT_MTIME_OFFSET,
    .mtime_size = ACLINT_DEFAULT_MTIME_SIZE,
    .mtimecmp_addr = WEIR_CLINT_ADDRESS + CLINT_MTIMER_OFFSET + ACLINT_DEFAULT_MTIMECMP_OFFSET,
    .mtimecmp_size = ACLINT_DEFAULT_MTIMECMP_SIZE,
    .has_64bit_mmio = true,
    .has_shared_mtime = true,
};

extern struct sbi_platform platform;

static void* device_tree(void) { return (void*)WEIR_FDT_ADDRESS; }

/* Without a device tree there is neither a console nor a next stage. */
static void __attribute__((noreturn)) hang(void) {
  while (1) wfi();
}

/* Called once, by the hart that comes first; answers the address of the device tree, for OpenSBI and for Linux. */
unsigned long fw_platform_init(unsigned long arg0, unsigned long arg1, unsigned long arg2, unsigned long arg3,
                               unsigned long arg4) {
  const void* fdt = device_tree();
  u32 harts = 0;
  int node, cpus;

  if (fdt_magic(fdt) != FDT_MAGIC) hang();
  cpus = fdt_path_offset(fdt, "/cpus");
  if (cpus < 0) hang();
  fdt_for_each_subnode(node, fdt, cpus) harts++;
  if (!harts || harts > WEIR_MAX_HARTS) hang();

  platform.hart_count = harts;
  platform.heap_size = SBI_PLATFORM_DEFAULT_HEAP_SIZE(harts);
  mswi.hart_count = harts;
  mtimer.hart_count = harts;
  return WEIR_FDT_ADDRESS;
}

static int weir_early_init(bool cold_boot) {
  uint64_t address;
  int node;

  if (!cold_boot) return 0;
  node = fdt_node_offset_by_compatible(device_tree(), -1, "litex,liteuart");
  if (node < 0 || fdt_get_node_addr_size(device_tree(), node, 0, &address, NULL)) return 0;
  return litex_uart_init(address);
}

static int weir_irqchip_init(void) { return plic_cold_irqchip_init(&plic); }

static int weir_ipi_init(void) { return aclint_mswi_cold_init(&mswi); }

/*
 * Linux may read mtime by itself: Rocket has no time CSR, and each read of it would trap to here. The page has nothing
 * else of harts that there are: their mtimecmp are 0x7000 bytes before. It comes after the timer's own regions, which
 * OpenSBI joins to fit into Rocket's eight PMP entries only while no other lies between them.
 */
static int weir_timer_init(void) {
  int error = aclint_mtimer_cold_init(&mtimer, NULL);

  return error ? error
               : sbi_domain_root_add_memrange(mtimer.mtime_addr & ~(PAGE_SIZE - 1), PAGE_SIZE, PAGE_SIZE,
                                              SBI_DOMAIN_MEMREGION_MMIO | SBI_DOMAIN_MEMREGION_M_READABLE |
                                                  SBI_DOMAIN_MEMREGION_M_WRITABLE | SBI_DOMAIN_MEMREGION_SU_READABLE);
}

static const struct sbi_platform_operations operations = {
    .early_init = weir_early_init,
    .irqchip_init = weir_irqchip_init,
    .ipi_init = weir_ipi_init,
    .timer_init = weir_timer_init,
};

struct sbi_platform platform = {
    .opensbi_version = OPENSBI_VERSION,
    .platform_version = SBI_PLATFORM_VERSION(1, 0),
    .name = "Weir",
    .features = SBI_PLATFORM_DEFAULT_FEATURES,
    .hart_stack_size = SBI_PLATFORM_DEFAULT_HART_STACK_SIZE,
    .platform_ops_addr = (unsigned long)&operations,
};
