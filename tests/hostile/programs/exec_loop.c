/* Tries: to replace itself by itself without end, so that its clocks might start anew. Must: meet a
 * limit. */
#include "attempt.h"
int main(int argc, char **argv)
{
    (void)argc;
    execv("/proc/self/exe", argv);
    int fd = open("/proc/self/exe", O_RDONLY);
    fexecve(fd, argv, (char *[]){NULL});
    for (;;) {} /* where /proc is not to be had */
}
