/* Tries: the calls that reach into the kernel or the machine: io_uring, bpf, perf events, userfaultfd,
 * keys, kexec, reboot, modules, clocks, the log, names, the accounting, secret memory. Must: be
 * refused. */
#include "attempt.h"
#include <sys/timex.h>
int main(void)
{
    char room[256] = {0};
    struct timespec then = {0};
    struct timeval day = {0};
    struct timex tick = {.modes = 1};
    static const struct { const char *what; long number; } calls[] = {
        {"io_uring_enter", 426}, {"io_uring_register", 427}, {"bpf", 321},
        {"userfaultfd", 323}, {"add_key", 248}, {"request_key", 249}, {"keyctl", 250},
        {"kexec_load", 246}, {"kexec_file_load", 320}, {"init_module", 175}, {"finit_module", 313},
        {"delete_module", 176}, {"acct", 163}, {"vhangup", 153}, {"swapoff", 168}, {"iopl", 172},
        {"ioperm", 173}, {"modify_ldt", 154}, {"sethostname", 170}, {"setdomainname", 171}, {"syslog", 103},
        {"lookup_dcookie", 212}, {"memfd_secret", 447}, {"mbind", 237}, {"set_mempolicy", 238},
        {"migrate_pages", 256}, {"fanotify_init", 300}, {"quotactl", 179}, {"nfsservctl", 180},
        {"lsm_set_self_attr", 460}, {"process_mrelease", 448}, {"ustat of a future kernel", 900},
        {"setxattrat", 463}, {"file_setattr", 469},
    };
    for (int i = 0; i < (int)(sizeof calls / sizeof *calls); i++)
        attempt(calls[i].what, syscall(calls[i].number, 0, 0, 0, 0, 0, 0));
    attempt("io_uring_setup", syscall(425, 8, room));
    unsigned perf[28] = {1, 112};
    attempt("perf_event_open", syscall(298, perf, 0, -1, -1, 0));
    attempt("userfaultfd for user mode", syscall(323, 1));
    attempt("reboot", syscall(SYS_reboot, 0xfee1dead, 672274793, 0x89abcdef, NULL)); /* only disarms Ctrl-Alt-Del */
    attempt("clock_settime", clock_settime(CLOCK_REALTIME, &then));
    attempt("settimeofday", settimeofday(&day, NULL));
    attempt("adjtimex", adjtimex(&tick));
    attempt("clock_adjtime", syscall(305, 0, &tick));
    attempt("a module", syscall(313, memfd_create("m", 0), "", 0));
    return report();
}
