// SPDX-License-Identifier: Apache-2.0
// poke ADDRESS [VALUE [ADDRESS VALUE]...]: writes words of 32 bits to physical memory; without a value prints the one
// there.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };

static volatile uint32_t* reach(int memory, uint64_t address) {
  char* const page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, address & -PAGE_BYTES);
  if (page == MAP_FAILED) {
    perror("poke");
    exit(EXIT_FAILURE);
  }
  return (volatile uint32_t*)(page + address % PAGE_BYTES);
}

int main(int argc, char** argv) {
  const int memory = open("/dev/mem", O_RDWR | O_SYNC);
  if (argc == 2) printf("0x%x\n", *reach(memory, strtoull(argv[1], NULL, 0)));
  for (int i = 2; i < argc; i += 2)
    *reach(memory, strtoull(argv[i - 1], NULL, 0)) = (uint32_t)strtoul(argv[i], NULL, 0);
  return EXIT_SUCCESS;
}
