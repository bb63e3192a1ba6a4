/* Tries: to have the kernel end its supervisor in its place when memory runs out: it goes to the end of
 * the queue, and eats memory in many small processes. Must: be over its memory limit. */
#include "attempt.h"
int main(void)
{
    int order = open("/proc/self/oom_score_adj", O_WRONLY);
    if (order >= 0 && write(order, "-1000", 5) < 0 && write(order, "0", 1) < 0) {}
    for (int i = 0; i < 24; i++) /* 120 MiB together */
        if (fork() == 0) {
            char *block = malloc(5 << 20);
            touch(block, 5 << 20);
            usleep(1000000);
            _exit(0);
        }
    while (wait(NULL) > 0) {}
    return 0;
}
