/* Tries: to spin with every signal blocked and ignored, SIGXCPU among them. Must: meet the processor
 * limit. */
#include "attempt.h"
int main(void)
{
    sigset_t all;
    sigfillset(&all);
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;) {}
}
