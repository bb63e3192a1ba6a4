/* Tries: to hide processor time in children that nobody waits for: SIGCHLD is ignored, so their
 * time is added to no parent. Must: be counted all the same where a control group counts, and meet
 * the processor limit; without one it meets the wall limit at the latest. */
#include "attempt.h"
int main(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        if (fork() == 0) {
            burn_ms(15);
            _exit(0);
        }
        while (wait(NULL) > 0) {}
    }
}
