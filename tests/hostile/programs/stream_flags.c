/* Tries: to leave flags, positions and owners on its standard streams that would disturb the next run.
 * Must: reach no later run. */
#include "attempt.h"
int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK | O_ASYNC | O_NOATIME);
        fcntl(fd, F_SETOWN, getpid());
        fcntl(fd, F_SETSIG, SIGKILL);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        uint64_t hint = 3;
        fcntl(fd, 1036 /* F_SET_RW_HINT */, &hint);
        posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
        lseek(fd, 1 << 20, SEEK_SET);
    }
    return 0;
}
