// SPDX-License-Identifier: Apache-2.0
// Prints the free pages of each colour, as /sys/kernel/mm/page_colour/free says and as /proc/kpageflags shows them page
// by page, and all free pages by these, by /proc/buddyinfo and by /proc/meminfo, of a time in which none of them
// changes:
//
//   colour COLOUR SAID SHOWN
//   free SAID SHOWN BUDDYINFO MEMINFO
//
// Where they differ it looks again for a while: pages may have come and gone meanwhile, but what is counted wrong stays
// so. Exit code: 1 if they change all the time, 2 if a file cannot be read.
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  MASKS = 10,
  COLOURS = 1 << MASKS,
  LINE = 26,            // bytes of a line of the file free
  TEXT = 32 * COLOURS,  // bytes of a file, at most
  CHUNK = 4096,         // pages whose flags are read at a time
  PAGE_SHIFT = 12,
  TRIES = 30,
};

#define FOLDER "/sys/kernel/mm/page_colour/"

static void fail(const char* name) {
  perror(name);
  exit(2);
}

// Files stay open, as with KASAN what the kernel allocates for one that is opened takes other memory each time.
static int opened(const char* name) {
  int file = open(name, O_RDONLY);
  if (file < 0) fail(name);
  return file;
}

static char* text_of(int file, size_t length, char text[static TEXT]) {
  ssize_t part = 1;
  size_t end = 0;
  for (; part > 0 && end < length; end += (size_t)part) {
    part = pread(file, text + end, length - end, (off_t)end);
    if (part < 0) fail("pread");
  }
  text[end] = '\0';
  return text;
}

static char* text_named(const char* name, char text[static TEXT]) {
  int file = opened(name);
  text_of(file, TEXT - 1, text);
  close(file);
  return text;
}

static uint64_t masks[MASKS], base, size;
static unsigned bits;

static void read_map(void) {
  static char text[TEXT];
  base = strtoull(text_named(FOLDER "base", text), NULL, 0);
  size = strtoull(text_named(FOLDER "size", text), NULL, 0);
  char* line = strtok(text_named(FOLDER "masks", text), "\n");
  for (; line && bits < MASKS; line = strtok(NULL, "\n"))
    if (sscanf(line, "%*s %li", (long*)&masks[bits]) == 1) bits++;
}

static unsigned colour_of(uint64_t frame) {
  uint64_t address = (frame << PAGE_SHIFT) - base;
  unsigned colour = 0;
  for (unsigned bit = 0; bit < bits; bit++) colour |= (unsigned)__builtin_parityll(address & masks[bit]) << bit;
  return colour;
}

static void count_shown(int file, unsigned long shown[static COLOURS]) {
  static uint64_t flags[CHUNK];
  ssize_t length = 1;
  memset(shown, 0, sizeof *shown * COLOURS);
  uint64_t end = (base + size) >> PAGE_SHIFT;
  for (uint64_t frame = base >> PAGE_SHIFT; frame < end && length > 0; frame += CHUNK) {
    length = pread(file, flags, sizeof flags, (off_t)(frame * sizeof *flags));
    for (ssize_t i = 0; i < length / (ssize_t)sizeof *flags; i++)
      if (flags[i] >> KPF_BUDDY & 1) shown[colour_of(frame + (uint64_t)i)]++;
  }
  if (length < 0) fail("/proc/kpageflags");
}

struct said {
  char free[TEXT], buddyinfo[TEXT];
  unsigned long meminfo;  // pages
};

static int free_file, buddyinfo_file, meminfo_file, flags_file;

static void read_said(struct said* to) {
  static char text[TEXT];
  text_of(free_file, (size_t)LINE << bits, to->free);
  text_of(buddyinfo_file, TEXT - 1, to->buddyinfo);
  const char* line = strstr(text_of(meminfo_file, TEXT - 1, text), "MemFree:");
  to->meminfo = line ? strtoul(line + strlen("MemFree:"), NULL, 10) / 4 : 0;
}

static unsigned long buddies(char* text) {
  unsigned long pages = 0;
  for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
    int at = 0, used;
    unsigned long blocks;
    if (sscanf(line, "Node %*d, zone %*s%n", &at) < 0 || !at) continue;
    for (unsigned order = 0; sscanf(line + at, "%lu%n", &blocks, &used) == 1; order++, at += used)
      pages += blocks << order;
  }
  return pages;
}

static int same(const struct said* a, const struct said* b) {
  return a->meminfo == b->meminfo && !strcmp(a->free, b->free) && !strcmp(a->buddyinfo, b->buddyinfo);
}

int main(void) {
  static struct said before, after;
  static unsigned long shown[COLOURS], said[COLOURS];
  static char text[TEXT];
  unsigned long all_said = 0, all_shown = 0, all_buddies = 0, meminfo = 0;
  int steady = 0, equal = 0;
  read_map();
  free_file = opened(FOLDER "free");
  buddyinfo_file = opened("/proc/buddyinfo");
  meminfo_file = opened("/proc/meminfo");
  flags_file = opened("/proc/kpageflags");
  for (int try = 0; try < TRIES && !equal; try++) {
    static unsigned long looked[COLOURS];
    // what CPUs have counted for themselves
    text_named("/proc/sys/vm/stat_refresh", text);
    read_said(&before);
    count_shown(flags_file, looked);
    read_said(&after);
    if (!same(&before, &after)) {
      nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
      continue;
    }
    steady = equal = 1;
    all_said = all_shown = 0;
    for (unsigned colour = 0; colour < 1U << bits; colour++) {
      said[colour] = 0;
      if (sscanf(after.free + LINE * colour, "%*u %lu", &said[colour]) != 1) fail(FOLDER "free");
      shown[colour] = looked[colour];
      equal &= said[colour] == shown[colour];
      all_said += said[colour];
      all_shown += shown[colour];
    }
    all_buddies = buddies(after.buddyinfo);
    meminfo = after.meminfo;
    equal &= all_said == all_buddies && all_buddies == meminfo;
  }
  if (!steady) {
    fprintf(stderr, "counts: free pages change all the time\n");
    return 1;
  }
  for (unsigned colour = 0; colour < 1U << bits; colour++)
    printf("colour %u %lu %lu\n", colour, said[colour], shown[colour]);
  printf("free %lu %lu %lu %lu\n", all_said, all_shown, all_buddies, meminfo);
  return 0;
}
