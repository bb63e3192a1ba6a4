/* Tries: to kill every process it may signal, with every signal that kills. Must: hit nothing but
 * itself and its own children; the cell and its next run are as before. */
#include "attempt.h"
int main(void)
{
    if (fork() == 0) for (;;) pause();
    kill(-1, SIGSTOP);
    kill(-1, SIGTERM);
    kill(1, SIGKILL);
    kill(-1, SIGKILL);
    kill(0, SIGKILL);
    return 0;
}
