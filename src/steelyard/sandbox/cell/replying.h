/* Reply with what a run left, and put all back for the next one.
 *
 * A part of cell.c, which includes it once. */

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
    reply->waited_ms = (uint32_t)(waiting.lost / 1000000u);
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
