// SPDX-License-Identifier: Apache-2.0
// The first process of the guest: says that the machine is up, lets the simulator freeze it, runs the script or a
// shell, and ends the run with its exit status.
//
// What the machine has comes from the kernel's command line by way of the environment; an absent one is left out:
//   finisher=ADDRESS     physical address of a register: the 32-bit exit code written there ends the simulation
//   host_freeze=ADDRESS  a write asks the simulator for a snapshot
//   host_script=ADDRESS  each 32-bit read gives the next byte of a script; bit 8 is set as long as there is one
//
// A page that is touched costs some 20000 cycles, hence no stdio, no heap and no sign of either before the first line.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host_register.h"

enum {
  CYCLES_PER_TICK = 100,     // of the clock of the harts, for a tick of `time`
  ENVIRONMENT_ENTRIES = 40,  // the kernel hands over 32 at most
  STATUS_OF_SIGNAL = 128,    // a process that signal N ended counts as exit status 128 + N, as in a shell
  STATUS_NOT_STARTED = 127,
  ALL_NODES = (1 << 4) - 1,  // those that the kernel is built for; it leaves out what the machine has not
};

static const char SCRIPT[] = "/script";
static const char HOST_SCRIPT[] = "/host-script";
static const char SHELL[] = "/bin/sh";

// One line on the console, in one write. A NULL ends the list.
static void say(const char* const* parts) {
  char line[256];
  size_t length = 0;
  for (; *parts; parts++)
    for (const char* from = *parts; *from && length < sizeof line - 1; from++) line[length++] = *from;
  line[length++] = '\n';
  if (write(STDERR_FILENO, line, length) < 0) return;  // without a console there is none to tell
}

#define SAY(...) say((const char* const[]){__VA_ARGS__, NULL})

static void complain(const char* what) { SAY("weir: init: ", what, ": ", strerror(errno)); }

static const char* decimal(uint64_t value, char digits[static 21]) {
  char* start = digits + 20;
  *start = '\0';
  do *--start = (char)('0' + value % 10);
  while (value /= 10);
  return start;
}

// The register whose address the command line names; NULL when it names none or it cannot be reached.
static volatile uint32_t* reach(const char* name) {
  const char* problem;
  volatile uint32_t* found = host_register(name, &problem);
  if (problem) SAY("weir: init: ", name, "=", getenv(name), " on the command line ", problem);
  return found;
}

static void mount_all(void) {
  static const struct {
    const char *type, *place;
  } SYSTEMS[] = {{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"cgroup2", "/sys/fs/cgroup"}};
  for (size_t i = 0; i < sizeof SYSTEMS / sizeof *SYSTEMS; i++)
    if (mount(SYSTEMS[i].type, SYSTEMS[i].place, SYSTEMS[i].type, 0, NULL) < 0) complain(SYSTEMS[i].place);
}

// Pages lie in all ranks in turn, where nothing else is asked for: each rank is a node, and harts are on the first.
// What the kernel's own threads take stays there.
static void interleave_nodes(void) {
  const unsigned long nodes[] = {ALL_NODES};
  long done = syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, nodes, 8 * sizeof nodes);
  if (done < 0 && errno != ENOSYS) complain("interleave nodes");
}

// The script to run: that of the initramfs, else the host's, else NULL.
static const char* find_script(void) {
  if (!access(SCRIPT, F_OK)) return SCRIPT;
  volatile uint32_t* host_script = reach("host_script");
  uint32_t byte = host_script ? *host_script : 0;
  if (!(byte >> 8 & 1)) return NULL;
  int file = open(HOST_SCRIPT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  if (file < 0) {
    complain(HOST_SCRIPT);
    return NULL;
  }
  while (byte >> 8 & 1) {
    char block[512];
    size_t length = 0;
    for (; length < sizeof block && byte >> 8 & 1; byte = *host_script) block[length++] = (char)byte;
    if (write(file, block, length) != (ssize_t)length) complain(HOST_SCRIPT);
  }
  close(file);
  return HOST_SCRIPT;
}

// Start the shell, with a script or interactive, as the leader of a session. Only the interactive one has the console
// as its terminal: when a leader ends, its terminal is hung up, and what a UART has not sent yet is lost.
static pid_t start_shell(const char* script, const sigset_t* signals) {
  static const char* environment[ENVIRONMENT_ENTRIES] = {"PATH=/bin"};
  for (size_t i = 0; environ[i] && i + 2 < ENVIRONMENT_ENTRIES; i++) environment[i + 1] = environ[i];
  const char* const arguments[] = {"sh", script, NULL};
  pid_t shell = vfork();
  if (shell == 0) {
    sigprocmask(SIG_UNBLOCK, signals, NULL);
    setsid();
    if (!script && ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0) complain("no terminal for job control");
    execve(SHELL, (char* const*)arguments, (char* const*)environment);
    complain(SHELL);
    _exit(STATUS_NOT_STARTED);
  }
  if (shell < 0) complain("vfork");
  return shell;
}

// Reap what dies until the shell has, or until poweroff, halt or reboot are asked for; the exit status of the run.
static int wait_for(pid_t shell, const sigset_t* signals) {
  while (shell > 0) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
      if (pid == shell) return WIFSIGNALED(status) ? STATUS_OF_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
    int signal = sigwaitinfo(signals, NULL);
    if (signal > 0 && signal != SIGCHLD) return 0;
  }
  return STATUS_NOT_STARTED;
}

static void end_run(int status) {
  char digits[21];
  SAY("weir: exit ", decimal((uint64_t)status, digits));
  sync();
  ioctl(STDERR_FILENO, TCSBRK, 1);  // until the console has sent it all
  volatile uint32_t* finisher = reach("finisher");
  if (finisher) *finisher = (uint32_t)status;
  reboot(RB_POWER_OFF);
  complain("power off");
  for (;;) pause();  // the kernel panics when the first process ends
}

int main(void) {
  uint64_t ticks;
  __asm__ volatile("rdtime %0" : "=r"(ticks));
  char digits[21];
  bool console = fcntl(STDERR_FILENO, F_GETFD) >= 0;
  if (console) SAY("weir: init at cycle ", decimal(ticks * CYCLES_PER_TICK, digits));
  mount_all();
  if (!console) {  // the initramfs has no /dev/console, but now the kernel's own /dev is there
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) open("/dev/console", O_RDWR);
    SAY("weir: init at cycle ", decimal(ticks * CYCLES_PER_TICK, digits));
  }

  sigset_t signals;
  sigemptyset(&signals);
  for (const int* signal = (const int[]){SIGCHLD, SIGUSR1, SIGUSR2, SIGTERM, 0}; *signal; signal++)
    sigaddset(&signals, *signal);
  sigprocmask(SIG_BLOCK, &signals, NULL);

  interleave_nodes();
  volatile uint32_t* host_freeze = reach("host_freeze");
  if (host_freeze) *host_freeze = 1;
  end_run(wait_for(start_shell(find_script(), &signals), &signals));
}
