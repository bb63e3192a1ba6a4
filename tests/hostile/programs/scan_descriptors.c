/* Tries: to find descriptors that it was not given, and to close all. Must: find 0, 1 and 2 and no
 * other. */
#include "attempt.h"
int main(void)
{
    for (int fd = 3; fd < 70000; fd++)
        if (fcntl(fd, F_GETFD) >= 0) attempt("a descriptor", fd);
    report();
    for (int fd = 0; fd < 70000; fd++) close(fd);
    return 0;
}
