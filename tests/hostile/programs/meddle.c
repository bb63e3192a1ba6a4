/* Tries: to change files of the host that belong to its own user, where it runs under the caller's id:
 * modes, owners, times, names of the paths given as arguments. Must: be refused. */
#include "attempt.h"
#include <sys/xattr.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        attempt("mode", chmod(argv[i], 0));
        attempt("mode at", syscall(SYS_fchmodat, AT_FDCWD, argv[i], 0));
        attempt("mode at, newer", syscall(452 /* fchmodat2 */, AT_FDCWD, argv[i], 0, 0));
        attempt("owner", chown(argv[i], (uid_t)-1, getgid()));
        attempt("times", utimensat(AT_FDCWD, argv[i], NULL, 0));
        attempt("attribute", setxattr(argv[i], "user.note", "x", 1, 0));
        attempt("size", truncate(argv[i], 0));
        attempt("name", rename(argv[i], "stolen"));
        attempt("second name", link(argv[i], "stolen"));
        attempt("existence", unlink(argv[i]));
        int fd = open(argv[i], O_PATH);
        if (fd >= 0) {
            char path[32];
            snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
            attempt("mode by descriptor", chmod(path, 0));
            attempt("mode by path descriptor", syscall(452, fd, "", 0, AT_EMPTY_PATH));
        }
    }
    return report();
}
