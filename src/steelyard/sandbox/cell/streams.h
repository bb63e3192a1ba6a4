/* The standard streams of a run, kept from one run to the next.
 *
 * A part of cell.c, which includes it once. */

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
