/* Tries: to seal its outputs, so that the cell could not empty them for the next run. Must: be
 * refused. */
#include "attempt.h"
int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        for (int seal = 1; seal < 64; seal *= 2) attempt("sealing", fcntl(fd, F_ADD_SEALS, seal));
        int again = open(path, O_RDWR);
        if (again >= 0) attempt("sealing it anew", fcntl(again, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK));
    }
    return report();
}
