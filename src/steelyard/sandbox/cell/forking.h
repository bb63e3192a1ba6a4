/* Processes of a fork server in place of started programs.
 *
 * A part of cell.c, which includes it once. */

enum { SERVER_PATIENCE_MS = 20000 }; /* for a process of a server that has started */

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
    if (pid > 0 && !how.error && poll(&wait, 1, (int)(r->wall_ns / 1000000u)) > 0
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
