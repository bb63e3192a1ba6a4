/* Tries: to write a message into every trait of the files that it shares with later runs: mode, owner,
 * times, flags, attributes, locks, leases, seals, hints, size and content of its executable, its streams,
 * the file that it was given and a system program, held by a child that outlives it. Must: leave
 * nothing that a second run ("look") can tell from what the first one saw. */
#include "attempt.h"
#include <linux/fs.h>
#include <sys/xattr.h>
enum { GET_HINT = 1035, SET_HINT, GET_FILE_HINT, SET_FILE_HINT }; /* fcntl's read and write hints */
static const char *const names[] = {"/proc/self/exe", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2",
                                    "given", "/usr/bin/env"};
enum { OWN, INPUT, OUTPUT, ERRORS, GIVEN, SYSTEM, N };

static void leave_in(int fd, const char *name)
{
    const struct timespec note[2] = {{123456789, 42}, {987654321, 24}};
    const struct flock read_lock = {.l_type = F_RDLCK}, write_lock = {.l_type = F_WRLCK};
    const uint64_t hint = 3;
    struct fsxattr more;
    long flags = FS_NODUMP_FL | FS_NOATIME_FL | FS_APPEND_FL;
    char byte;
    if (pwrite(fd, "message", 7, 0) < 0 && ftruncate(fd, 4096) == 0 && ftruncate(fd, 0) == 0) {}
    fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 1 << 16);
    if (pread(fd, &byte, 1, 0)) {} /* the time of access */
    lseek(fd, 7, SEEK_SET);
    fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK | O_ASYNC);
    fcntl(fd, F_SETOWN, getpid());
    fcntl(fd, F_SETSIG, SIGUSR1);
    fcntl(fd, SET_HINT, &hint);
    fcntl(fd, SET_FILE_HINT, &hint);
    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
    flock(fd, LOCK_EX | LOCK_NB);
    if (fcntl(fd, F_SETLK, &write_lock)) fcntl(fd, F_SETLK, &read_lock);
    if (fcntl(fd, F_OFD_SETLK, &write_lock)) fcntl(fd, F_OFD_SETLK, &read_lock);
    if (fcntl(fd, F_SETLEASE, F_WRLCK)) fcntl(fd, F_SETLEASE, F_RDLCK);
    fcntl(fd, F_NOTIFY, DN_MULTISHOT | DN_ACCESS | DN_ATTRIB);
    fsetxattr(fd, "user.message", "x", 1, 0);
    fsetxattr(fd, "security.message", "x", 1, 0);
    removexattr(name, "security.capability");
    ioctl(fd, FS_IOC_SETFLAGS, &flags);
    if (ioctl(fd, FS_IOC_FSGETXATTR, &more) == 0) {
        more.fsx_projid = 7;
        ioctl(fd, FS_IOC_FSSETXATTR, &more);
    }
    for (int seal = F_SEAL_SEAL; seal <= F_SEAL_FUTURE_WRITE; seal *= 2) fcntl(fd, F_ADD_SEALS, seal);
    if (fchown(fd, getuid(), getgid()) < 0) {}
    futimens(fd, note);
    utimensat(AT_FDCWD, name, note, 0);
    fchmod(fd, 04711);
    chmod(name, 04711);
}

static void leave(void)
{
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN); /* leases that break */
    close(open("given", O_CREAT | O_WRONLY, 0644)); /* where nothing was given */
    for (int i = 0; i < N; i++) {
        int modes[] = {O_RDWR, O_WRONLY, O_RDONLY};
        for (int mode = 0; mode < 3; mode++) {
            int fd = open(names[i], modes[mode] | O_NONBLOCK);
            if (fd >= 0) leave_in(fd, names[i]);
        }
        if (i >= INPUT && i <= ERRORS) leave_in(i - INPUT, names[i]);
    }
    if (link("given", "a second name") == 0 && rename("given", "another") == 0 && symlink("/usr/bin/env", "given")) {}
    if (fork() == 0) { /* what one process holds would go with it */
        setsid();
        for (int i = 0; i < N; i++) flock(open(names[i], O_RDONLY | O_NONBLOCK), LOCK_SH | LOCK_NB);
        pause();
    }
}

static unsigned long sum_of(int fd)
{
    static char block[1 << 16];
    unsigned long sum = 0;
    off_t at = 0;
    for (ssize_t size; (size = pread(fd, block, sizeof block, at)) > 0; at += size)
        for (ssize_t i = 0; i < size; i++) sum = sum * 31 + (unsigned char)block[i];
    return sum;
}

/* A time, where it is not simply that of this run. */
static const char *when(struct timespec stamp)
{
    static char text[4][40];
    static int next;
    char *at = text[next = (next + 1) % 4];
    snprintf(at, sizeof *text, "%ld.%09ld", (long)stamp.tv_sec, stamp.tv_nsec);
    return labs(stamp.tv_sec - time(NULL)) < 3600 ? "now" : at;
}

static void look_at(int fd, const char *name)
{
    struct stat st = {0};
    struct fsxattr more = {0};
    struct flock lock = {.l_type = F_WRLCK}, other = {.l_type = F_WRLCK};
    uint64_t hint = 0, file_hint = 0;
    long flags = 0;
    char attributes[256];
    fstat(fd, &st);
    ioctl(fd, FS_IOC_GETFLAGS, &flags);
    ioctl(fd, FS_IOC_FSGETXATTR, &more);
    fcntl(fd, GET_HINT, &hint);
    fcntl(fd, GET_FILE_HINT, &file_hint);
    printf("%s: mode %o owner %d:%d links %lu size %ld blocks %ld mtime %s", name, st.st_mode, (int)st.st_uid,
           (int)st.st_gid, (unsigned long)st.st_nlink, (long)st.st_size, (long)st.st_blocks,
           when(st.st_mtim));
    printf(" flags %lx project %u hints %lu %lu seals %d lease %d attributes %ld", flags, more.fsx_projid,
           (unsigned long)hint, (unsigned long)file_hint, fcntl(fd, F_GET_SEALS), fcntl(fd, F_GETLEASE),
           (long)flistxattr(fd, attributes, sizeof attributes));
    printf(" position %ld status %o owner %d signal %d", (long)lseek(fd, 0, SEEK_CUR), fcntl(fd, F_GETFL),
           fcntl(fd, F_GETOWN), fcntl(fd, F_GETSIG));
    if (strcmp(name, names[SYSTEM])) { /* which other cells may lock at the same time: see SECURITY.md */
        fcntl(fd, F_GETLK, &lock);
        fcntl(fd, F_OFD_GETLK, &other);
        printf(" locks %d %d %d", lock.l_type, other.l_type, flock(fd, LOCK_EX | LOCK_NB));
        flock(fd, LOCK_UN);
    }
    printf(" content %lx\n", sum_of(fd));
}

static void look(void)
{
    setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16);
    struct stat own = {0};
    stat(names[OWN], &own);
    printf("run at %s\n", when(own.st_atim));
    for (int fd = 0; fd < 3; fd++) {
        struct stat st;
        if (fstat(fd, &st) == 0) printf("read at %s\n", when(st.st_atim));
        look_at(fd, names[INPUT + fd]);
    }
    for (int i = 0; i < N; i++) {
        int modes[] = {O_RDWR, O_WRONLY, O_RDONLY};
        for (int mode = 0; mode < 3; mode++) {
            int fd = open(names[i], modes[mode] | O_NONBLOCK);
            printf("%o: ", modes[mode]);
            if (fd >= 0) look_at(fd, names[i]);
            else printf("%s: %s\n", names[i], strerror(errno));
            if (fd >= 0) close(fd);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "look")) look();
    else leave();
    return 0;
}
