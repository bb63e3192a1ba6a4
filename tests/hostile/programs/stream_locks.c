/* Tries: to leave its standard streams locked: file locks, open-file locks, leases. Must: reach no later
 * run, which would wait for the lock. */
#include "attempt.h"
int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        struct flock whole = {.l_type = fd ? F_WRLCK : F_RDLCK};
        flock(fd, LOCK_EX | LOCK_NB);
        fcntl(fd, F_SETLK, &whole);
        fcntl(fd, F_OFD_SETLK, &whole);
        fcntl(fd, F_SETLEASE, F_WRLCK);
        fcntl(fd, F_SETLEASE, F_RDLCK);
    }
    return 0;
}
