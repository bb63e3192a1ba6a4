/* Serve the requests of one message.
 *
 * A part of cell.c, which includes it once. */

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
