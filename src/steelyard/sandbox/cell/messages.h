/* Receive messages and their descriptors; read and write small counters.
 *
 * A part of cell.c, which includes it once. */

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
