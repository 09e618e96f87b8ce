// Makes the machine half as fast for everything that runs on it: takes every other half of a millisecond of each
// processor, until its standard input ends.
//   half PROCESSORS
// A share of a cgroup (cpu.max) would not do: a process that runs alone gets its share as a whole processor for half of
// the time, in stretches of many milliseconds, which sockets and commits feel as stalls.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD_NS = 1000000, TAKEN_NS = PERIOD_NS / 2, PRIORITY = 50, SECOND_NS = 1000000000 };

static uint64_t at(const struct timespec *t) { return (uint64_t)t->tv_sec * SECOND_NS + (uint64_t)t->tv_nsec; }

static void fail(const char *why) {
  fprintf(stderr, "half: %s (%s)\n", why, strerror(errno));
  exit(1);
}

static void *take(void *processor) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET((int)(intptr_t)processor, &own);
  if (sched_setaffinity(0, sizeof own, &own)) fail("sched_setaffinity");
  struct sched_param priority = {.sched_priority = PRIORITY};
  if (sched_setscheduler(0, SCHED_FIFO, &priority)) fail("sched_setscheduler");
  struct timespec next, now;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (at(&now) < at(&next) + TAKEN_NS);
    next.tv_nsec += PERIOD_NS;
    if (next.tv_nsec >= SECOND_NS) next.tv_nsec -= SECOND_NS, next.tv_sec++;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  return NULL;
}

int main(int count, char **arguments) {
  int processors = count > 1 ? atoi(arguments[1]) : 0;
  if (processors < 1) fail("half PROCESSORS");
  for (intptr_t processor = 0; processor < processors; processor++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, take, (void *)processor)) fail("pthread_create");
    pthread_detach(thread);
  }
  puts("ready");
  fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0);
  return 0;
}
