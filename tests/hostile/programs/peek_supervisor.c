/* Tries: to read, trace or change process 1 and its parent: memory, descriptors, limits, registers. Must:
 * be refused. */
#include "attempt.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
int main(void)
{
    pid_t targets[] = {1, getppid()};
    for (int i = 0; i < 2; i++) {
        pid_t pid = targets[i];
        char byte[8], path[64];
        if (pid == 0) continue;
        struct iovec here = {byte, 8}, there = {(void *)0x400000, 8};
        struct rlimit limit = {0, 0};
        attempt("ptrace attach", ptrace(PTRACE_ATTACH, pid, NULL, NULL));
        attempt("ptrace seize", ptrace(PTRACE_SEIZE, pid, NULL, NULL));
        attempt("process_vm_readv", process_vm_readv(pid, &here, 1, &there, 1, 0));
        attempt("process_vm_writev", process_vm_writev(pid, &here, 1, &there, 1, 0));
        attempt("prlimit", prlimit(pid, RLIMIT_CPU, &limit, NULL));
        attempt("prlimit reading", prlimit(pid, RLIMIT_CPU, NULL, &limit));
        attempt("kcmp", syscall(SYS_kcmp, pid, getpid(), 2, 0, 0));
        attempt("move_pages", syscall(SYS_move_pages, pid, 0, NULL, NULL, NULL, 0));
        attempt("robust list", syscall(SYS_get_robust_list, pid, &path, &here) ? -1 : 0);
        int fd = (int)syscall(434 /* pidfd_open */, pid, 0);
        if (fd >= 0) {
            for (int n = 0; n < 32; n++) attempt("pidfd_getfd", syscall(438, fd, n, 0));
            attempt("process_madvise", syscall(440, fd, &there, 1, MADV_COLD, 0));
            attempt("setns", syscall(SYS_setns, fd, 0x20000));
        }
        static const char *const files[] = {"environ", "mem", "maps", "exe", "fd", "fd/3", "cwd", "root", "stack",
                                            "syscall", "io", "auxv", "map_files", "oom_score_adj", "personality",
                                            "ns/pid", "ns/mnt", "ns/user", "uid_map", "task/1/mem"};
        for (int n = 0; n < (int)(sizeof files / sizeof *files); n++) {
            snprintf(path, sizeof path, "/proc/%d/%s", pid, files[n]);
            int flags = !strcmp(files[n], "oom_score_adj") || !strcmp(files[n], "uid_map") ? O_WRONLY : O_RDONLY;
            if (pid != getpid()) attempt(path, open(path, flags));
        }
    }
    attempt("tracing itself by its parent", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    return report();
}
