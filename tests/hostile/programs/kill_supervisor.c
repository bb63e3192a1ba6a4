/* Tries: to end, stop or disturb process 1 and its own parent by every kind of signal call. Must: be
 * refused or without effect. */
#include "attempt.h"
int main(void)
{
    pid_t targets[] = {1, getppid(), 2};
    signal(SIGTERM, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        pid_t pid = targets[i];
        if (pid == getpid() || pid == 0) continue;
        for (int number = 1; number < 65; number++) {
            kill(pid, number);
            syscall(SYS_tkill, pid, number);
            syscall(SYS_tgkill, pid, pid, number);
        }
        siginfo_t info = {.si_signo = SIGKILL, .si_code = -1};
        syscall(SYS_rt_sigqueueinfo, pid, SIGKILL, &info);
        syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGKILL, &info);
        int fd = (int)syscall(434 /* pidfd_open */, pid, 0);
        if (fd >= 0) syscall(424 /* pidfd_send_signal */, fd, SIGKILL, NULL, 0);
        setpgid(pid, 0);
        tcsetpgrp(0, pid);
    }
    puts("still here");
    return 0;
}
