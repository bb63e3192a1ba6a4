/* Tries: to change its input, which another run may share. Must: be refused; the next run that is given
 * the same input reads it whole. */
#include "attempt.h"
int main(void)
{
    char byte;
    attempt("writing to descriptor 0", write(0, "X", 1));
    attempt("truncating it", ftruncate(0, 0));
    attempt("allocating in it", fallocate(0, 0, 0, 4096));
    attempt("mapping it for writing", mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, 0, 0) == MAP_FAILED ? -1 : 0);
    int fd = open("/proc/self/fd/0", O_RDWR);
    if (fd < 0) fchmod(0, 0700), fd = open("/dev/stdin", O_RDWR);
    if (fd >= 0) {
        pwrite(fd, "X", 1, 0); /* may work where the input is this run's own copy */
        if (ftruncate(fd, 0)) {}
    }
    lseek(0, 0, SEEK_END);
    if (read(0, &byte, 1)) {}
    return report();
}
