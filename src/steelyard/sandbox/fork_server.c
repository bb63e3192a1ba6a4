/*
 * The fork server's loop, as a library that an interpreter loads once it has loaded all else.
 *
 * steelyard_serve() answers a cell's requests for as long as the cell is there. It returns in each new
 * process alone, with all set up for the candidate: the server itself never runs its interpreter
 * again. Every page that the interpreter writes to after a fork would be copied, and such faults are
 * most of what a run costs; here there are next to none.
 *
 * The interpreter's own steps around fork(2) are left out: they are for other threads and for locks
 * that may be held, and here there is one thread, which holds none. What modules have registered for a
 * fork stays registered for the candidate's own forks.
 *
 * Nothing is linked: the C library is whichever the interpreter has.
 */
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "fork_request.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { SIGNAL_SET_BYTES = 8 };

extern long syscall(long number, ...);

/* All but the one by which the cell has it go on where a candidate stopped it. */
static const uint64_t all_signals = ~(1ull << (SIGCONT - 1)), no_signals = 0;

static void set_dumpable(int on) { syscall(SYS_prctl, PR_SET_DUMPABLE, on, 0, 0, 0); }

static void limit(int resource, uint64_t value)
{
    struct { uint64_t soft, hard; } bound = {value, value}, old;
    if (syscall(SYS_prlimit64, 0, resource, &bound, NULL) == 0) return;
    if (syscall(SYS_prlimit64, 0, resource, NULL, &old) < 0) return;
    old.soft = old.hard; /* a lower hard limit stands: take all that it allows */
    syscall(SYS_prlimit64, 0, resource, &old, NULL);
}

/* Turns a new process into the run's, but for its session, which is the last step (incell/program.py); 0, or -1. */
static long become(const struct fork_request *r, const int *fds, int n_fds)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < n_fds; i++)
        if (syscall(SYS_dup3, fds[i], i, 0) < 0) return -1;
    if (syscall(SYS_close_range, n_fds, ~0u, 0) < 0)
        for (int fd = n_fds; fd < 1024; fd++) syscall(SYS_close, fd);
    limit(RLIMIT_STACK, r->stack_bytes);
    limit(RLIMIT_FSIZE, r->file_bytes);
    limit(RLIMIT_NPROC, r->processes);
    limit(RLIMIT_CPU, r->cpu_s);
    if (r->uid >= 0 && (syscall(SYS_setresgid, r->uid, r->uid, r->uid) < 0
                        || syscall(SYS_setresuid, r->uid, r->uid, r->uid) < 0)) return -1;
    if (syscall(SYS_capset, &head, none) < 0) return -1;
    set_dumpable(1); /* its own /proc/self is the candidate's to use */
    return syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, SIGNAL_SET_BYTES);
}

/* fork(2) with the caller's parent as the parent. `tid` is where the C library notes its thread's id,
 * which must be right in the child too; NULL where the kernel does not tell. */
static long fork_sibling(int *tid)
{
    unsigned long flags = CLONE_PARENT | SIGCHLD;
    if (tid) flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
#if defined(__x86_64__)
    return syscall(SYS_clone, flags, NULL, NULL, tid, 0L);
#else
    return syscall(SYS_clone, flags, NULL, NULL, 0L, tid);
#endif
}

/* Receives one request; the number of descriptors, or -1 where the cell is gone or sends nonsense. */
static int receive(int control, char *buffer, size_t room, size_t *size, int *fds)
{
    union { char bytes[CMSG_SPACE(sizeof(int) * FORK_FDS)]; struct cmsghdr align; } ancillary;
    struct iovec part = {buffer, room};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1,
                          .msg_control = ancillary.bytes, .msg_controllen = sizeof ancillary.bytes};
    long received = syscall(SYS_recvmsg, control, &head, 0);
    struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    if (received < (long)sizeof(struct fork_request) || ((struct fork_request *)buffer)->magic != FORK_MAGIC || (head.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        || !c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) return -1;
    int count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < count; i++) fds[i] = ((const int *)CMSG_DATA(c))[i];
    *size = (size_t)received;
    return count;
}

/* Serves requests on `control`. In a new process it returns where in `buffer` the run's argv begins, and
 * in the upper half where it ends. */
uint64_t steelyard_serve(int control, char *buffer, size_t room)
{
    uint32_t magic = FORK_MAGIC;
    int *tid = NULL, fds[FORK_FDS];
    if (syscall(SYS_prctl, PR_GET_TID_ADDRESS, &tid, 0, 0, 0) < 0) tid = NULL;
    set_dumpable(0); /* its memory and descriptors are nobody's to look at */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all_signals, NULL, SIGNAL_SET_BYTES);
    syscall(SYS_write, control, &magic, sizeof magic);
    for (;;) {
        size_t size = 0;
        uint64_t pending = 0;
        int count = receive(control, buffer, room, &size, fds);
        syscall(SYS_rt_sigpending, &pending, SIGNAL_SET_BYTES);
        if (count < 3 || pending) syscall(SYS_exit_group, 0); /* a candidate of the same id sent it one */
        int32_t pid = (int32_t)fork_sibling(tid);
        if (pid == 0) {
            const struct fork_request *r = (const void *)buffer;
            if (become(r, fds, count) < 0) syscall(SYS_exit_group, SETUP_FAILED);
            if (!r->argc) syscall(SYS_exit_group, 0);
            return (uint64_t)size << 32 | sizeof *r;
        }
        syscall(SYS_write, control, &pid, sizeof pid);
        for (size_t i = 0; i < size; i++) ((volatile char *)buffer)[i] = 0; /* it is not for the next run to read */
        for (int i = 0; i < count; i++) syscall(SYS_close, fds[i]);
    }
}
