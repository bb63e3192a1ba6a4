/* Tries: to change how it and others are scheduled: cores, real-time classes, priorities of
 * process 1 and of all that run under its user id. Must: be refused whatever outlives it; the next
 * run has the same priority and cores. */
#include "attempt.h"
int main(void)
{
    cpu_set_t all;
    memset(&all, 255, sizeof all);
    struct sched_param real_time = {.sched_priority = 1}, idle = {.sched_priority = 0};
    attempt("another core", sched_setaffinity(0, sizeof all, &all));
    attempt("cores of process 1", sched_setaffinity(1, sizeof all, &all));
    attempt("real time", sched_setscheduler(0, SCHED_FIFO, &real_time));
    attempt("real time for process 1", sched_setscheduler(1, SCHED_FIFO, &real_time));
    attempt("idle class for process 1", sched_setscheduler(1, SCHED_IDLE, &idle));
    attempt("priority of process 1", setpriority(PRIO_PROCESS, 1, 19));
    attempt("priority of a group", setpriority(PRIO_PGRP, 1, 19));
    attempt("higher priority", setpriority(PRIO_PROCESS, 0, -5));
    attempt("input and output class", syscall(SYS_ioprio_set, 1, 0, 3 << 13));
    setpriority(PRIO_USER, 0, 19); /* may work for its own processes, and for no other */
    setpriority(PRIO_PGRP, 0, 19);
    return report();
}
