/*
 * The cell: a long-lived sandbox that runs one command after another.
 *
 * The parent starts this program with a seqpacket Unix socket as descriptor 3, or has a container
 * start it with the path of one, and sends one `setup` message. The program makes its namespaces,
 * builds its file view, installs the seccomp filter that it was sent, answers `ready`, and from
 * then on serves one `request` after another as process 1 of its namespaces. It ends when the
 * socket closes; everything in it ends with it.
 *
 * _wire.py is the other side of this protocol and explains each field; _pycell.py speaks it too.
 * docs/decisions/ says why there is an own cell and what each protection is for.
 *
 * One rule holds all over this file: what the candidate can influence (file names, processes,
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

/* ------------------------------------------------------------------ the wire (see _wire.py) */

enum { MAGIC = 0x41535931, MAX_MESSAGE = 160 * 1024, MAX_INLINE = 64 * 1024, MAX_FDS = 240, MAX_STRINGS = 8192 };
enum { SOCKET_FD = 3, MAX_GRACE = 9 };

enum setup_flag { ROOT_MAP = 1, CGROUP_V1 = 2, CGROUP_V2 = 4, PINNED = 8, LANDLOCK = 16, CONTAINED = 32 };

struct setup {
    uint32_t version, flags, namespaces; /* version: the digest of _wire.py */
    int32_t cpu;               /* the core to keep to, or -1 */
    uint64_t scratch_bytes;
    uint32_t scratch_inodes;
    uint32_t outer_uid;        /* with ROOT_MAP: ids outside are this and the next */
    uint32_t own_uid, own_gid; /* the caller's ids, for the map of an ordinary user */
    uint32_t n_mounts;         /* pairs of strings: source, target */
    uint32_t n_filter;         /* struct sock_filter records ahead of the strings */
    uint32_t n_join;           /* leading descriptors: cgroup.procs files to enter */
    uint32_t string_bytes;
};

struct ready {
    uint32_t magic;
    int32_t error;             /* errno, or 0 */
    uint32_t namespaces;       /* those in force */
    uint32_t landlock_abi;     /* 0: not in force */
    char stage[64];            /* where it failed */
};

enum request_flag { HAS_EXECUTABLE = 1, HAS_STDIN = 2, START_SERVER = 4, FORKED = 8, HAS_CHANNEL = 16, FIXED_ADDRESSES = 32 };

struct request {
    uint32_t magic, flags, sequence;
    uint32_t argc, envc, n_files, n_collect;
    uint32_t processes;
    uint64_t cpu_ns, wall_ns, memory_bytes, slack_bytes, stack_bytes, file_bytes;
    uint32_t string_bytes;
    uint32_t stdin_bytes;      /* after the strings; without HAS_STDIN this is all of it */
};

enum stop { ENDED = 0, CPU_LIMIT = 1, WALL_LIMIT = 2, MEMORY_LIMIT = 3, NOT_STARTED = 4, NOT_PLACED = 5 };

enum reply_flag { OUTPUTS_PASSED = 1, SERVER_GONE = 2 };

struct reply {
    uint32_t magic, sequence, flags, reserved;
    int32_t stop, wait_status, error;
    uint32_t collected;        /* bit i: the i-th file to collect came back */
    uint64_t wall_ns, cpu_ns, memory_bytes, max_rss_bytes, stdout_bytes, stderr_bytes;
};                             /* then the outputs, unless they are passed as descriptors */
/* -------------------------------------------------------------------------------- the state */

static struct setup setup;
static union { char bytes[MAX_MESSAGE]; uint64_t align; } message;
static int fds[MAX_FDS];
static int n_fds, used_fds;
/* A message may hold a series of requests, one run after another: the parent sleeps until the bell rings,
 * and then reads as many replies as the bell says. */
static struct { int bell, is_unheard; uint8_t answered; } series = {.bell = -1};
static int fd_limit = -1, fd_usage = -1, fd_peak = -1, fd_cpu = -1, fd_pids = -1; /* cgroup */
static volatile uint32_t *progress;     /* shared with the parent: the last run that began */
static int scratch[3] = {-1, -1, -1};   /* /w, /tmp, /dev/shm */
static int n_scratch;
static struct statfs pristine;
static int fd_proc = -1;
static int kept[3], streams[3];         /* memory files, and how a candidate may use them */
static uint64_t limit_now;
static int lifeline = -1;               /* without a process namespace: hangs up when the outer process ends */
static int landlock_rules = -1;
static unsigned landlock_abi;
static uint32_t uid_init, uid_candidate;
static const char *stage = "start";
static const struct timespec epoch[2];

/* The fork server, where one runs: it has the usual modules loaded and never sees a candidate's
 * code. It and what it forks share an id only where there is but one (see SECURITY.md). */
static struct {
    pid_t pid;
    int socket;
    uint64_t rss;                       /* what its child is resident with before it does anything */
} server = {0, -1, 0};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Reports the failed stage to the parent and ends. */
static _Noreturn void fail(int error)
{
    struct ready r = {.magic = MAGIC, .error = error ? error : EIO};
    strncpy(r.stage, stage, sizeof r.stage - 1);
    send(SOCKET_FD, &r, sizeof r, MSG_NOSIGNAL);
    _exit(1);
}

static void must(long result) { if (result < 0) fail(errno); }

/* ------------------------------------------------------------------------------ messages */

static void close_fds(void)
{
    for (int i = 0; i < n_fds; i++)
        if (fds[i] >= 0) close(fds[i]);
    n_fds = used_fds = 0;
}

static void ring_bell(void)
{
    series.is_unheard = 0;
    if (send(series.bell, &series.answered, sizeof series.answered, MSG_NOSIGNAL) < 0) _exit(6);
}

/* Sleeps until there is a message or the parent has ended; ends if only the outer process has. */
static void wait_for_message(void)
{
    struct pollfd wait[2] = {{.fd = SOCKET_FD, .events = POLLIN}, {.fd = lifeline}};
    while (poll(wait, 2, -1) < 0 && errno == EINTR) {}
    if (wait[1].revents) _exit(0);
}

/* Receives one message into `message` and `fds`; its size, or ends when the parent is gone. */
static size_t receive(void)
{
    static union { char bytes[CMSG_SPACE(sizeof(int) * MAX_FDS)]; struct cmsghdr align; } control;
    struct iovec part = {message.bytes, sizeof message.bytes - 1};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1,
                          .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t size;
    if (lifeline >= 0) wait_for_message();
    do size = recvmsg(SOCKET_FD, &head, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    if (size <= 0) _exit(0);
    n_fds = used_fds = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&head); c; c = CMSG_NXTHDR(&head, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(c), (size_t)count * sizeof(int));
        n_fds = count;
    }
    if (head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) _exit(3);
    return (size_t)size;
}

/* Splits `count` NUL-terminated strings; where they end, or NULL if there are too few. */
static char *split(char *at, char *end, char **out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char *stop = memchr(at, 0, (size_t)(end - at));
        if (!stop) return NULL;
        out[i] = at;
        at = stop + 1;
    }
    return at;
}

/* -------------------------------------------------------------------------- small counters */

static uint64_t read_number(int fd, const char *key)
{
    char text[512];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    if (size <= 0) return 0;
    text[size] = 0;
    char *at = key ? strstr(text, key) : text;
    return at ? strtoull(at + (key ? strlen(key) : 0), NULL, 10) : 0;
}

static void write_number(int fd, uint64_t value)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    if (fd >= 0 && pwrite(fd, text, (size_t)size, 0) < 0) { /* a busy cgroup: the sampler sees it */ }
}

static void bound_memory(uint64_t bytes)
{
    if (bytes != limit_now) write_number(fd_limit, limit_now = bytes);
}

static void bound_processes(uint64_t count)
{
    static uint64_t count_now;
    if (count != count_now) write_number(fd_pids, count_now = count);
}

/* Whether the processes and the scratch folder here are the cell's alone: a container around it,
 * whose process 1 it is, serves as well as namespaces of its own. */
static int is_alone(unsigned namespace) { return (setup.namespaces & namespace) || (setup.flags & CONTAINED); }

static int has_cgroup(void) { return (setup.flags & (CGROUP_V1 | CGROUP_V2)) != 0; }

static uint64_t cgroup_cpu_ns(void)
{
    return setup.flags & CGROUP_V1 ? read_number(fd_cpu, NULL)
                                   : read_number(fd_cpu, "usage_usec ") * 1000u;
}

/* ------------------------------------------------------------------------- building the cell */

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    must(fd);
    must(write(fd, text, strlen(text)));
    close(fd);
}

static void map_ids(pid_t child)
{
    char path[64], text[128];
    int root = setup.flags & ROOT_MAP;
    for (int group = 0; group < 2; group++) {
        if (group && !root) {
            snprintf(path, sizeof path, "/proc/%d/setgroups", child);
            write_file(path, "deny");
        }
        if (root)
            snprintf(text, sizeof text, "0 0 1\n1 %u 1\n1000 %u 1\n", setup.outer_uid, setup.outer_uid + 1);
        else
            snprintf(text, sizeof text, "1000 %u 1\n", group ? setup.own_gid : setup.own_uid);
        snprintf(path, sizeof path, "/proc/%d/%s", child, group ? "gid_map" : "uid_map");
        write_file(path, text);
    }
}

/* Makes every folder above `path`, which is relative to `at`. */
static void make_parents(int at, const char *path, mode_t mode)
{
    char part[PATH_MAX];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t size = (size_t)(slash - path);
        if (size >= sizeof part) return;
        memcpy(part, path, size);
        part[size] = 0;
        if (mkdirat(at, part, mode) == 0) fchmodat(at, part, mode, 0);
    }
}

static void set_attributes(int fd, const char *path, unsigned flags, uint64_t attributes)
{
    struct { uint64_t set, clear, propagation, userns; } attr = {.set = attributes};
    must(syscall(NR_mount_setattr, fd, path, flags, &attr, sizeof attr));
}

/* A detached read-only copy of a host path, or -1 where the path does not exist. */
static int detach(const char *source, uint64_t attributes)
{
    int fd = (int)syscall(NR_open_tree, AT_FDCWD, source, OPEN_TREE_CLONE_ | O_CLOEXEC | AT_RECURSIVE_);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return -1;
    must(fd);
    set_attributes(fd, "", AT_EMPTY_PATH | AT_RECURSIVE_, attributes);
    return fd;
}

static void attach(int tree, const char *target)
{
    struct stat st;
    must(fstat(tree, &st));
    make_parents(AT_FDCWD, target, 0755);
    if (S_ISDIR(st.st_mode)) {
        if (mkdir(target, 0755) < 0 && errno != EEXIST) fail(errno);
    } else {
        int fd = open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        must(fd);
        close(fd);
    }
    must(syscall(NR_move_mount, tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH_));
    close(tree);
}

static const char *const DEVICES[] = {"dev/null", "dev/zero", "dev/full", "dev/random", "dev/urandom"};
enum { N_DEVICES = sizeof DEVICES / sizeof *DEVICES, MAX_MOUNTS = 256 };

static void make_scratch(void)
{
    static const char *const targets[3] = {"w", "tmp", "dev/shm"};
    char options[96];
    stage = "mount scratch";
    snprintf(options, sizeof options, "mode=0755,size=%llu,nr_inodes=%u",
             (unsigned long long)setup.scratch_bytes, setup.scratch_inodes);
    must(mkdir("scratch", 0755));
    must(mount("scratch", "scratch", "tmpfs", MS_NOSUID | MS_NODEV, options));
    for (int i = 0; i < 3; i++) {
        char name[] = "scratch/0";
        name[8] = (char)('0' + i);
        must(mkdir(name, 0777));
        must(chmod(name, 0777));
        must(mkdir(targets[i], 0755));
        must(mount(name, targets[i], NULL, MS_BIND, NULL));
        must(scratch[i] = open(targets[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    n_scratch = 3;
    must(umount2("scratch", MNT_DETACH));
    must(rmdir("scratch"));
}

static void make_view(char **mounts)
{
    static int trees[MAX_MOUNTS], devices[N_DEVICES];
    char path[PATH_MAX];
    stage = "open view";
    if (setup.n_mounts > MAX_MOUNTS) fail(E2BIG);
    must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    for (uint32_t i = 0; i < setup.n_mounts; i++) {
        struct stat st;
        trees[i] = -1;
        if (lstat(mounts[2 * i], &st) == 0 && !S_ISLNK(st.st_mode))
            trees[i] = detach(mounts[2 * i], ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV);
    }
    for (int i = 0; i < N_DEVICES; i++) {
        snprintf(path, sizeof path, "/%s", DEVICES[i]);
        devices[i] = detach(path, ATTR_RDONLY | ATTR_NOSUID); /* its mode and times stay as they are */
    }

    stage = "mount root";
    char link[PATH_MAX];
    static char links[64][2][256];
    int n_links = 0;
    for (uint32_t i = 0; i < setup.n_mounts; i++) { /* read before the new root hides /tmp */
        ssize_t size = readlink(mounts[2 * i], link, sizeof link - 1);
        if (size <= 0 || size > 255 || n_links == 64 || strlen(mounts[2 * i + 1]) > 255) continue;
        link[size] = 0;
        strcpy(links[n_links][0], link);
        strcpy(links[n_links++][1], mounts[2 * i + 1]);
    }
    must(mount("root", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m"));
    must(chdir("/tmp"));
    must(mkdir("dev", 0755));
    for (int i = 0; i < N_DEVICES; i++)
        if (devices[i] >= 0) attach(devices[i], DEVICES[i]);
    static const char *const std_links[][2] = {{"/proc/self/fd", "dev/fd"}, {"/proc/self/fd/0", "dev/stdin"},
                                               {"/proc/self/fd/1", "dev/stdout"}, {"/proc/self/fd/2", "dev/stderr"}};
    for (int i = 0; i < 4; i++) must(symlink(std_links[i][0], std_links[i][1]));

    stage = "mount view";
    for (uint32_t i = 0; i < setup.n_mounts; i++)
        if (trees[i] >= 0) attach(trees[i], mounts[2 * i + 1] + 1);
    for (int i = 0; i < n_links; i++) {
        make_parents(AT_FDCWD, links[i][1] + 1, 0755);
        if (symlink(links[i][0], links[i][1] + 1) < 0 && errno != EEXIST && errno != EROFS) fail(errno);
    }
    make_scratch();

    stage = "mount proc";
    must(mkdir("proc", 0555));
    if (setup.namespaces & CLONE_NEWPID) {
        unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
        const char *options = "subset=pid,hidepid=2";
        /* The cell's own hides nothing: it must know of every process that a run left. */
        must(mount("proc", "proc", "proc", flags, "subset=pid"));
        must(fd_proc = open("proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        must(umount2("proc", MNT_DETACH));
        must(mount("proc", "proc", "proc", flags, options));
    }

    stage = "change root";
    must(syscall(SYS_pivot_root, ".", "."));
    must(umount2(".", MNT_DETACH));
    must(chdir("/"));
    set_attributes(AT_FDCWD, "/", 0, ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV);
}

/* ------------------------------------- without namespaces: Landlock over the host's own files */

static void landlock_allow(const char *path, uint64_t access)
{
    struct __attribute__((packed)) { uint64_t access; int32_t fd; } rule;
    struct stat st;
    rule.fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.fd < 0) return;
    rule.access = access;
    if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.access &= 0x1 | 0x2 | 0x4 | (1u << 14); /* execute, write, read, truncate a file */
    must(syscall(NR_landlock_add_rule, landlock_rules, 1, &rule, 0));
    close(rule.fd);
}

static void make_landlock(char **mounts, const char *work)
{
    struct { uint64_t fs, net, scoped; } rules = {0};
    stage = "landlock";
    long abi = syscall(NR_landlock_create_ruleset, NULL, 0, 1);
    if (abi < 1) return;
    rules.fs = abi >= 5 ? 0xffff : abi >= 3 ? 0x7fff : abi == 2 ? 0x3fff : 0x1fff;
    rules.net = abi >= 4 ? 0x3 : 0;
    rules.scoped = abi >= 6 ? 0x3 : 0; /* abstract sockets and signals stay inside */
    landlock_rules = (int)syscall(NR_landlock_create_ruleset, &rules,
                                  abi >= 6 ? 24 : abi >= 4 ? 16 : 8, 0);
    if (landlock_rules < 0) return;
    fcntl(landlock_rules, F_SETFD, FD_CLOEXEC);
    for (uint32_t i = 0; i < setup.n_mounts; i++)
        landlock_allow(mounts[2 * i], 0x1 | 0x4 | 0x8); /* execute, read file, read folder */
    for (int i = 0; i < N_DEVICES; i++) {
        char path[32];
        snprintf(path, sizeof path, "/%s", DEVICES[i]);
        landlock_allow(path, 0x2 | 0x4);
    }
    landlock_allow(work, rules.fs);
    landlock_abi = (unsigned)abi;
}

/* ------------------------------------------------------------------------ dropping privilege */

enum { FOR_SERVER = 1u << CAP_SETUID | 1u << CAP_SETGID }; /* to make its children the candidate */

static long set_capabilities(uint32_t held, uint32_t inheritable)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{held, held, inheritable}, {0, 0, 0}};
    return syscall(SYS_capset, &head, data);
}

static void drop_privilege(struct sock_filter *filter)
{
    stage = "drop privilege";
    int privileged = (setup.flags & ROOT_MAP) || (setup.namespaces & CLONE_NEWUSER);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    if (privileged) {
        struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
        struct __user_cap_data_struct had[2];
        must(syscall(SYS_capget, &head, had));
        had[0].inheritable |= FOR_SERVER & had[0].permitted; /* while the bounding set still allows it */
        must(syscall(SYS_capset, &head, had));
        for (int cap = 0; cap <= 63; cap++) prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
        must(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
        if (setup.flags & ROOT_MAP) must(syscall(SYS_setgroups, 0, NULL));
        must(syscall(SYS_setresgid, uid_init, uid_init, uid_init));
        must(syscall(SYS_setresuid, uid_init, uid_init, uid_init));
        /* What a supervisor needs: end, become and clean up after the candidate. */
        must(set_capabilities(1u << CAP_KILL | 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER | FOR_SERVER, FOR_SERVER));
    } else {
        must(set_capabilities(0, 0));
    }
    if (setup.namespaces) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* a change of ids clears it */
    const struct rlimit none = {0, 0}, no_core = {1, 1}, files = {1024, 1024};
    setrlimit(RLIMIT_CORE, &no_core); /* 1 is the one value at which no handler outside is started either */
    setrlimit(RLIMIT_MSGQUEUE, &none);
    struct rlimit old;
    if (getrlimit(RLIMIT_NOFILE, &old) == 0 && old.rlim_max > 1024) setrlimit(RLIMIT_NOFILE, &files);
    if (setup.n_filter) {
        stage = "seccomp";
        struct sock_fprog program = {(unsigned short)setup.n_filter, filter};
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
    }
}

/* ------------------------------------------------------------------------ standard streams */

static int make_stream(void)
{
    int fd = (int)syscall(SYS_memfd_create, "stream", 1u /* close on exec, and no seals */);
    must(fd);
    futimens(fd, epoch); /* when its cell was made is nothing to a candidate */
    return fd;
}

/* Input can only be read and output only be written, by name (/dev/stdin) as well: an output that
 * could be read back would be memory that is not counted as such. */
static void make_streams(int first)
{
    char path[32];
    stage = "streams";
    for (int i = first; i < 3; i++) {
        kept[i] = make_stream();
        must(fchmod(kept[i], i ? 0222 : 0444));
        snprintf(path, sizeof path, "/proc/self/fd/%d", kept[i]);
        must(streams[i] = open(path, (i ? O_WRONLY : O_RDONLY) | O_CLOEXEC));
    }
}

static void close_streams(int first)
{
    for (int i = first; i < 3; i++) {
        close(kept[i]);
        close(streams[i]);
    }
}

/* Puts the streams back to their start. A candidate may have moved and locked them and set flags
 * on them; one that owns them may have changed their permissions too, or taken a lease that would
 * stop whoever opens them next, and so they are made anew. */
static void reset_streams(void)
{
    static const struct flock all = {.l_type = F_UNLCK};
    if (uid_candidate == uid_init) {
        close_streams(0);
        make_streams(0);
    } else {
        for (int i = 0; i < 3; i++) {
            struct stat st;
            if (fstat(kept[i], &st) < 0 || ((st.st_size || st.st_blocks) && ftruncate(kept[i], 0) < 0)) _exit(8);
            futimens(kept[i], epoch);
            lseek(streams[i], 0, SEEK_SET);
            fcntl(streams[i], F_SETFL, 0);
            fcntl(streams[i], F_SETSIG, 0);
            fcntl(streams[i], F_OFD_SETLK, &all);
            flock(streams[i], LOCK_UN);
        }
    }
}

/* --------------------------------------------------------------------- cleaning up after a run */

/* Where the filter refuses kill, by the one call for signals that it never refuses: to each thread,
 * because a first thread that has ended takes no signal for the others. */
static void end_process(pid_t pid)
{
    char path[32], tasks[1024];
    if (kill(pid, SIGKILL) == 0 || errno == ESRCH) return;
    syscall(SYS_tgkill, pid, pid, SIGKILL);
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long size; (size = syscall(SYS_getdents64, folder, tasks, sizeof tasks)) > 0;)
        for (long at = 0; at < size; at += *(unsigned short *)(tasks + at + 16)) /* struct linux_dirent64: d_name at 19 */
            if (tasks[at + 19] != '.') syscall(SYS_tgkill, pid, atoi(tasks + at + 19), SIGKILL);
    if (folder >= 0) close(folder);
}

/* Without a process namespace: the sum over the processes below one, each before those below it. */
static uint64_t over_below(long parent, int depth, uint64_t (*figure)(int pid))
{
    char path[64], tasks[1024], list[1024];
    uint64_t total = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", parent);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long size; depth && (size = syscall(SYS_getdents64, folder, tasks, sizeof tasks)) > 0;)
        for (long at = 0; at < size; at += *(unsigned short *)(tasks + at + 16)) {
            const char *task = tasks + at + 19; /* struct linux_dirent64: d_reclen at 16, d_name at 19 */
            if (*task == '.') continue;
            snprintf(path, sizeof path, "%s/children", task);
            int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
            ssize_t length = fd < 0 ? 0 : read(fd, list, sizeof list - 1);
            if (fd >= 0) close(fd);
            while (length > 0 && list[length - 1] != ' ') length--; /* no number that was cut short */
            list[length > 0 ? length : 0] = 0;
            char *next = list;
            for (long child; (child = strtol(next, &next, 10)) > 0;) {
                total += figure((int)child);
                total += over_below(child, depth - 1, figure);
            }
        }
    if (folder >= 0) close(folder);
    return total;
}

static uint64_t end_one(int pid)
{
    end_process(pid);
    return 0;
}

enum { MAX_DEPTH = 24 }; /* of the processes below this one */

/* Without a process namespace: kills all processes below this one. They share this core and so do not run
 * meanwhile: a chain of forks cannot outrun it. */
static void kill_below(void) { over_below(getpid(), MAX_DEPTH, end_one); }

/* Whether a process is part of the run: neither this one nor the fork server. */
static int is_of_run(int pid) { return pid > 1 && pid != server.pid; }

/* How many processes there are beside this one and the fork server. */
static int others(void)
{
    char entries[2048];
    int found = 0;
    lseek(fd_proc, 0, SEEK_SET);
    for (long size; (size = syscall(SYS_getdents64, fd_proc, entries, sizeof entries)) > 0;)
        for (long at = 0; at < size; at += *(unsigned short *)(entries + at + 16))
            found += is_of_run(atoi(entries + at + 19)); /* struct linux_dirent64: d_reclen at 16, d_name at 19 */
    return found;
}

static int sees_all; /* even a process of the candidate's that hides as well as it can */

/* Whether no process is left but this one and the fork server. Where that cannot be told, some may be. */
static int is_swept(void) { return server.pid && sees_all && others() == 0; }

static void look_for_blind_spots(void)
{
    int told[2], status;
    char byte;
    if (fd_proc < 0 || pipe2(told, O_CLOEXEC) < 0) return;
    pid_t child = fork();
    if (child == 0) {
        if (uid_candidate != uid_init && (syscall(SYS_setresgid, uid_candidate, uid_candidate, uid_candidate) < 0
                                          || syscall(SYS_setresuid, uid_candidate, uid_candidate, uid_candidate) < 0))
            _exit(1);
        set_capabilities(0, 0);
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        if (write(told[1], "x", 1) == 1) pause();
        _exit(1);
    }
    close(told[1]);
    sees_all = child > 0 && read(told[0], &byte, 1) == 1 && others() == 1;
    close(told[0]);
    if (child > 0) {
        end_process(child);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    }
}

static void forget_server(void)
{
    if (server.socket >= 0) close(server.socket);
    server.socket = -1;
    server.pid = 0;
}

/* Kills and reaps all that is left of a run; adds what it used to `cpu_ns` and `max_rss`. What a
 * run leaves behind takes the fork server along: no process list is as sure as a kill of all. */
static void sweep(uint64_t *cpu_ns, uint64_t *max_rss)
{
    int own_pids = is_alone(CLONE_NEWPID), all_killed = 0;
    for (;;) {
        struct rusage used;
        int status;
        pid_t pid = wait4(-1, &status, WNOHANG, &used);
        if (pid < 0) return;
        if (pid > 0 && pid == server.pid) {
            forget_server();
            continue;
        }
        if (pid == 0 && !all_killed && is_swept()) return;
        if (pid > 0) {
            *cpu_ns += ((uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec) * 1000000000u
                     + ((uint64_t)used.ru_utime.tv_usec + (uint64_t)used.ru_stime.tv_usec) * 1000u;
            if ((uint64_t)used.ru_maxrss * 1024 > *max_rss) *max_rss = (uint64_t)used.ru_maxrss * 1024;
            continue;
        }
        if (own_pids) {
            kill(-1, SIGKILL);
            all_killed = 1; /* the fork server too, though it may still look alive */
        } else {
            kill_below();
        }
        siginfo_t info; /* sleeps until the next one has ended, and leaves it for wait4 */
        waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
    }
}

static int is_pristine(void)
{
    if (!is_alone(CLONE_NEWNS)) return 0;
    struct statfs now;
    return fstatfs(scratch[0], &now) == 0 && now.f_bfree == pristine.f_bfree && now.f_ffree == pristine.f_ffree;
}

/* Empties a folder of any depth with bounded memory: what lies deeper is first moved up. */
static void empty_folder(int root)
{
    static unsigned long moved;
    int again;
    do {
        again = 0;
        DIR *top = fdopendir(openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!top) return;
        for (struct dirent *entry; (entry = readdir(top));) {
            if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
            if (unlinkat(root, entry->d_name, 0) == 0) continue;
            if (unlinkat(root, entry->d_name, AT_REMOVEDIR) == 0) continue;
            fchmodat(root, entry->d_name, 0700, 0);
            DIR *sub = fdopendir(openat(root, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            if (!sub && errno == ENOENT) continue;
            if (!sub) _exit(1);
            for (struct dirent *inner; (inner = readdir(sub));) {
                if (!strcmp(inner->d_name, ".") || !strcmp(inner->d_name, "..")) continue;
                if (unlinkat(dirfd(sub), inner->d_name, 0) == 0) continue;
                if (unlinkat(dirfd(sub), inner->d_name, AT_REMOVEDIR) == 0) continue;
                char name[40];
                snprintf(name, sizeof name, ".moved-%d-%lu", getpid(), moved++);
                fchmodat(dirfd(sub), inner->d_name, 0700, 0);
                renameat(dirfd(sub), inner->d_name, root, name);
                again = 1;
            }
            closedir(sub);
            if (unlinkat(root, entry->d_name, AT_REMOVEDIR) < 0) again = 1;
        }
        closedir(top);
    } while (again);
}

/* Puts back what a candidate may have changed of the scratch folders themselves. One that does not
 * own them can do no more than bring their times up to now, so that a look tells whether it did. */
static void tidy_folders(void)
{
    int no_flags = 0;
    struct stat st;
    for (int i = 0; i < n_scratch; i++) {
        if (uid_candidate != uid_init && fstat(scratch[i], &st) == 0 && (st.st_mode & 07777) == 0777
            && !st.st_mtim.tv_sec && !st.st_mtim.tv_nsec && !st.st_atim.tv_sec && !st.st_atim.tv_nsec) continue;
        fchmod(scratch[i], 0777);
        if (uid_candidate == uid_init) ioctl(scratch[i], FS_IOC_SETFLAGS, &no_flags);
        futimens(scratch[i], epoch);
    }
}

/* Two sockets in flight to each other outlive their run, with all files that are in flight with
 * them, until the kernel looks for such pairs: it does when a socket is closed. */
static void free_in_flight(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0) {
        close(pair[0]);
        close(pair[1]);
    }
    usleep(1000);
}

/* Waits until what the last run used is freed: a later one could free it in its midst, and use that
 * much more than is measured. What then is left is page cache. */
enum { SETTLE_TRIES = 100 }; /* each a millisecond or more: a loaded kernel frees them late */
static uint64_t settled; /* 0: at any figure, once */

static void settle(void)
{
    uint64_t usage = read_number(fd_usage, NULL);
    for (int tries = 0; settled && usage > settled + (1u << 20) && tries < SETTLE_TRIES; tries++) {
        free_in_flight();
        usage = read_number(fd_usage, NULL);
    }
    settled = usage;
}

/* Leaves the scratch folders as they were at the start; a cell that cannot do that ends. */
static void wipe(void)
{
    tidy_folders();
    if (is_pristine()) return;
    pid_t child = fork(); /* a throw-away process: walking a hostile tree costs memory */
    if (child == 0) {
        alarm(20); /* far more than the inodes of a scratch folder can take */
        for (int i = 0; i < n_scratch; i++) empty_folder(scratch[i]);
        tidy_folders();
        _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status) _exit(4);
    for (int tries = 0; is_alone(CLONE_NEWNS) && !is_pristine(); tries++) {
        if (tries == 20) _exit(5);
        free_in_flight();
    }
}

/* ---------------------------------------------------------------------------------- one run */

static char *strings[MAX_STRINGS];
static char candidate_stack[64 * 1024] __attribute__((aligned(64)));

struct launch {
    const struct request *request;
    char **argv, **envp;
    int input, executable, channel, is_server;
    volatile int error;
};

static uint64_t cpu_seconds(const struct request *r) { return r->cpu_ns / 1000000000u + 2; }

static void limit(int resource, uint64_t value)
{
    struct rlimit bound = {value, value};
    if (setrlimit((__rlimit_resource_t)resource, &bound) == 0) return;
    struct rlimit old; /* a lower hard limit stands: take all that it allows */
    if (getrlimit((__rlimit_resource_t)resource, &old) < 0) return;
    old.rlim_cur = old.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &old);
}

static void execute_along_path(struct launch *launch)
{
    const char *path = "/usr/local/bin:/usr/bin:/bin";
    for (char **entry = launch->envp; *entry; entry++)
        if (!strncmp(*entry, "PATH=", 5)) path = *entry + 5;
    int error = ENOENT;
    while (*path) {
        char file[PATH_MAX];
        size_t size = strcspn(path, ":");
        int length = snprintf(file, sizeof file, "%.*s/%s", (int)size, path, launch->argv[0]);
        if (size && length > 0 && (size_t)length < sizeof file) {
            execve(file, launch->argv, launch->envp);
            if (errno != ENOENT && errno != ENOTDIR) error = errno;
        }
        path += size + (path[size] == ':');
    }
    errno = error;
}

/* Runs in the parent's memory until exec (CLONE_VM | CLONE_VFORK): it only makes system calls
 * and writes to its own stack and to `launch->error`. */
static int start_candidate(void *argument)
{
    struct launch *launch = argument;
    const struct request *r = launch->request;
    setsid();
    if (dup2(launch->input, 0) < 0 || dup2(streams[1], 1) < 0 || dup2(streams[2], 2) < 0) goto failed;
    if (launch->channel >= 0 && dup2(launch->channel, 3) < 0) goto failed;
    limit(RLIMIT_STACK, r->stack_bytes);
    if (!launch->is_server) {
        limit(RLIMIT_FSIZE, r->file_bytes);
        limit(RLIMIT_NPROC, r->processes);
        limit(RLIMIT_CPU, cpu_seconds(r));
    }
    int keeps_id = launch->is_server || uid_candidate == uid_init;
    if (!keeps_id) {
        if (syscall(SYS_setresgid, uid_candidate, uid_candidate, uid_candidate) < 0) goto failed;
        if (syscall(SYS_setresuid, uid_candidate, uid_candidate, uid_candidate) < 0) goto failed;
    }
    uint32_t held = launch->is_server && uid_candidate != uid_init ? FOR_SERVER : 0;
    if (set_capabilities(held, held) < 0) goto failed;
    for (int cap = 0; cap < 32; cap++) /* what outlives exec without a privileged file */
        if (held >> cap & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) < 0) goto failed;
    if (!is_alone(CLONE_NEWPID)) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (landlock_rules >= 0 && syscall(NR_landlock_restrict_self, landlock_rules, 0) < 0) goto failed;
    if (r->flags & FIXED_ADDRESSES) personality(ADDR_NO_RANDOMIZE);
    if (launch->executable >= 0)
        syscall(SYS_execveat, launch->executable, "", launch->argv, launch->envp, AT_EMPTY_PATH);
    else if (strchr(launch->argv[0], '/'))
        execve(launch->argv[0], launch->argv, launch->envp);
    else
        execute_along_path(launch);
failed:
    launch->error = errno ? errno : EIO;
    _exit(127);
}

/* Writes the request's files into the work folder; 0, or errno. */
static int place_files(char **names, uint32_t count, const int *sources)
{
    for (uint32_t i = 0; i < count; i++) {
        struct stat st;
        off_t offset = 0;
        make_parents(scratch[0], names[i], 0777);
        int fd = openat(scratch[0], names[i], O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
        if (fd < 0) return errno;
        int error = fstat(sources[i], &st) < 0 ? errno : 0;
        while (!error && offset < st.st_size)
            if (sendfile(fd, sources[i], &offset, (size_t)(st.st_size - offset)) <= 0) error = errno ? errno : EIO;
        fchmod(fd, 0755);
        close(fd);
        if (error) return error;
    }
    return 0;
}

/* Most runs leave only what was placed: taking that away spares the throw-away process. */
static void remove_placed(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strchr(names[i], '/')) /* a folder may have become a link to elsewhere */
            unlinkat(scratch[0], names[i], 0);
}

/* A copy of a regular file of the work folder, or -1. The file itself must not go out: while the
 * parent holds it, its blocks would count as left behind. */
static int collect_file(const char *name)
{
    struct { uint64_t flags, mode, resolve; } how = {
        .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH_ | RESOLVE_NO_SYMLINKS_ | RESOLVE_NO_MAGICLINKS_};
    struct stat st;
    off_t offset = 0;
    int fd = (int)syscall(NR_openat2, scratch[0], name, &how, sizeof how), copy = -1;
    if (fd < 0) return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) copy = make_stream();
    while (copy >= 0 && offset < st.st_size)
        if (sendfile(copy, fd, &offset, (size_t)(st.st_size - offset)) <= 0) {
            close(copy);
            copy = -1;
        }
    close(fd);
    return copy;
}

/* ------------------------------------------------------------- what the processes say of themselves */

/* One number of a file that /proc has about a process; 0 where it is gone. */
static uint64_t proc_number(int pid, const char *file, int column)
{
    char path[64], text[128], *at = text;
    snprintf(path, sizeof path, fd_proc < 0 ? "/proc/%d/%s" : "%d/%s", pid, file);
    int fd = openat(fd_proc < 0 ? AT_FDCWD : fd_proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[size > 0 ? size : 0] = 0;
    while (column-- && (at = strchr(at, ' '))) at++;
    return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t inherited_rss; /* what this run's first process has from the fork server */
static int first_of_run;

/* A process that is smaller than that has become another program. */
static uint64_t without_inherited(uint64_t rss) { return rss > inherited_rss ? rss - inherited_rss : rss; }

static uint64_t resident_bytes(int pid)
{
    uint64_t rss = proc_number(pid, "statm", 1) * (uint64_t)sysconf(_SC_PAGESIZE);
    return pid == first_of_run ? without_inherited(rss) : rss;
}

/* What follows the name in the file `stat` of a process or thread, from its state on; "" where it is gone. */
static const char *read_stat(int folder, const char *path)
{
    static char text[512];
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[size > 0 ? size : 0] = 0;
    const char *end = strrchr(text, ')'); /* the name is the program's own, and may hold one too */
    return end && end[1] == ' ' ? end + 2 : "";
}

/* The CPU time of a process, and of its children that it waited for. */
static uint64_t cpu_clock_ns(int pid)
{
    struct timespec t;
    char path[32];
    if (clock_gettime((clockid_t)(~(unsigned)pid << 3 | 2), &t) < 0) return 0;
    snprintf(path, sizeof path, fd_proc < 0 ? "/proc/%d/stat" : "%d/stat", pid);
    const char *at = read_stat(fd_proc < 0 ? AT_FDCWD : fd_proc, path);
    for (int column = 3; *at && column < 16; at++) column += *at == ' ';
    char *next;
    uint64_t ticks = strtoull(at, &next, 10); /* user, then system */
    ticks += strtoull(next, NULL, 10);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec
         + ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Whether a thread of the process could run, or waits for a disk. */
static uint64_t is_held_up(int pid)
{
    char path[64], tasks[1024];
    int held = 0;
    snprintf(path, sizeof path, fd_proc < 0 ? "/proc/%d/task" : "%d/task", pid);
    int folder = openat(fd_proc < 0 ? AT_FDCWD : fd_proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long size; !held && (size = syscall(SYS_getdents64, folder, tasks, sizeof tasks)) > 0;)
        for (long at = 0; !held && at < size; at += *(unsigned short *)(tasks + at + 16)) {
            const char *task = tasks + at + 19; /* struct linux_dirent64: d_reclen at 16, d_name at 19 */
            if (*task == '.') continue;
            snprintf(path, sizeof path, "%.20s/stat", task);
            char state = *read_stat(folder, path);
            held = state == 'R' || state == 'D';
        }
    if (folder >= 0) close(folder);
    return (uint64_t)held;
}

/* The sum over all processes of the run. */
static uint64_t over_run(uint64_t (*figure)(int pid))
{
    char entries[4096];
    uint64_t total = 0;
    if (fd_proc < 0) return over_below(getpid(), MAX_DEPTH, figure);
    lseek(fd_proc, 0, SEEK_SET);
    for (long size; (size = syscall(SYS_getdents64, fd_proc, entries, sizeof entries)) > 0;)
        for (long at = 0; at < size;) {
            int pid = atoi(entries + at + 19); /* struct linux_dirent64: d_reclen at 16, d_name at 19 */
            at += *(unsigned short *)(entries + at + 16);
            if (is_of_run(pid)) total += figure(pid);
        }
    return total;
}

static uint64_t run_cpu_ns(uint64_t cpu_base)
{
    return has_cgroup() ? cgroup_cpu_ns() - cpu_base : over_run(cpu_clock_ns);
}

/* How long the run waited because others had its core or the disk: the time in which it did not run
 * although a thread of it could have. It is found by looking at the states of all threads now and then, so
 * that it does not matter which thread waits or how long the thread lives. A look counts for the time since
 * the one before. Looks come at irregular times: a program cannot be ready just for them. */
static struct {
    uint64_t looked, cpu, next, lost;
} waiting;

enum { LOOKS = 64, APART_NS = 8000000 };

static void plan_look(const struct request *r, uint64_t now)
{
    uint64_t apart = r->wall_ns / LOOKS > APART_NS ? r->wall_ns / LOOKS : APART_NS;
    waiting.looked = now;
    waiting.next = now + apart / 2 + now % apart;
}

static void look(const struct request *r, uint64_t cpu, uint64_t now)
{
    uint64_t passed = now - waiting.looked, ran = cpu > waiting.cpu ? cpu - waiting.cpu : 0;
    int busy = ran >= passed - passed / 16; /* spares most runs the look itself */
    if (passed > ran && (busy || over_run(is_held_up))) waiting.lost += passed - ran;
    if (cpu > waiting.cpu) waiting.cpu = cpu;
    plan_look(r, now);
}

/* Sleeps until the candidate's first process has ended or a limit is met. */
static enum stop watch(const struct request *r, pid_t pid, int pidfd, uint64_t cpu_base,
                       uint64_t *sampled_peak, uint64_t *sampled_cpu)
{
    static long cores;
    if (!cores) cores = setup.flags & PINNED ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    struct pollfd wait[3] = {{.fd = pidfd, .events = POLLIN}, {.fd = SOCKET_FD}, {.fd = lifeline}};
    uint64_t begun = now_ns(), deadline = begun + r->wall_ns, most = MAX_GRACE * r->wall_ns;
    uint64_t cpu = 0, interval = 1000000u;
    waiting.cpu = waiting.lost = 0;
    plan_look(r, begun);
    for (;;) {
        uint64_t now = now_ns();
        if (now >= waiting.next || now >= deadline) {
            if (poll(wait, 1, 0) > 0) return ENDED;
            look(r, run_cpu_ns(cpu_base), now);
            deadline = begun + r->wall_ns + (waiting.lost < most ? waiting.lost : most);
            if (now >= deadline) return WALL_LIMIT;
        }
        uint64_t pause = (deadline < waiting.next ? deadline : waiting.next) - now;
        uint64_t to_cpu_limit = (r->cpu_ns - cpu) / (uint64_t)cores + 100000u;
        if (to_cpu_limit < pause) pause = to_cpu_limit;
        if (!has_cgroup() && interval < pause) pause = interval;
        struct timespec timeout = {(time_t)(pause / 1000000000u), (long)(pause % 1000000000u)};
        int ready = ppoll(wait, 3, &timeout, NULL);
        if (ready > 0 && (wait[1].revents || wait[2].revents)) { /* the parent or the outer process has ended */
            uint64_t unread = 0;
            end_process(pid);
            if (!is_alone(CLONE_NEWPID)) sweep(&unread, &unread);
            _exit(0);
        }
        if (ready > 0 && wait[0].revents) return ENDED;
        if (has_cgroup()) {
            cpu = run_cpu_ns(cpu_base);
        } else {
            uint64_t resident = over_run(resident_bytes);
            cpu = run_cpu_ns(cpu_base);
            if (resident > *sampled_peak) *sampled_peak = resident;
            if (cpu > *sampled_cpu) *sampled_cpu = cpu;
            if (resident > r->memory_bytes) return MEMORY_LIMIT;
            if (interval < 8000000u) interval += interval / 4; /* dense at first, then 1 % of a core */
        }
        if (cpu >= r->cpu_ns) return CPU_LIMIT;
    }
}

/* Sends a reply with what was collected. Short outputs travel in the message itself; long ones
 * are handed over as they are, and new streams take their place. */
static void answer(struct reply *reply, int *out, int n_out)
{
    static char inlined[MAX_INLINE];
    union { char bytes[CMSG_SPACE(sizeof(int) * 34)]; struct cmsghdr align; } control;
    struct iovec parts[2] = {{reply, sizeof *reply}, {inlined, 0}};
    struct msghdr head = {.msg_iov = parts, .msg_iovlen = 2};
    int all[34], n_all = 0, passed = reply->stdout_bytes + reply->stderr_bytes > MAX_INLINE;
    if (passed) {
        reply->flags |= OUTPUTS_PASSED;
        all[n_all++] = kept[1];
        all[n_all++] = kept[2];
    } else {
        for (int i = 1; i <= 2; i++) {
            size_t size = i == 1 ? reply->stdout_bytes : reply->stderr_bytes;
            if (size && pread(kept[i], inlined + parts[1].iov_len, size, 0) != (ssize_t)size) _exit(8);
            parts[1].iov_len += size;
        }
    }
    for (int i = 0; i < n_out; i++) all[n_all++] = out[i];
    if (n_all) {
        head.msg_control = control.bytes;
        head.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)n_all);
        struct cmsghdr *c = CMSG_FIRSTHDR(&head);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)n_all);
        memcpy(CMSG_DATA(c), all, sizeof(int) * (size_t)n_all);
    }
    series.answered++;
    ssize_t sent = sendmsg(SOCKET_FD, &head, MSG_NOSIGNAL | (series.is_unheard ? MSG_DONTWAIT : 0));
    if (sent < 0 && errno == EAGAIN) { /* the socket is full of replies that nobody reads before the bell */
        ring_bell();
        sent = sendmsg(SOCKET_FD, &head, MSG_NOSIGNAL);
    }
    if (sent < 0) _exit(6);
    while (n_out) close(out[--n_out]);
    if (passed) {
        close_streams(1);
        make_streams(1);
    }
}

static void measure(const struct request *r, struct reply *reply, pid_t pid, int pidfd,
                    uint64_t begun, uint64_t cpu_base, uint64_t memory_base)
{
    uint64_t sampled_peak = 0, sampled_cpu = 0, reaped_cpu = 0, max_rss = 0;
    struct rusage used;
    int began = 1;
    first_of_run = pid;
    reply->stop = watch(r, pid, pidfd, cpu_base, &sampled_peak, &sampled_cpu);
    if (reply->stop != ENDED) end_process(pid);
    else if (r->flags & FORKED) began = getsid(pid) == pid;
    while (wait4(pid, &reply->wait_status, 0, &used) < 0 && errno == EINTR) {}
    reply->wall_ns = now_ns() - begun;
    if (!began && WIFEXITED(reply->wait_status) && WEXITSTATUS(reply->wait_status) == SETUP_FAILED) {
        reply->stop = NOT_PLACED;
        reply->error = EPROTO;
    }
    reaped_cpu = ((uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec) * 1000000000u
               + ((uint64_t)used.ru_utime.tv_usec + (uint64_t)used.ru_stime.tv_usec) * 1000u;
    max_rss = (uint64_t)used.ru_maxrss * 1024;
    max_rss = without_inherited(max_rss);
    sweep(&reaped_cpu, &max_rss);

    struct stat out = {0}, err = {0};
    fstat(kept[1], &out);
    fstat(kept[2], &err);
    reply->stdout_bytes = (uint64_t)out.st_size;
    reply->stderr_bytes = (uint64_t)err.st_size;
    reply->max_rss_bytes = max_rss;
    reply->cpu_ns = reaped_cpu > sampled_cpu ? reaped_cpu : sampled_cpu;
    reply->memory_bytes = max_rss > sampled_peak ? max_rss : sampled_peak;
    if (!has_cgroup()) return;

    uint64_t cpu = cgroup_cpu_ns() - cpu_base, peak = fd_peak >= 0 ? read_number(fd_peak, NULL) : 0;
    if (cpu > reply->cpu_ns) reply->cpu_ns = cpu; /* rusage misses children that nobody waited for */
    if (fd_peak < 0) return;
    /* Standard output's own pages are charged to the cell: they are no memory of the candidate. That
     * goes for its visible part alone, not for standard error, which no checker reads, and not for the
     * owner of it, who can open it to read: a candidate could hide as much memory in them. When the
     * peak fell is unknown, so the largest process stands below what is left. It also counts the pages
     * that a program shares with others, and those too few for the group's batches. */
    uint64_t grown = peak > memory_base ? peak - memory_base : 0;
    uint64_t outputs = (uint64_t)out.st_blocks * 512, visible = ((uint64_t)out.st_size + 4095) & ~4095ull;
    if (outputs > visible) outputs = visible;
    if (uid_candidate == uid_init) outputs = 0;
    uint64_t without = grown > outputs ? grown - outputs : 0;
    reply->memory_bytes = without > max_rss ? without : max_rss;
}

/* Between runs, while the parent is busy with the reply: all is put back for the next one. */
static void restore(void)
{
    reset_streams();
    wipe();
}

static pid_t launch(struct launch *how, int *pidfd)
{
    return clone(start_candidate, candidate_stack + sizeof candidate_stack,
                 CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, how, pidfd);
}

/* ------------------------------------------------------------------------- the fork server */

enum { SERVER_PATIENCE_MS = 20000 };

static void end_server(void)
{
    int status;
    if (!server.pid) return;
    end_process(server.pid);
    while (waitpid(server.pid, &status, 0) < 0 && errno == EINTR) {}
    forget_server();
}

/* A candidate that has its id may have stopped it. */
static void have_server_go_on(void)
{
    if (server.pid && uid_candidate == uid_init) kill(server.pid, SIGCONT);
}

/* Has the fork server make a process, with no argv only to see what one costs; its id, or -1. */
static pid_t ask_server(const struct request *r, char **argv, int input, int channel)
{
    struct fork_request request = {
        .magic = FORK_MAGIC, .argc = argv ? r->argc : 0, .uid = uid_candidate != uid_init ? (int)uid_candidate : -1,
        .processes = r->processes + (uid_candidate == uid_init), .cpu_s = cpu_seconds(r),
        .stack_bytes = r->stack_bytes, .file_bytes = r->file_bytes};
    struct iovec parts[2] = {{&request, sizeof request}, {NULL, 0}};
    union { char bytes[CMSG_SPACE(sizeof(int) * FORK_FDS)]; struct cmsghdr align; } control = {0};
    int passed[FORK_FDS] = {input, streams[1], streams[2], channel}, n_passed = channel >= 0 ? 4 : 3;
    struct msghdr head = {.msg_iov = parts, .msg_iovlen = 2, .msg_control = control.bytes,
                          .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)n_passed)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    if (argv) {
        const char *last = argv[r->argc - 1];
        parts[1] = (struct iovec){argv[0], (size_t)(last - argv[0]) + strlen(last) + 1};
    }
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)n_passed);
    memcpy(CMSG_DATA(c), passed, sizeof(int) * (size_t)n_passed);
    have_server_go_on();
    if (sendmsg(server.socket, &head, MSG_NOSIGNAL) < 0) return -1;
    struct pollfd wait = {.fd = server.socket, .events = POLLIN};
    int32_t pid;
    if (poll(&wait, 1, SERVER_PATIENCE_MS) <= 0 || recv(server.socket, &pid, sizeof pid, 0) != sizeof pid) return -1;
    return pid > 1 ? pid : -1;
}

/* Ends the fork server that there is, if any, and starts the one of this request. */
static void start_server(const struct request *r, char **argv, char **envp, struct reply *reply)
{
    int pair[2], pidfd = -1, status = 0;
    struct rusage used = {0};
    end_server();
    settled = 0;
    bound_memory(INT64_MAX & ~4095ll);
    bound_processes(64);
    reply->stop = NOT_STARTED;
    if (!is_alone(CLONE_NEWPID) || fd_proc < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
        reply->error = ENOSYS;
        return;
    }
    struct launch how = {r, argv, envp, streams[0], -1, pair[1], 1, 0};
    pid_t pid = launch(&how, &pidfd);
    close(pair[1]);
    if (pidfd >= 0) close(pidfd);
    server.pid = pid > 0 ? pid : 0;
    server.socket = pair[0];
    server.rss = 0;
    struct pollfd wait = {.fd = pair[0], .events = POLLIN};
    uint32_t magic = 0;
    if (pid > 0 && !how.error && poll(&wait, 1, SERVER_PATIENCE_MS) > 0
        && recv(pair[0], &magic, sizeof magic, 0) == sizeof magic && magic == FORK_MAGIC)
        for (int tries = 0; tries < 2; tries++) { /* the first also pays for what later ones find */
            pid_t first = ask_server(r, NULL, streams[0], -1);
            if (first < 0 || wait4(first, &status, 0, &used) < 0 || status) break;
            server.rss = (uint64_t)used.ru_maxrss * 1024;
        }
    struct stat said;
    if (fstat(kept[2], &said) == 0) reply->stderr_bytes = (uint64_t)said.st_size;
    if (server.rss && !status) {
        reply->stop = ENDED;
        return;
    }
    reply->error = how.error ? how.error : pid < 0 ? EAGAIN : ECHILD;
    if (server.pid) end_server();
    else forget_server();
}

/* A process of the fork server's in place of a started program; -1 where the server is of no use. */
static pid_t fork_server(const struct request *r, char **argv, int input, int channel, int *pidfd)
{
    pid_t pid = server.pid ? ask_server(r, argv, input, channel) : -1;
    if (pid > 0) *pidfd = (int)syscall(NR_pidfd_open, pid, 0);
    if (pid > 0 && *pidfd >= 0) return pid;
    errno = ESRCH;
    return -1;
}

static int take_fd(void)
{
    if (used_fds >= n_fds) _exit(7);
    return fds[used_fds++];
}

/* Runs one request's program and sends the reply; whether it ended well, with all still there for the next. */
static int run(const struct request *r, char *text, char *end)
{
    struct reply reply = {.magic = MAGIC, .sequence = r->sequence};
    int input = r->flags & HAS_STDIN ? take_fd() : streams[0];
    int executable = r->flags & HAS_EXECUTABLE ? take_fd() : -1;
    int channel = r->flags & HAS_CHANNEL ? take_fd() : -1;
    char **argv = strings, **envp = argv + r->argc + 1, **files = envp + r->envc + 1;
    char **collect = files + r->n_files;
    if (r->argc < 1 || (uint64_t)r->argc + r->envc + r->n_files + r->n_collect + 2 > MAX_STRINGS
        || r->n_collect > 32 || n_fds - used_fds < (int)r->n_files) _exit(7);
    if (!(text = split(text, end, argv, r->argc)) || !(text = split(text, end, envp, r->envc))
        || !(text = split(text, end, files, r->n_files)) || !(text = split(text, end, collect, r->n_collect))
        || end - text != (ptrdiff_t)r->stdin_bytes) _exit(7);
    argv[r->argc] = envp[r->envc] = NULL;
    const int *sources = fds + used_fds;
    used_fds += (int)r->n_files;
    if (r->stdin_bytes && pwrite(kept[0], text, r->stdin_bytes, 0) != (ssize_t)r->stdin_bytes) _exit(8);

    if (r->flags & START_SERVER) {
        start_server(r, argv, envp, &reply);
        answer(&reply, NULL, 0);
        return 0;
    }
    inherited_rss = r->flags & FORKED ? server.rss : 0;
    if (has_cgroup()) settle();
    reply.error = place_files(files, r->n_files, sources);
    if (reply.error) {
        reply.stop = NOT_PLACED;
        answer(&reply, NULL, 0);
        return 0;
    }
    uint64_t cpu_base = 0, memory_base = 0;
    if (has_cgroup()) {
        memory_base = read_number(fd_usage, NULL);
        if (fd_peak >= 0) write_number(fd_peak, 0);
        bound_memory((memory_base | 0xfffff) + 1 + r->memory_bytes + r->slack_bytes);
        bound_processes(r->processes + 3u);
        cpu_base = cgroup_cpu_ns();
    }
    struct launch how = {r, argv, envp, input, executable, channel, 0, 0};
    int pidfd = -1, out[32], n_out = 0;
    *progress = r->sequence;
    uint64_t begun = now_ns();
    pid_t pid = r->flags & FORKED ? fork_server(r, argv, input, channel, &pidfd) : launch(&how, &pidfd);
    if (pid < 0) {
        reply.stop = NOT_PLACED;
        reply.error = errno;
        if (r->flags & FORKED) { /* it may have made a process all the same */
            uint64_t unread = 0;
            end_server();
            sweep(&unread, &unread);
        }
    } else {
        measure(r, &reply, pid, pidfd, begun, cpu_base, memory_base);
        if (how.error) {
            reply.stop = NOT_STARTED;
            reply.error = how.error;
        }
        close(pidfd);
    }
    have_server_go_on();
    if (!server.pid) reply.flags |= SERVER_GONE;
    if (reply.memory_bytes + (1u << 20) > r->memory_bytes || !is_pristine())
        bound_memory(INT64_MAX & ~4095ll); /* cleaning up must never meet the limit */
    for (uint32_t i = 0; i < r->n_collect; i++) {
        int fd = collect_file(collect[i]);
        if (fd < 0) continue;
        reply.collected |= 1u << i;
        out[n_out++] = fd;
    }
    answer(&reply, out, n_out);
    if (r->n_files) remove_placed(files, r->n_files);
    return reply.stop == ENDED && !reply.wait_status && !(r->flags & FORKED && reply.flags & SERVER_GONE);
}

enum { SERIES_NS = 10000000 }; /* a series ends after this time: its replies are not known before */

/* Serves the requests of one message; the first that does not end well ends a series. */
static void run_all(char *at, char *end)
{
    struct request request;
    uint64_t begun = now_ns();
    int goes_on;
    series.answered = 0;
    do {
        if ((size_t)(end - at) < sizeof request) _exit(7);
        memcpy(&request, at, sizeof request);
        uint64_t size = sizeof request + (uint64_t)request.string_bytes + request.stdin_bytes;
        if (request.magic != MAGIC || size > (uint64_t)(end - at)) _exit(7);
        if (!series.answered) series.is_unheard = size < (uint64_t)(end - at);
        int is_well = run(&request, at + sizeof request, at + size);
        at += size;
        goes_on = is_well && series.is_unheard && at < end && now_ns() - begun < SERIES_NS;
        if (series.is_unheard && !goes_on) ring_bell();
        restore();
    } while (goes_on);
    close_fds();
}

/* ------------------------------------------------------------------------------------- main */

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
        if (n_fds < next + 4) fail(EBADF);
        fd_limit = fds[next++];
        fd_usage = fds[next++];
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
