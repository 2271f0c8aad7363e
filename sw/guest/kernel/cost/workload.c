// SPDX-License-Identifier: Apache-2.0
// What makes the kernel allocate and free pages, each kind of it timed. With QEMU's --count-instructions a nanosecond
// is an instruction. Prints "cost NAME NANOSECONDS" for each.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 1024 };

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static char* map(int flags, int file) {
  char* pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, flags, file, 0);
  if (pages == MAP_FAILED) fail("mmap");
  return pages;
}

static void write_to(char* pages, int count) {
  for (int page = 0; page < count; page++) pages[page * PAGE] = 1;
}

// Faults on anonymous memory, and the return of it in batches.
static void anonymous(void) {
  char* pages = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  write_to(pages, PAGES);
  munmap(pages, PAGES * PAGE);
}

static void end(pid_t child) {
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child || status) fail("child");
}

// Copies of the page tables and, on write, of pages.
static void copies(void) {
  static char* pages;
  if (!pages) write_to(pages = map(MAP_PRIVATE | MAP_ANONYMOUS, -1), PAGES);
  pid_t child = fork();
  if (child == 0) {
    write_to(pages, PAGES / 4);
    _exit(0);
  }
  end(child);
}

// A new program.
static void programs(void) {
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/busybox", "true", NULL);
    _exit(1);
  }
  end(child);
}

// Pages of a file, written and given back.
static void file(void) {
  static char data[64 * PAGE];
  int file = open("/pages", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) fail("open");
  for (size_t done = 0; done < PAGES * PAGE; done += sizeof(data))
    if (write(file, data, sizeof(data)) != sizeof(data)) fail("write");
  close(file);
  if (unlink("/pages")) fail("unlink");
}

// Faults on pages of a file, shared and mapped.
static void mapped_file(void) {
  int file = open("/pages", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, PAGES * PAGE)) fail("ftruncate");
  char* pages = map(MAP_SHARED, file);
  write_to(pages, PAGES);
  munmap(pages, PAGES * PAGE);
  close(file);
  if (unlink("/pages")) fail("unlink");
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(void) {
  static const struct {
    const char* name;
    void (*run)(void);
  } parts[] = {{"anonymous", anonymous},
               {"copies", copies},
               {"programs", programs},
               {"file", file},
               {"mapped_file", mapped_file}};
  enum { TURNS = 20 };

  for (size_t part = 0; part < sizeof(parts) / sizeof(*parts); part++) {
    parts[part].run();
    long long begin = now();
    for (int turn = 0; turn < TURNS; turn++) parts[part].run();
    printf("cost %s %lld\n", parts[part].name, now() - begin);
  }
  return 0;
}
