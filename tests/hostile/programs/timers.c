/* Tries: to leave timers and alarms armed behind it. Must: end as it says; nothing fires later. */
#include "attempt.h"
int main(void)
{
    signal(SIGALRM, SIG_IGN);
    signal(SIGVTALRM, SIG_IGN);
    signal(SIGPROF, SIG_IGN);
    struct itimerval soon = {{0, 1000}, {0, 1000}};
    for (int kind = 0; kind < 3; kind++) setitimer(kind, &soon, NULL);
    for (int i = 0; i < 64; i++) {
        timer_t timer;
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        struct itimerspec at = {{0, 0}, {0, 500000000}};
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &at, NULL);
    }
    alarm(1);
    if (fork() == 0) pause();
    _exit(0);
}
