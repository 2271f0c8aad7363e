// SPDX-License-Identifier: Apache-2.0
/** weirstat: what memory did while a command ran, counted by Weir for each hart and each rank. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "counts.h"
#include "pmu.h"
#include "report.h"

/** Exit codes of weirstat itself; with a command that ran it is the command's. */
enum { BAD_USAGE = 2, CANNOT_COUNT = 125, CANNOT_RUN = 126, NOT_FOUND = 127, KILLED = 128 };

static const char usage[] =
    "usage: weirstat [-a] [-t] [-x SEPARATOR] [-e EVENTS] [-H HARTS] [-r RANKS] -- COMMAND [ARGUMENT...]\n"
    "       weirstat --list\n"
    "Count what memory does while COMMAND runs, and print it on stderr: of the whole machine, by hart and rank.\n"
    "  -e EVENTS  these events, as read_hits,read_delay; else a choice for row hits, bandwidth and read delay\n"
    "  -a         all events\n"
    "  -t         while COMMAND times its work, as weir-bench does; else all the while that it runs\n"
    "  -x SEPARATOR  for programs: a line for each count, of its event, hart, rank and number, with this between them\n"
    "  -H HARTS   for these harts, as 0,2-3; else for those of the machine\n"
    "  -r RANKS   for these ranks; else for all\n"
    "  --list     print the events, and what each is counted for\n"
    "The exit code is COMMAND's, 128 and the signal that ended it, 127 or 126 if it is not found or cannot be run,\n"
    "125 if the counters cannot be used, and 2 for a bad argument.\n";

/** Counted if no events are named; those that a controller does not have are left out. */
static const char* const usual[] = {"activates",      "refreshes",  "drains",       "read_hits",       "read_misses",
                                    "read_conflicts", "write_hits", "write_misses", "write_conflicts", "read_delay"};

struct arguments {
  const char* events;
  const char* harts;
  const char* ranks;
  const char* separator; /**< of fields, in place of tables */
  bool all;
  bool list;
  bool timed;     /**< the command says when to count */
  char** command; /**< ends with NULL */
};

/** @return whether the arguments make sense; what is wrong is said on stderr if not */
static bool parse_arguments(int argc, char** argv, struct arguments* arguments) {
  static const struct option options[] = {{"list", no_argument, NULL, 'l'}, {"help", no_argument, NULL, 'h'}, {0}};
  *arguments = (struct arguments){0};
  // + ends the options at the command, which has options of its own
  for (int option; (option = getopt_long(argc, argv, "+ate:H:r:x:", options, NULL)) != -1;) {
    switch (option) {
      case 'a':
        arguments->all = true;
        break;
      case 'e':
        arguments->events = optarg;
        break;
      case 'H':
        arguments->harts = optarg;
        break;
      case 'r':
        arguments->ranks = optarg;
        break;
      case 't':
        arguments->timed = true;
        break;
      case 'x':
        arguments->separator = optarg;
        break;
      case 'l':
        arguments->list = true;
        break;
      case 'h':
        fputs(usage, stdout);
        exit(EXIT_SUCCESS);
      default:  // getopt has said what is wrong
        fputs(usage, stderr);
        return false;
    }
  }
  arguments->command = argv + optind;
  const char* wrong = NULL;
  if (arguments->all && arguments->events) wrong = "-a and -e exclude one another";
  if (arguments->separator && !*arguments->separator) wrong = "-x needs a separator";
  if (arguments->list && arguments->timed) wrong = "--list and -t exclude one another";
  if (arguments->list && *arguments->command) wrong = "--list runs no command";
  if (!arguments->list && !*arguments->command) wrong = "no command to run";
  if (wrong) fprintf(stderr, "weirstat: %s\n%s", wrong, usage);
  return !wrong;
}

/** What is to be counted. @return whether the arguments can be met; what is wrong is said on stderr if not */
static bool choose(const struct arguments* arguments, struct pmu* pmu, struct counts* counts) {
  struct selection harts = {0}, ranks = {0};
  if (arguments->harts) {
    if (!selection_parse(&harts, "harts", arguments->harts, pmu->sizes[HART])) return false;
  } else {
    // a controller may tell more sources of accesses apart than there are harts
    const long there = sysconf(_SC_NPROCESSORS_CONF);
    harts.is_given = there > 0;
    for (long hart = 0; hart < there && hart < SELECTED_MOST; ++hart) harts.has[hart] = true;
  }
  if (arguments->ranks && !selection_parse(&ranks, "ranks", arguments->ranks, pmu->sizes[RANK])) return false;

  const struct event* const cycles = pmu_event(pmu, "cycles");
  bool is_room = cycles && counts_add(counts, pmu, cycles, &harts, &ranks);
  if (arguments->events) {
    char* const names = strdup(arguments->events);
    for (char* name = names; is_room && name;) {
      char* const here = strsep(&name, ",");
      const struct event* const event = pmu_event(pmu, here);
      if (!event) {
        fprintf(stderr, "weirstat: event '%s': not one of those that weirstat --list prints\n", here);
        free(names);
        return false;
      }
      if (event != cycles) is_room = counts_add(counts, pmu, event, &harts, &ranks);
    }
    free(names);
  } else if (arguments->all) {
    for (size_t i = 0; is_room && i < pmu->event_count; ++i)
      if (&pmu->events[i] != cycles) is_room = counts_add(counts, pmu, &pmu->events[i], &harts, &ranks);
  } else {
    for (size_t i = 0; is_room && i < sizeof usual / sizeof *usual; ++i) {
      const struct event* const event = pmu_event(pmu, usual[i]);
      if (event) is_room = counts_add(counts, pmu, event, &harts, &ranks);
    }
  }
  if (!is_room) fprintf(stderr, "weirstat: more than %d counters: choose fewer events, harts or ranks\n", COUNTS_MOST);
  return is_room;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/** Lets the command say when to count: it finds the group's file descriptor in WEIRSTAT_GROUP. */
static void hand_over(int leader) {
  char number[16];
  snprintf(number, sizeof number, "%d", dup(leader));
  setenv("WEIRSTAT_GROUP", number, true);
}

/** In the child: waits until counting may begin, and becomes the command. Does not return. */
static void become(char** command, int begin) {
  char byte;
  if (read(begin, &byte, 1) != 1) _exit(CANNOT_COUNT);
  execvp(*command, command);
  const int error = errno;
  fprintf(stderr, "weirstat: %s: %s\n", *command, strerror(error));
  _exit(error == ENOENT ? NOT_FOUND : CANNOT_RUN);
}

/** Runs the command and counts meanwhile, or while it times its work. @return the exit code; nothing was counted if
 * `nanoseconds` is 0 then */
static int run(char** command, bool timed, struct counts* counts, uint64_t* nanoseconds) {
  int begin[2];
  if (pipe(begin)) {
    perror("weirstat: pipe");
    return CANNOT_COUNT;
  }
  const pid_t child = fork();
  if (child < 0) {
    perror("weirstat: fork");
    return CANNOT_COUNT;
  }
  if (!child) {
    close(begin[1]);
    if (timed) hand_over(counts->leader);
    become(command, begin[0]);
  }
  close(begin[0]);
  // the command is interrupted, and what it did until then is printed
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);

  const bool has_begun = counts_begin(counts);
  const uint64_t start = now();
  if (has_begun && write(begin[1], "", 1) != 1) perror("weirstat: the command has gone");
  close(begin[1]);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  *nanoseconds = now() - start;
  if (!has_begun || !counts_end(counts)) return CANNOT_COUNT;
  if (timed) *nanoseconds = counts->nanoseconds;
  if (!*nanoseconds) fprintf(stderr, "weirstat: %s timed no work\n", *command);
  if (!*nanoseconds && !status) return CANNOT_COUNT;
  return WIFSIGNALED(status) ? KILLED + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char** argv) {
  static struct pmu pmu;
  static struct counts counts;
  struct arguments arguments;
  if (!parse_arguments(argc, argv, &arguments)) return BAD_USAGE;
  if (!pmu_find(&pmu) || ((arguments.list || arguments.all) && !pmu_all_events(&pmu))) return CANNOT_COUNT;
  if (arguments.list) {
    report_events(stdout, &pmu);
    return EXIT_SUCCESS;
  }
  if (!choose(&arguments, &pmu, &counts)) return BAD_USAGE;
  if (!counts_open(&counts, &pmu, !arguments.timed)) return CANNOT_COUNT;
  uint64_t nanoseconds;
  const int code = run(arguments.command, arguments.timed, &counts, &nanoseconds);
  if (code == CANNOT_COUNT || !nanoseconds) return code;
  // stderr itself would be written to number by number
  FILE* const table = fdopen(STDERR_FILENO, "w");
  if (arguments.separator)
    report_fields(table ? table : stderr, &pmu, &counts, arguments.separator);
  else
    report_counts(table ? table : stderr, &pmu, &counts, *arguments.command, nanoseconds);
  if (table) fclose(table);
  return code;
}
