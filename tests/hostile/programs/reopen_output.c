/* Tries: to keep its output open and mapped in another process, in order to change it after the end.
 * Must: give what was written while the run lasted, and reach no later run. */
#include "attempt.h"
int main(void)
{
    int gate[2];
    char byte;
    if (write(1, "before\n", 7) != 7 || pipe(gate)) return 1;
    if (fork() == 0) {
        setsid();
        int fd = open("/proc/self/fd/1", O_RDWR);
        char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd < 0 ? 1 : fd, 0);
        if (write(gate[1], "x", 1) != 1) _exit(1);
        usleep(50000);
        for (;;) if (at != MAP_FAILED) memcpy(at, "after!\n", 7);
    }
    if (read(gate[0], &byte, 1)) {}
    return 0;
}
