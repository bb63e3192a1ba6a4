/* Clean up after a run: its processes, files and sockets.
 *
 * A part of cell.c, which includes it once. */

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

/* Usage without the page cache of files that are on a disk: version 1 calls the cache `cache`, version 2 `file`. */
static uint64_t held_bytes(void)
{
    uint64_t usage = read_number(fd_usage, NULL), shared = read_number(fd_stat, "shmem ");
    uint64_t cache = read_number(fd_stat, "cache ");
    if (!cache) cache = read_number(fd_stat, "file ");
    cache = cache > shared ? cache - shared : 0;
    return usage > cache ? usage - cache : 0;
}

/* Waits until what the last run used is freed: a later one could free it in its midst, and use that
 * much more than is measured. */
enum { SETTLE_TRIES = 5000 }; /* each a millisecond or more: a loaded kernel frees them late */
static uint64_t settled; /* 0: at any figure, once */

static void settle(void)
{
    if (settled && read_number(fd_usage, NULL) <= settled + (1u << 20)) return;
    uint64_t held = held_bytes();
    for (int tries = 0; settled && held > settled + (1u << 20) && tries < SETTLE_TRIES; tries++) {
        free_in_flight();
        held = held_bytes();
    }
    settled = held;
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
