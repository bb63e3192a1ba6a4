/* Tries: to hide a peak of 75 MiB that no single process had behind blocks of its outputs, which
 * count as no memory: they are allocated beyond the end, so that the output stays empty. Must:
 * count at its peak. */
#include "attempt.h"
int main(void)
{
    int gate[2], ready[2];
    char byte;
    if (pipe(gate) || pipe(ready)) return 1;
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            char *block = mmap(NULL, 7600 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            touch(block, 7600 << 10);
            close(gate[1]);
            if (write(ready[1], "x", 1) != 1) _exit(1);
            if (read(gate[0], &byte, 1)) {}
            _exit(0);
        }
    close(ready[1]);
    await_all(ready[0], 10);
    close(gate[1]);
    while (wait(NULL) > 0) {}
    fallocate(1, FALLOC_FL_KEEP_SIZE, 0, 8 << 20);
    fallocate(2, FALLOC_FL_KEEP_SIZE, 0, 8 << 20);
    return 0;
}
