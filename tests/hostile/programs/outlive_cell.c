/* Tries: to run on after its cell was killed: no signal for a parent's death, every signal ignored, and
 * two daemons in sessions of their own, one that spins and one that sleeps. Must: end with the cell. */
#include "attempt.h"
int main(void)
{
    sigset_t all;
    sigfillset(&all);
    for (int number = 1; number < 65; number++)
        if (number != SIGCHLD) signal(number, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, 0);
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            setsid();
            if (fork() > 0) _exit(0);
            for (;;)
                if (i) sleep(1000);
        }
        waitpid(child, NULL, 0);
    }
    for (;;) {}
}
