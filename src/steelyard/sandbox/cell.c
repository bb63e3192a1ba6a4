/*
 * The cell: a long-lived sandbox that runs one command after another.
 *
 * The parent starts this program with a seqpacket Unix socket as descriptor 3, or has a container
 * start it with the path of one, and sends one `setup` message. The program makes its namespaces,
 * builds its file view, installs the seccomp filter that it was sent, answers `ready`, and from
 * then on serves one `request` after another as process 1 of its namespaces. It ends when the
 * socket closes; everything in it ends with it.
 *
 * _wire.py is the other side of this protocol and explains each field.
 * docs/decisions/ says why there is an own cell and what each protection is for.
 *
 * The parts in cell/ form one translation unit, in the order in which they need each other.
 *
 * One rule holds all over these files: what the candidate can influence (file names, processes,
 * outputs, resource use) is never trusted, and never grows this process's memory, because
 * ru_maxrss of a program starts at the size of the process that spawned it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fork_request.h"

/* Kernel interfaces that are younger than some C libraries; the numbers are the same on all
 * architectures. */
#define NR_open_tree 428
#define NR_move_mount 429
#define NR_pidfd_open 434
#define NR_close_range 436
#define NR_openat2 437
#define NR_mount_setattr 442
#define NR_landlock_create_ruleset 444
#define NR_landlock_add_rule 445
#define NR_landlock_restrict_self 446
#define OPEN_TREE_CLONE_ 1
#define AT_RECURSIVE_ 0x8000
#define MOVE_MOUNT_F_EMPTY_PATH_ 4
#define ATTR_RDONLY 0x1
#define ATTR_NOSUID 0x2
#define ATTR_NODEV 0x4
#define RESOLVE_NO_MAGICLINKS_ 0x02
#define RESOLVE_NO_SYMLINKS_ 0x04
#define RESOLVE_BENEATH_ 0x08
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

#include "cell/wire.h"
#include "cell/state.h"
#include "cell/messages.h"
#include "cell/building.h"
#include "cell/confining.h"
#include "cell/streams.h"
#include "cell/cleaning.h"
#include "cell/starting.h"
#include "cell/accounts.h"
#include "cell/replying.h"
#include "cell/forking.h"
#include "cell/serving.h"

static void serve(char **mounts, struct sock_filter *filter)
{
    int root = setup.flags & ROOT_MAP, own_users = setup.namespaces & CLONE_NEWUSER;
    uid_init = root ? (own_users ? 1 : setup.outer_uid) : (own_users ? 1000 : setup.own_uid);
    uid_candidate = root ? (own_users ? 1000 : setup.outer_uid + 1) : uid_init;
    if (setup.namespaces & CLONE_NEWUTS) {
        stage = "name";
        must(sethostname("cell", 4));
    }
    if (setup.namespaces & CLONE_NEWNS) {
        make_view(mounts);
        must(chdir("/w"));
    } else {
        const char *work = mounts[2 * setup.n_mounts];
        stage = "work folder";
        if (setup.flags & LANDLOCK) make_landlock(mounts, work);
        must(scratch[0] = open(work, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        n_scratch = 1;
        must(fchdir(scratch[0]));
        must(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
        if (setup.flags & CONTAINED) must(fd_proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    drop_privilege(filter);
    make_streams(0);
    tidy_folders();
    look_for_blind_spots();
    must(fstatfs(scratch[0], &pristine));
    struct ready ready = {.magic = MAGIC, .namespaces = setup.namespaces, .landlock_abi = landlock_abi};
    must(send(SOCKET_FD, &ready, sizeof ready, MSG_NOSIGNAL));
    for (;;) {
        size_t size = receive();
        run_all(message.bytes, message.bytes + size);
    }
}

static void close_others(void)
{
    if (syscall(NR_close_range, SOCKET_FD + 1, ~0u, 0) == 0) return;
    struct rlimit open_files;
    must(getrlimit(RLIMIT_NOFILE, &open_files));
    for (rlim_t fd = SOCKET_FD + 1; fd < open_files.rlim_cur; fd++) close((int)fd);
}

/* In a container no parent can hand the socket over: it is reached by its path. */
static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (fd < 0 || strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) return -1;
    if (fd == SOCKET_FD) return 0;
    int moved = dup2(fd, SOCKET_FD);
    close(fd);
    return moved;
}

int main(int argc, char **argv)
{
    if (argc > 1 && connect_to(argv[1]) < 0) return 2;
    fcntl(SOCKET_FD, F_SETFD, FD_CLOEXEC);
    close_others(); /* what the caller's process left inheritable is not the candidate's */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
    umask(022);

    size_t size = receive();
    if (size < sizeof setup) return 2;
    memcpy(&setup, message.bytes, sizeof setup);
    size_t filter_bytes = (size_t)setup.n_filter * sizeof(struct sock_filter);
    stage = "version";
    if (setup.version != WIRE_DIGEST) fail(EPROTO);
    if (setup.n_mounts > MAX_MOUNTS
        || sizeof setup + filter_bytes + setup.string_bytes != size) return 2;
    struct sock_filter *filter = malloc(filter_bytes + 1);
    memcpy(filter, message.bytes + sizeof setup, filter_bytes);
    char *text = malloc(setup.string_bytes + 1u), **mounts = calloc(2 * MAX_MOUNTS + 1, sizeof *mounts);
    memcpy(text, message.bytes + sizeof setup + filter_bytes, setup.string_bytes);
    if (!split(text, text + setup.string_bytes, mounts, 2 * setup.n_mounts + 1)) return 2;

    /* Descriptors: the progress page, the bell, the cgroups to join, then the counters. */
    int next = 0;
    stage = "progress page";
    if (n_fds < 2) fail(EBADF);
    progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fds[next++], 0);
    if (progress == MAP_FAILED) fail(errno);
    series.bell = fds[next++];
    stage = "join cgroup";
    for (uint32_t i = 0; i < setup.n_join; i++) must(write(fds[next++], "0", 1));
    if (has_cgroup()) {
        if (n_fds < next + 5) fail(EBADF);
        fd_limit = fds[next++];
        fd_usage = fds[next++];
        fd_stat = fds[next++];
        fd_cpu = fds[next++];
        fd_pids = fds[next++];
        if (next < n_fds) fd_peak = fds[next++];
    }
    n_fds = 0;
    if (setup.cpu >= 0) {
        stage = "pin";
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((unsigned)setup.cpu, &set);
        must(sched_setaffinity(0, sizeof set, &set));
    }
    int adjust = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (adjust >= 0) { /* when the whole machine runs short, a candidate goes before others */
        if (write(adjust, "500", 3) < 0) { /* not allowed here: the order stays as it is */ }
        close(adjust);
    }

    if (setup.flags & CONTAINED) serve(mounts, filter);
    stage = "namespaces";
    int gate[2], own_pids = setup.namespaces & CLONE_NEWPID;
    must(pipe2(gate, O_CLOEXEC));
    if (!own_pids) { /* what outlives the cell becomes this process's child */
        must(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* the candidate may have its id */
    }
    pid_t child = (pid_t)syscall(SYS_clone, (unsigned long)setup.namespaces | SIGCHLD, NULL, NULL, NULL, NULL);
    must(child);
    if (child == 0) {
        char go;
        close(gate[1]);
        if (read(gate[0], &go, 1) != 1) _exit(1);
        if (own_pids) close(gate[0]);
        else lifeline = gate[0];
        serve(mounts, filter);
    }
    stage = "id map";
    if (setup.namespaces & CLONE_NEWUSER) map_ids(child);
    must(write(gate[1], "x", 1));
    for (int fd = 0; fd < 256; fd++) /* only the waiting is left to do */
        if (fd != gate[1]) close(fd);
    int status = 0;
    uint64_t unread = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!own_pids) sweep(&unread, &unread); /* a killed cell leaves its run behind */
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
