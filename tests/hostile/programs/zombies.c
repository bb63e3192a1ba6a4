/* Tries: to fill the process table with children that nobody waits for. Must: be refused at the
 * process limit; the zombies are gone with it. */
#include "attempt.h"
int main(void)
{
    int count = 0;
    for (; count < 5000; count++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) _exit(0);
    }
    printf("%d\n", count);
    return 0;
}
