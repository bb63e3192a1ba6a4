/* Tries: to make or enter namespaces, by unshare, clone, clone3 and setns. Must: be refused. */
#include "attempt.h"
#include <linux/sched.h>
static long cloned(unsigned long flags)
{
    long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) _exit(0);
    return pid;
}
int main(void)
{
    static const unsigned long flags[] = {0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000,
                                          0x40000000, 0x80};
    static const char *const kinds[] = {"mnt", "cgroup", "uts", "ipc", "user", "pid", "net", "time"};
    for (int i = 0; i < 8; i++) {
        char path[32];
        attempt(kinds[i], unshare((int)flags[i]));
        if (flags[i] != 0x80) attempt(kinds[i], cloned(flags[i])); /* 0x80 is part of clone's signal */
        if (flags[i] != 0x80) attempt(kinds[i], cloned(flags[i] | 0xffffffff00000000));
        struct clone_args args = {.flags = flags[i], .exit_signal = SIGCHLD};
        long pid = syscall(SYS_clone3, &args, sizeof args);
        if (pid == 0) _exit(0);
        attempt("clone3", pid);
        snprintf(path, sizeof path, "/proc/self/ns/%s", kinds[i]);
        int fd = open(path, O_RDONLY);
        if (fd >= 0) attempt("setns", setns(fd, (int)flags[i]));
        if (fd >= 0) attempt("ns ioctl", ioctl(fd, 0xb702 /* NS_GET_PARENT */));
    }
    return report();
}
