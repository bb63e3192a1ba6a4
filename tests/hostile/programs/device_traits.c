/* Tries: to change the host's device nodes and toolchain files: modes, times, contents. Must: be
 * refused. */
#include "attempt.h"
int main(void)
{
    static const char *const paths[] = {"/dev/null", "/dev/zero", "/dev/urandom", "/usr/bin/env", "/usr/lib",
                                        "/lib64", "/", "/dev"};
    for (int i = 0; i < 8; i++) {
        struct stat st;
        if (stat(paths[i], &st)) continue;
        attempt(paths[i], chmod(paths[i], st.st_mode & 07777));
        attempt(paths[i], chown(paths[i], 0, 0));
        attempt(paths[i], utimensat(AT_FDCWD, paths[i], NULL, 0));
        attempt(paths[i], truncate(paths[i], 0));
        attempt(paths[i], unlink(paths[i]));
        attempt(paths[i], rename(paths[i], "/tmp/gone"));
    }
    attempt("a file in the root", open("/new", O_CREAT | O_WRONLY, 0600));
    attempt("a file in /dev", open("/dev/new", O_CREAT | O_WRONLY, 0600));
    attempt("a file in /usr", open("/usr/lib/new", O_CREAT | O_WRONLY, 0600));
    attempt("a folder in the root", mkdir("/new", 0700));
    return report();
}
