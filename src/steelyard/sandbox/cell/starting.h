/* Start a program: its limits, identity, streams and files.
 *
 * A part of cell.c, which includes it once. */

static char *strings[MAX_STRINGS];
static char candidate_stack[64 * 1024] __attribute__((aligned(64)));

struct launch {
    const struct request *request;
    char **argv, **envp;
    int input, executable, channel, is_server;
    volatile int error;
};

/* The kernel counts by ticks, which a busy virtual machine inflates: far above the limit that `watch` keeps. */
static uint64_t cpu_seconds(const struct request *r) { return r->cpu_ns / 250000000u + 2; }

static void limit(int resource, uint64_t value)
{
    struct rlimit bound = {value, value};
    if (setrlimit(resource, &bound) == 0) return;
    struct rlimit old; /* a lower hard limit stands: take all that it allows */
    if (getrlimit(resource, &old) < 0) return;
    old.rlim_cur = old.rlim_max;
    setrlimit(resource, &old);
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

/* A user's processes may have as many descriptors on the way through sockets as one of them may open, and a
 * message holds 253. So a candidate stops sending while those of a cell with its user id still can. */
enum { CANDIDATE_FILES = 768 };

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
    limit(RLIMIT_NOFILE, CANDIDATE_FILES);
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
