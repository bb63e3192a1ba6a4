/* What the processes of a run say of themselves, and waiting for their end.
 *
 * A part of cell.c, which includes it once. */

enum { PROC_LINE = 128 };

/* The start of a file that /proc has about a process; "" where it is gone. */
static void read_proc(int pid, const char *file, char text[PROC_LINE])
{
    char path[64];
    snprintf(path, sizeof path, fd_proc < 0 ? "/proc/%d/%s" : "%d/%s", pid, file);
    int fd = openat(fd_proc < 0 ? AT_FDCWD : fd_proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, text, PROC_LINE - 1);
    if (fd >= 0) close(fd);
    text[size > 0 ? size : 0] = 0;
}

/* One number of such a file; 0 where it is gone. */
static uint64_t proc_number(int pid, const char *file, int column)
{
    char text[PROC_LINE], *at = text;
    read_proc(pid, file, text);
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

static struct {
    int pids[8], count;
    char memory[PROC_LINE]; /* what /proc/PID/statm has of one of them */
} blocked; /* processes with a thread whose wait no signal ends: for a disk, or for a child of vfork */

/* Whether a thread of the process could run. Notes the process if one waits where no signal ends it. */
static uint64_t could_run(int pid)
{
    char path[64], tasks[1024], state = 0;
    int waits = 0;
    snprintf(path, sizeof path, fd_proc < 0 ? "/proc/%d/task" : "%d/task", pid);
    int folder = openat(fd_proc < 0 ? AT_FDCWD : fd_proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long size; state != 'R' && (size = syscall(SYS_getdents64, folder, tasks, sizeof tasks)) > 0;)
        for (long at = 0; state != 'R' && at < size; at += *(unsigned short *)(tasks + at + 16)) {
            const char *task = tasks + at + 19; /* struct linux_dirent64: d_reclen at 16, d_name at 19 */
            if (*task == '.') continue;
            snprintf(path, sizeof path, "%.20s/stat", task);
            state = *read_stat(folder, path);
            waits |= state == 'D';
        }
    if (folder >= 0) close(folder);
    if (waits && blocked.count < (int)(sizeof blocked.pids / sizeof *blocked.pids))
        blocked.pids[blocked.count++] = pid;
    return state == 'R';
}

static uint64_t has_that_memory(int pid)
{
    char text[PROC_LINE];
    read_proc(pid, "statm", text);
    return !strcmp(text, blocked.memory);
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

/* Whether a thread of the run could run, or waits for a disk. A process that waits for its child of vfork has
 * its memory in common with it, and is held up only if the child is. */
static int is_held_up(void)
{
    blocked.count = 0;
    if (over_run(could_run)) return 1;
    for (int i = 0; i < blocked.count; i++) {
        read_proc(blocked.pids[i], "statm", blocked.memory);
        if (over_run(has_that_memory) < 2) return 1;
    }
    return 0;
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
    if (passed > ran && (busy || is_held_up())) waiting.lost += passed - ran;
    if (cpu > waiting.cpu) waiting.cpu = cpu;
    plan_look(r, now);
}

/* Whether the parent wants this run to end; what it said of an earlier run has come too late. */
static int is_called_off(const struct request *r)
{
    uint32_t sequence = 0;
    return recv(series.bell, &sequence, sizeof sequence, MSG_DONTWAIT) == sizeof sequence && sequence == r->sequence;
}

/* Sleeps until the candidate's first process has ended, a limit is met, or the parent ends the run. */
static enum stop watch(const struct request *r, pid_t pid, int pidfd, uint64_t cpu_base,
                       uint64_t *sampled_peak, uint64_t *sampled_cpu)
{
    static long cores;
    if (!cores) cores = setup.flags & PINNED ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    struct pollfd wait[4] = {{.fd = pidfd, .events = POLLIN}, {.fd = SOCKET_FD}, {.fd = lifeline},
                             {.fd = series.bell, .events = POLLIN}};
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
        int ready = ppoll(wait, 4, &timeout, NULL);
        if (ready > 0 && (wait[1].revents || wait[2].revents)) { /* the parent or the outer process has ended */
            uint64_t unread = 0;
            end_process(pid);
            if (!is_alone(CLONE_NEWPID)) sweep(&unread, &unread);
            _exit(0);
        }
        if (ready > 0 && wait[0].revents) return ENDED;
        if (ready > 0 && wait[3].revents && is_called_off(r)) return WALL_LIMIT;
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
