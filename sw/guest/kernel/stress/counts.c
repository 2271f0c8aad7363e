// SPDX-License-Identifier: Apache-2.0
// Prints the free pages of each colour, as /sys/kernel/mm/page_colour/free says and as /proc/kpageflags shows them page
// by page, and by how many the former changed meanwhile; then all free pages, by that file, by /proc/buddyinfo and by
// /proc/meminfo, of a time in which none of them changes:
//
//   colour COLOUR SAID SHOWN CHANGED
//   free SAID BUDDYINFO MEMINFO
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
  TRIES = 100,
  SCANS = 5,
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

// The free pages of a colour, as what the file free showed says
static unsigned long said_of(const struct said* said, unsigned colour) {
  unsigned long pages;
  if (sscanf(said->free + LINE * colour, "%*u %lu", &pages) != 1) fail(FOLDER "free");
  return pages;
}

// Compares all free pages, by three files that are read twice within a moment; returns whether they are equal.
static int compare_all(unsigned long sums[static 3]) {
  static struct said before, after;
  static char text[TEXT];
  int steady = 0;
  for (int try = 0; try < TRIES; try++) {
    // what CPUs have counted for themselves
    text_named("/proc/sys/vm/stat_refresh", text);
    read_said(&before);
    read_said(&after);
    if (!same(&before, &after)) continue;
    steady = 1;
    sums[0] = 0;
    for (unsigned colour = 0; colour < 1U << bits; colour++) sums[0] += said_of(&after, colour);
    sums[1] = buddies(after.buddyinfo);
    sums[2] = after.meminfo;
    if (sums[0] == sums[1] && sums[1] == sums[2]) break;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
  }
  if (!steady) fprintf(stderr, "counts: free pages change all the time\n");
  return steady;
}

// Looks at each page, which takes a while: what the kernel says is the number before or after that, whichever is
// closer, and all between them are right.
static void compare_colours(void) {
  static struct said before, after;
  static unsigned long shown[COLOURS];
  unsigned wrong = 1;
  for (int try = 0; try < SCANS && wrong; try++) {
    read_said(&before);
    count_shown(flags_file, shown);
    read_said(&after);
    wrong = 0;
    for (unsigned colour = 0; colour < 1U << bits; colour++) {
      unsigned long one = said_of(&before, colour), other = said_of(&after, colour);
      unsigned long least = one < other ? one : other, most = one < other ? other : one;
      wrong += shown[colour] < least || shown[colour] > most;
    }
  }
  for (unsigned colour = 0; colour < 1U << bits; colour++) {
    unsigned long one = said_of(&before, colour), other = said_of(&after, colour);
    unsigned long least = one < other ? one : other, most = one < other ? other : one;
    unsigned long said = shown[colour] < least ? least : shown[colour] > most ? most : shown[colour];
    printf("colour %u %lu %lu %lu\n", colour, said, shown[colour], most - least);
  }
}

int main(void) {
  unsigned long sums[3];
  read_map();
  free_file = opened(FOLDER "free");
  buddyinfo_file = opened("/proc/buddyinfo");
  meminfo_file = opened("/proc/meminfo");
  flags_file = opened("/proc/kpageflags");
  compare_colours();
  if (!compare_all(sums)) return 1;
  printf("free %lu %lu %lu\n", sums[0], sums[1], sums[2]);
  return 0;
}
