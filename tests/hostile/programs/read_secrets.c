/* Tries: to read or list what is not its own: the paths given as arguments (tests, expected outputs,
 * sources, the cache), or without any what machines keep secret. Must: be refused. */
#include "attempt.h"
int main(int argc, char **argv)
{
    static const char *const known[] = {"/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/proc/1/root/etc",
                                        "/proc/self/root/etc/passwd", "/proc/self/cwd/../etc/passwd", "/var", "/run",
                                        "/sys", "/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/kvm", "/dev/shm/../../etc/passwd",
                                        "/proc/kcore", "/proc/kallsyms", "/proc/keys", "/proc/sysvipc/shm", "/proc/version",
                                        "/proc/cmdline", "/dev/vda", "/dev/sda", "/dev/pts", "/dev/ptmx"};
    for (int i = 0; argc == 1 && i < (int)(sizeof known / sizeof *known); i++)
        attempt(known[i], open(known[i], O_RDONLY | O_NONBLOCK));
    for (int i = 1; i < argc; i++) {
        attempt(argv[i], open(argv[i], O_RDONLY | O_NONBLOCK));
        attempt(argv[i], open(argv[i], O_WRONLY | O_NONBLOCK));
        int fd = open(argv[i], O_PATH);
        if (fd >= 0) attempt("through a path descriptor", openat(fd, "", O_RDONLY));
    }
    return report();
}
