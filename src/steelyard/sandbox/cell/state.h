/* What the cell knows of itself.
 *
 * A part of cell.c, which includes it once. */

static struct setup setup;
static union { char bytes[MAX_MESSAGE]; uint64_t align; } message;
static int fds[MAX_FDS];
static int n_fds, used_fds;
/* A message may hold a series of requests, one run after another: the parent sleeps until the bell rings,
 * and then reads as many replies as the bell says. The parent rings it with the number of a run to end that. */
static struct { int bell, is_unheard; uint8_t answered; } series = {.bell = -1};
static int fd_limit = -1, fd_usage = -1, fd_stat = -1, fd_peak = -1, fd_cpu = -1, fd_pids = -1; /* cgroup */
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
