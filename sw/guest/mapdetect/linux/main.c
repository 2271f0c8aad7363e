// SPDX-License-Identifier: Apache-2.0
/** mapdetect: finds the address map of the DRAM by the time that reads take. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../probe.h"
#include "../report.h"
#include "memory.h"

enum { FOUND = 0, CANNOT = 1, BAD_USAGE = 2, NOT_CERTAIN = 3 };
enum { LEAST_BITS = 14, MOST_ADDRESS_BITS = 48, MOST_MEBIBYTES = 1 << 20 };
enum { ROUNDS_BY_CYCLE = 32, ROUNDS_BY_TIME = 256 };  // `time` may tick once in a hundred cycles

static const char usage[] =
    "usage: mapdetect [--memory MIB | --physical START:BYTES] [--clock cycle|time]\n"
    "Find by timing which address bits choose rank, bank, row and column of the DRAM, and print a mask for each bit, "
    "over\n"
    "physical addresses. Bits that the memory which is read does not differ in are left out.\n"
    "  --memory MIB            allocate so much and read its largest contiguous block; 16 unless told otherwise\n"
    "  --physical START:BYTES  read memory that Linux does not use, a power of two of bytes at a multiple of it\n"
    "  --clock cycle|time      the register to read; else cycle if programs may, or time, which cannot tell ranks\n"
    "Exit code 0 if the map is certain, 3 if not, 1 if the machine lacks something, 2 for a bad argument.\n";

struct arguments {
  uint64_t mebibytes;
  struct memory physical;  // bits 0: not given
  bool clock_given;
  enum probe_clock clock;
};

static enum probe_clock used;
static struct memory memory;
static sigjmp_buf refused;

static void on_illegal(int signal) {
  (void)signal;
  siglongjmp(refused, 1);
}

static bool programs_may_read_cycle(void) {
  struct sigaction before;
  const struct sigaction action = {.sa_handler = on_illegal};
  sigaction(SIGILL, &action, &before);
  const bool may = sigsetjmp(refused, 1) == 0;
  if (may) {
    uint64_t value;
    __asm__ volatile("csrr %0, cycle" : "=r"(value));
  }
  sigaction(SIGILL, &before, NULL);
  return may;
}

static bool take_time(void* context, const struct reads* reads, uint64_t* ticks) {
  uintptr_t addresses[MOST_READS];
  (void)context;
  probe_choose(reads, UINT64_C(1) << memory.bits, memory_address, addresses);
  *ticks = probe_time(addresses, reads->count, reads->rounds, used);
  return true;
}

static bool watch(void* context, const struct watch* watch, struct coincidences* seen) {
  uintptr_t addresses[MOST_READS];
  (void)context;
  probe_choose(&watch->reads, UINT64_C(1) << memory.bits, memory_address, addresses);
  probe_watch(addresses, watch, seen);
  return true;
}

static bool number(const char* text, char end, const char** rest, uint64_t* value) {
  char* after;
  errno = 0;
  *value = strtoull(text, &after, 0);
  *rest = after + (*after != 0);
  return *text >= '0' && *text <= '9' && errno == 0 && *after == end;
}

static bool refuse(const char* option, const char* value, const char* why) {
  fprintf(stderr, "mapdetect: %s %s %s\n", option, value, why);
  return false;
}

static bool parse_physical(const char* text, struct memory* physical) {
  uint64_t bytes;
  const char* rest;
  if (!number(text, ':', &rest, &physical->physical) || !number(rest, 0, &rest, &bytes))
    return refuse("--physical", text, "is not START:BYTES");
  while (physical->bits < 63 && UINT64_C(1) << physical->bits < bytes) ++physical->bits;
  if (UINT64_C(1) << physical->bits != bytes || physical->bits < LEAST_BITS || physical->bits > MOST_ADDRESS_BITS)
    return refuse("--physical", text, "does not have a power of two of bytes, from 2^14 to 2^48");
  if (physical->physical % bytes != 0 || physical->physical >> MOST_ADDRESS_BITS != 0)
    return refuse("--physical", text, "does not begin at a multiple of its bytes below 2^48");
  return true;
}

static bool parse(int argc, char** argv, struct arguments* arguments) {
  static const struct option options[] = {{"memory", required_argument, NULL, 'm'},
                                          {"physical", required_argument, NULL, 'p'},
                                          {"clock", required_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  const char* rest;
  bool memory_given = false;
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (option) {
      case 'm':
        memory_given = true;
        if (!number(optarg, 0, &rest, &arguments->mebibytes) || arguments->mebibytes < 1 ||
            arguments->mebibytes > MOST_MEBIBYTES)
          return refuse("--memory", optarg, "is not a number from 1 to 1048576");
        break;
      case 'p':
        if (!parse_physical(optarg, &arguments->physical)) return false;
        break;
      case 'c':
        arguments->clock_given = true;
        arguments->clock = strcmp(optarg, "time") ? PROBE_CYCLE : PROBE_TIME;
        if (strcmp(optarg, "time") && strcmp(optarg, "cycle"))
          return refuse("--clock", optarg, "is neither cycle nor time");
        break;
      case 'h':
        fputs(usage, stdout);
        exit(FOUND);
      default:
        return false;
    }
  }
  if (optind < argc) return refuse("argument", argv[optind], "is not expected");
  if (memory_given && arguments->physical.bits) return refuse("--memory", "and --physical", "exclude each other");
  return true;
}

int main(int argc, char** argv) {
  struct arguments arguments = {.mebibytes = 16};
  if (!parse(argc, argv, &arguments)) {
    fputs(usage, stderr);
    return BAD_USAGE;
  }
  const bool may = programs_may_read_cycle();
  used = arguments.clock_given ? arguments.clock : may ? PROBE_CYCLE : PROBE_TIME;
  if (used == PROBE_CYCLE && !may) {
    fprintf(stderr, "mapdetect: --clock cycle: programs may not read that register here\n");
    return CANNOT;
  }
  memory = arguments.physical;
  if (memory.bits ? !memory_map(memory) : !memory_allocate(arguments.mebibytes << 20, &memory)) return CANNOT;

  static struct address_map map;
  static struct measured measured;
  const struct machine machine = {.first_bit = PROBE_FIRST_BIT,
                                  .end_bit = memory.bits,
                                  .set_bits = PROBE_SET_BITS,
                                  .rounds = used == PROBE_CYCLE ? ROUNDS_BY_CYCLE : ROUNDS_BY_TIME,
                                  .time = take_time,
                                  .watch = used == PROBE_CYCLE ? watch : NULL};
  fprintf(stderr, "mapdetect: address bits %d to %u, of memory at 0x%" PRIx64 "\n", PROBE_FIRST_BIT, memory.bits - 1,
          memory.physical);
  const enum verdict verdict = detect(&machine, &map, &measured);
  if (verdict == CERTAIN || verdict == RANKS_UNKNOWN) report_map(&map, PROBE_FIRST_BIT);
  fprintf(stderr, "mapdetect: %s: %s (at 0x%" PRIx64 ")\n", verdict == CERTAIN ? "certain" : "not certain",
          verdict_text(verdict), measured.doubtful);
  fprintf(stderr,
          "mapdetect: %" PRIu32 " times, %" PRIu32 " predictions, levels of a read %" PRIu64 " and %" PRIu64
          " in %d parts of a tick\n",
          measured.times, measured.predictions, measured.low, measured.high, TICK_FRACTION);
  return verdict == CERTAIN ? FOUND : NOT_CERTAIN;
}
