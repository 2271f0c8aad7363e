// SPDX-License-Identifier: Apache-2.0
// nvm-journal DEVICE clear|RECORDS [UART]: a ring of records on a device of persistent memory, for cuts of power.
//
// `clear` makes an empty ring of it. Else it tells which records the ring has ("record N"), which places hold none that
// is whole ("torn place P"), and the newest ("last N", 0 without any). Then it appends RECORDS more, each over the
// oldest, between "journal begins" and "journal ends", and tells once more what the ring has. A record is synced when
// fsync(2) has returned, and is told at once by a byte '+': into the register of the LiteUART at the physical address
// UART, past the terminal's buffers, or else to standard output. Exit code: 0, 1 if the device cannot be read, written
// or synced, 2 for bad arguments.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "../userland/host_register.h"

enum { FAILED = 1, BAD_USAGE = 2, PLACES = 8, WORDS = 512, TX_FULL = 1 };

// A record; all words of one that was never written are 0.
struct record {
  uint64_t number;  // from 1 on
  uint64_t checksum;
  uint64_t words[WORDS - 2];
};

static int failed(const char* what) {
  fprintf(stderr, "nvm-journal: %s: %s\n", what, strerror(errno));
  return FAILED;
}

// FNV-1a, by words, of all but the checksum.
static uint64_t checksum_of(const struct record* record) {
  const uint64_t prime = 0x100000001b3;
  uint64_t sum = (0xcbf29ce484222325 ^ record->number) * prime;
  for (int i = 0; i < WORDS - 2; ++i) sum = (sum ^ record->words[i]) * prime;
  return sum;
}

static void fill(struct record* record, uint64_t number) {
  uint64_t word = number * 0x9e3779b97f4a7c15;
  record->number = number;
  for (int i = 0; i < WORDS - 2; ++i) {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    record->words[i] = word;
  }
  record->checksum = checksum_of(record);
}

static bool is_empty(const struct record* record) {
  uint64_t any = record->number | record->checksum;
  for (int i = 0; i < WORDS - 2; ++i) any |= record->words[i];
  return !any;
}

// Whether all of a record was read or written; else errno says why.
static bool is_whole(ssize_t bytes) {
  if (bytes >= 0) errno = ENOSPC;
  return bytes == sizeof(struct record);
}

// The newest record of the ring, 0 without any, or -1 if a place cannot be read.
static int64_t recover(int device) {
  static struct record record;
  uint64_t last = 0;
  for (unsigned place = 0; place < PLACES; ++place) {
    if (!is_whole(pread(device, &record, sizeof record, place * sizeof record))) return -1;
    if (record.number % PLACES == place && record.number && record.checksum == checksum_of(&record)) {
      printf("record %" PRIu64 "\n", record.number);
      if (record.number > last) last = record.number;
    } else if (!is_empty(&record)) {
      printf("torn place %u\n", place);
    }
  }
  printf("last %" PRIu64 "\n", last);
  return (int64_t)last;
}

static bool read_number(const char* text, uint64_t* number) {
  char* end;
  errno = 0;
  *number = strtoull(text, &end, 0);
  return *text && *text != '-' && !*end && !errno;
}

int main(int argc, char** argv) {
  static struct record record;
  uint64_t records = 0, address = 0;
  const bool clears = argc == 3 && !strcmp(argv[2], "clear");
  if (argc < 3 || argc > 4 || !(clears || read_number(argv[2], &records)) ||
      (argc > 3 && !read_number(argv[3], &address))) {
    fprintf(stderr, "usage: nvm-journal DEVICE clear|RECORDS [UART]\n");
    return BAD_USAGE;
  }
  const int device = open(argv[1], O_RDWR | O_CLOEXEC);
  if (device < 0) return failed(argv[1]);

  if (clears) {
    for (unsigned place = 0; place < PLACES; ++place)
      if (!is_whole(pwrite(device, &record, sizeof record, place * sizeof record))) return failed(argv[1]);
    return fsync(device) ? failed(argv[1]) : 0;
  }

  volatile uint32_t* uart = NULL;
  const char* problem = NULL;
  if (address) uart = register_at(address, &problem);
  if (problem) {
    fprintf(stderr, "nvm-journal: the UART: %s\n", problem);
    return FAILED;
  }

  const int64_t last = recover(device);
  if (last < 0) return failed(argv[1]);
  puts("journal begins");
  fflush(stdout);
  // what follows into the register would get ahead of what waits
  if (uart && isatty(STDOUT_FILENO)) tcdrain(STDOUT_FILENO);
  for (uint64_t number = (uint64_t)last + 1; number <= (uint64_t)last + records; ++number) {
    fill(&record, number);
    const off_t place = (off_t)(number % PLACES * sizeof record);
    if (!is_whole(pwrite(device, &record, sizeof record, place)) || fsync(device)) return failed(argv[1]);
    if (uart) {
      while (uart[TX_FULL] & 1) continue;
      *uart = '+';
    } else if (write(STDOUT_FILENO, "+", 1) != 1) {
      return failed("standard output");
    }
  }
  puts("\njournal ends");
  return recover(device) < 0 ? failed(argv[1]) : 0;
}
