/* Tries: to outrun the clean-up: a chain where each process forks the next one and ends, so that
 * there is never the same process twice. Must: be gone when the run is over. */
#include "attempt.h"
int main(void)
{
    for (int chain = 0; chain < 4; chain++)
        if (fork() == 0)
            for (;;)
                if (fork() > 0) _exit(0);
    usleep(20000);
    return 0;
}
