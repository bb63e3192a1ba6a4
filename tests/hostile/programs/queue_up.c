/* Tries: to stretch its wall time: its own children queue for the core, so that it looks as if a loaded
 * machine had made it wait; then it sleeps. Must: meet the wall limit, and not many times later. */
#include "attempt.h"
int main(void)
{
    for (int i = 0; i < 28; i++)
        if (fork() == 0) {
            burn_ms(5);
            pause();
        }
    for (;;) pause();
}
