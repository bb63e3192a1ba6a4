/* Tries: to reach a terminal: its own, a new one, and to push characters into it. Must: find none. */
#include "attempt.h"
#include <termios.h>
int main(void)
{
    static const char *const paths[] = {"/dev/tty", "/dev/console", "/dev/ptmx", "/dev/pts/0", "/dev/pts/1", "/dev/tty1"};
    char c = 'x';
    for (int i = 0; i < 6; i++) attempt(paths[i], open(paths[i], O_RDWR));
    for (int fd = 0; fd < 3; fd++) {
        errno = 0;
        attempt("TIOCSTI", ioctl(fd, TIOCSTI, &c));
        attempt("TIOCSTI with high bits", syscall(SYS_ioctl, fd, 0x100005412ul, &c));
        attempt("TIOCSCTTY", ioctl(fd, TIOCSCTTY, 1));
        attempt("TIOCLINUX", ioctl(fd, TIOCLINUX, &c));
    }
    return report();
}
