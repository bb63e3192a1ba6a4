/* Tries: to change what a process hands on to those after it: umask, nice, folder, limits, signal
 * dispositions, its name, its out-of-memory order. Must: reach its own children only. */
#include "attempt.h"
int main(void)
{
    umask(0777);
    if (nice(5)) {}
    if (chdir("/")) {}
    struct rlimit tiny = {1, 1};
    setrlimit(RLIMIT_NOFILE, &tiny);
    setrlimit(RLIMIT_DATA, &tiny);
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    prctl(PR_SET_NAME, "cell");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_TIMERSLACK, 1000000000ul);
    prctl(PR_SET_DUMPABLE, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    _exit(0);
}
