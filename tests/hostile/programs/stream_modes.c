/* Tries: to take from later runs the right to open their standard streams by name: the permissions of
 * all three are taken away. Must: reach no later run. */
#include "attempt.h"
int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        struct timespec note[2] = {{123456789, 42}, {987654321, 24}};
        futimens(fd, note);
        chmod(path, 0);
        fchmod(fd, 0);
        int own = open("/proc/self/exe", O_RDONLY);
        fchmod(own, 0);
    }
    return 0;
}
