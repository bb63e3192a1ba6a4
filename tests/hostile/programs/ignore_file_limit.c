/* Tries: to write past the file limit by ignoring SIGXFSZ. Must: be refused past the limit; it prints
 * how many MiB it got. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("big", O_CREAT | O_RDWR, 0600), count = 0;
    while (count < 1000 && write(fd, block, sizeof block) == sizeof block) count++;
    attempt("a sparse file", ftruncate(fd, (off_t)1 << 40));
    attempt("allocating", posix_fallocate(fd, 0, (off_t)1 << 40) ? -1 : 0);
    printf("%d\n", count);
    return report();
}
