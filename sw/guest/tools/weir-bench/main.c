// SPDX-License-Identifier: Apache-2.0
// weir-bench: workloads for memory. One program, as each one more in the initramfs costs cycles at boot; the name it is
// called by, or the first argument, says which workload. It prints one line of key=value; exit code 0, 1 when the
// result is wrong or the machine lacks something, 2 for bad arguments.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../userland/host_register.h"
#include "counting.h"
#include "meeting.h"
#include "pieces.h"
#include "threads.h"
#include "workload.h"

enum {
  EXIT_USAGE = 2,
  // Of the clock of the harts, for a tick of `time`. The `cycle` register would not do: it stops while a hart waits for
  // an interrupt, each hart has its own, and Linux does not let programs read it.
  CYCLES_PER_TICK = 100,
  MOST_DIVIDER = 127,
  MOST_MEETINGS = 8,
};

static const struct workload* const workloads[] = {&anneal,   &bfs,  &chase,   &gups,  &gups_hot,
                                                   &hashjoin, &spmv, &stencil, &stream};
static const size_t workload_count = sizeof workloads / sizeof *workloads;

void* take(size_t bytes) {
  // All pages at once, which spares their faults: each takes some 40000 cycles on Rocket.
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "weir-bench: %zu bytes of memory: %s\n", bytes, strerror(errno));
    exit(EXIT_FAILURE);
  }
  return memory;
}

static uint64_t ticks(void) {
  uint64_t value;
  __asm__ volatile("rdtime %0" : "=r"(value)::"memory");
  return value;
}

static uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void list(FILE* stream) {
  fprintf(stream,
          "usage: weir-bench WORKLOAD [OPTION...], or WORKLOAD [OPTION...]; WORKLOAD --help shows the options\n");
  for (size_t i = 0; i < workload_count; ++i) fprintf(stream, "  %-9s %s\n", workloads[i]->name, workloads[i]->summary);
}

static void help(const struct workload* workload) {
  printf("usage: %s [OPTION...]: %s\n", workload->name, workload->summary);
  printf("  --size N        %s; %" PRIu64 " to %" PRIu64 "%s, default %" PRIu64 ", quick %" PRIu64 "\n",
         workload->size_unit, workload->size.least, workload->size.most,
         workload->power_of_two ? ", a power of two" : "", workload->size.usual, workload->size.quick);
  printf("  --iterations N  default %" PRIu64 ", quick %" PRIu64 "\n", workload->iterations.usual,
         workload->iterations.quick);
  if (workload->parallel) printf("  --threads N     1 to %d, default 1\n", MOST_THREADS);
  if (workload->timed) printf("  --seconds N     run for so long, whatever --iterations says\n");
  printf("  --seed N        of the pseudo-random numbers, default 1\n");
  printf("  --hart N        stay on this one\n");
  printf("  --memory-divider N  have the simulated memory N times slower for the timed part, 1 to %d\n", MOST_DIVIDER);
  printf(
      "  --meet FILE=N   begin the timed part when N programs, each on a hart of its own, have come so far; "
      "several,\n");
  printf("                  %d at most, are waited for one after the other\n", MOST_MEETINGS);
  printf("  --before COMMAND  have the shell run COMMAND when the work is prepared; if that fails nothing is timed\n");
  printf("  --after COMMAND  have it run COMMAND when the work has been timed, before the result is checked\n");
  if (workload->repeatable) {
    printf(
        "  --time-each     when the others of all meetings have come, do the work alone, and again after each meeting; "
        "a\n");
    printf("                  line each time\n");
  }
  printf("  --quick         the quick defaults: some million cycles\n");
  printf("prints operations (%ss), nanoseconds, cycles, bytes; exit code 1 when the result is wrong\n",
         workload->operation);
  if (workload->pieces)
    printf("and cycles undisturbed, by the median of %d pieces of the first thread's work, and of their latter half\n",
           PIECES);
}

_Noreturn static void refuse(const struct workload* workload, const char* option, const char* value, const char* why) {
  fprintf(stderr, "%s: %s%s%s %s\n", workload->name, option, value ? " " : "", value ? value : "", why);
  exit(EXIT_USAGE);
}

static uint64_t number(const struct workload* workload, const char* option, const char* value, struct range range,
                       bool power_of_two) {
  if (!value) refuse(workload, option, NULL, "needs a number");
  char* end;
  errno = 0;
  const uint64_t parsed = strtoull(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno) refuse(workload, option, value, "is not a number");
  if (parsed < range.least || parsed > range.most) {
    char why[80];
    snprintf(why, sizeof why, "is not between %" PRIu64 " and %" PRIu64, range.least, range.most);
    refuse(workload, option, value, why);
  }
  if (power_of_two && parsed & (parsed - 1)) refuse(workload, option, value, "is not a power of two");
  return parsed;
}

// Keeps this program on a hart.
static void stay(const struct workload* workload, const char* option, const char* value) {
  cpu_set_t harts;
  CPU_ZERO(&harts);
  CPU_SET(number(workload, option, value, (struct range){.most = CPU_SETSIZE - 1}, false), &harts);
  if (sched_setaffinity(0, sizeof harts, &harts)) refuse(workload, option, value, "is no hart of this machine");
}

static bool spoil;  // with --break, which only the build for the tests knows

// With --meet: where this program waits for others, one after the other.
static struct {
  const char* file;
  uint32_t programs;
} meetings[MOST_MEETINGS];
static size_t meeting_count;
static bool time_each;

// With --before and --after: what the shell is to do when the work is prepared, and when it has been timed.
static const char *before, *after;

// With --memory-divider: the simulator's register, and what it holds meanwhile.
static struct {
  volatile uint32_t* in_force;
  uint32_t value, before;
} divider;

static void reach_divider(void) {
  const char* problem;
  divider.in_force = host_register("memory_divider", &problem);
  if (divider.in_force) return;
  fprintf(stderr, "weir-bench: --memory-divider: memory_divider %s\n",
          problem ? problem : "is not on the kernel's command line: the memory cannot be made slower here");
  exit(EXIT_FAILURE);
}

static struct settings parse(const struct workload* workload, char** arguments) {
  struct settings settings = {workload->size.usual, workload->iterations.usual, 1, 1, 0};
  for (char** argument = arguments; *argument; ++argument)
    if (!strcmp(*argument, "--quick")) {
      settings.size = workload->size.quick;
      settings.iterations = workload->iterations.quick;
    }
  for (char** argument = arguments; *argument; ++argument) {
    const char* option = *argument;
    if (!strcmp(option, "--quick")) continue;
    if (!strcmp(option, "--help")) {
      help(workload);
      exit(EXIT_SUCCESS);
    }
    if (workload->repeatable && !strcmp(option, "--time-each")) {
      time_each = true;
      continue;
    }
#ifdef SPOILABLE
    if (!strcmp(option, "--break")) {
      spoil = true;
      continue;
    }
#endif
    char* value = argument[1];
    if (!strcmp(option, "--meet")) {
      char* const equals = value ? strrchr(value, '=') : NULL;
      if (!equals || equals == value) refuse(workload, option, value, "is not FILE=N");
      if (meeting_count == MOST_MEETINGS) refuse(workload, option, value, "is one more than can be waited for");
      *equals = '\0';
      const struct range programs = {.least = 2, .most = MOST_PROGRAMS};
      meetings[meeting_count].programs = (uint32_t)number(workload, option, equals + 1, programs, false);
      meetings[meeting_count++].file = value;
    } else if (!strcmp(option, "--before") || !strcmp(option, "--after")) {
      if (!value) refuse(workload, option, NULL, "needs a command");
      *(option[2] == 'b' ? &before : &after) = value;
    } else if (!strcmp(option, "--memory-divider")) {
      divider.value =
          (uint32_t)number(workload, option, value, (struct range){.least = 1, .most = MOST_DIVIDER}, false);
    } else if (!strcmp(option, "--hart"))
      stay(workload, option, value);
    else if (!strcmp(option, "--size"))
      settings.size = number(workload, option, value, workload->size, workload->power_of_two);
    else if (!strcmp(option, "--iterations"))
      settings.iterations = number(workload, option, value, workload->iterations, false);
    else if (!strcmp(option, "--seed"))
      settings.seed = number(workload, option, value, (struct range){.most = UINT64_MAX}, false);
    else if (workload->parallel && !strcmp(option, "--threads"))
      settings.threads = number(workload, option, value, (struct range){.least = 1, .most = MOST_THREADS}, false);
    else if (workload->timed && !strcmp(option, "--seconds"))
      settings.seconds = number(workload, option, value, (struct range){.least = 1, .most = 1 << 20}, false);
    else
      refuse(workload, option, NULL, "is no option; --help shows them");
    ++argument;
  }
  if (time_each && !meeting_count) refuse(workload, "--time-each", NULL, "needs a --meet");
  return settings;
}

static void run_command(const struct workload* workload, const char* option, const char* command) {
  const int status = system(command);
  if (!status) return;
  if (WIFEXITED(status))
    fprintf(stderr, "%s: %s: the command ends with exit code %d\n", workload->name, option, WEXITSTATUS(status));
  else
    fprintf(stderr, "%s: %s: the command cannot be run, or is killed\n", workload->name, option);
  exit(EXIT_FAILURE);
}

// Does the work once, timed; whether the result is right.
static bool time_work(const struct workload* workload, const struct settings* settings) {
  counting_begin();
  if (divider.value) divider.before = *divider.in_force, *divider.in_force = divider.value;
  const uint64_t start = nanoseconds(), start_ticks = ticks();
  const struct work work = workload->run(settings);
  const uint64_t cycles = (ticks() - start_ticks) * CYCLES_PER_TICK, time = nanoseconds() - start;
  if (divider.value) *divider.in_force = divider.before;
  counting_end();
  if (after) run_command(workload, "--after", after);
  if (spoil) {
    const struct result result = workload->result(settings);
    ((unsigned char*)result.data)[result.bytes / 2] ^= 1;
  }
  const bool right = workload->check(settings);
  printf("workload=%s size=%" PRIu64 " iterations=%" PRIu64 " threads=%" PRIu64 " seed=%" PRIu64 " operations=%" PRIu64
         " nanoseconds=%" PRIu64 " cycles=%" PRIu64,
         workload->name, settings->size, settings->iterations, settings->threads, settings->seed, work.operations, time,
         cycles);
  if (pieces_undisturbed())
    printf(" undisturbed=%" PRIu64 " latter_half=%" PRIu64, pieces_undisturbed() * CYCLES_PER_TICK,
           pieces_latter_half() * CYCLES_PER_TICK);
  printf(" bytes=%" PRIu64 " result=%s\n", work.bytes, right ? "right" : "wrong");
  return right;
}

static int measure(const struct workload* workload, const struct settings* settings) {
  if (divider.value) reach_divider();
  counting_reach();
  if (workload->pieces && !settings->seconds) pieces_reach();
  struct meeting reached[MOST_MEETINGS];
  for (size_t i = 0; i < meeting_count; ++i) reached[i] = meeting_reach(meetings[i].file, meetings[i].programs);
  // Before the work is prepared, which gives the others time to fall asleep.
  if (time_each)
    for (size_t i = 0; i < meeting_count; ++i) meeting_await_others(&reached[i]);
  workload->prepare(settings);
  if (before) run_command(workload, "--before", before);
  bool right = !time_each || time_work(workload, settings);
  for (size_t i = 0; i < meeting_count; ++i) {
    meet(&reached[i]);
    if (time_each) right &= time_work(workload, settings);
  }
  if (!time_each) right &= time_work(workload, settings);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const struct workload* find(const char* name) {
  for (size_t i = 0; i < workload_count; ++i)
    if (!strcmp(workloads[i]->name, name)) return workloads[i];
  return NULL;
}

int main(int count, char** arguments) {
  const char* slash = strrchr(arguments[0], '/');
  const struct workload* workload = find(slash ? slash + 1 : arguments[0]);
  char** options = arguments + 1;
  if (!workload && count > 1) workload = find(*options++);
  if (!workload) {
    const bool asked = count > 1 && !strcmp(arguments[1], "--help");
    list(asked ? stdout : stderr);
    return asked ? EXIT_SUCCESS : EXIT_USAGE;
  }
  const struct settings settings = parse(workload, options);
  return measure(workload, &settings);
}
