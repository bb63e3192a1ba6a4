/* An honest program that prints all that a run can see of its surroundings. What it prints must not
 * depend on any run before it; ids are printed as their distance from its own. With the argument
 * "host" the folders are the host's own, and only what is the cell's to keep is printed of them. */
#include "attempt.h"
#include <dirent.h>
#include <limits.h>
#include <linux/fs.h>
#include <sys/statfs.h>
static int on_host;
/* An id as seen from one's own, which another cell may have another of; root is root in any. */
static int from_own(unsigned id, unsigned own) { return id ? (int)(id - own) : INT_MIN; }
static void state(const char *path)
{
    struct stat st;
    if (lstat(path, &st)) {
        printf("%s: %s\n", path, strerror(errno));
        return;
    }
    struct statfs fs;
    long flags = -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    if (fd >= 0) ioctl(fd, FS_IOC_GETFLAGS, &flags);
    if (fd >= 0) close(fd);
    if (on_host) {
        printf("%s: mode %o mtime %ld.%09ld\n", path, st.st_mode, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
        return;
    }
    int cells_own = strcmp(path, "/") && strcmp(path, "/dev"); /* the others are as old and as full as they are */
    if (!cells_own) memset(&st.st_atim, 0, 2 * sizeof st.st_atim);
    if (!cells_own || statfs(path, &fs)) memset(&fs, 0, sizeof fs);
    printf("%s: mode %o owner %d:%d links %lu size %ld blocks %ld flags %lx mtime %ld.%09ld atime %ld.%09ld",
           path, st.st_mode, cells_own ? from_own(st.st_uid, getuid()) : 0,
           cells_own ? from_own(st.st_gid, getgid()) : 0, (unsigned long)st.st_nlink, (long)st.st_size, (long)st.st_blocks,
           flags, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long)st.st_atim.tv_sec, st.st_atim.tv_nsec);
    printf(" free %lu %lu\n", (unsigned long)fs.f_bfree, (unsigned long)fs.f_ffree);
}
static void list(const char *folder)
{
    DIR *dir = opendir(folder);
    printf("%s:", folder);
    if (!dir) printf(" %s", strerror(errno));
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) printf(" %s", entry->d_name);
    puts("");
    if (dir) closedir(dir);
}
static void processes(void)
{
    DIR *dir = opendir("/proc");
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) count += atoi(entry->d_name) > 0;
    printf("processes: %d\n", count);
    if (dir) closedir(dir);
}
static void stream(int fd)
{
    struct stat st;
    char path[32];
    if (fstat(fd, &st)) return;
    struct flock whole = {.l_type = F_WRLCK};
    printf("stream %d: mode %o owner %d:%d size %ld blocks %ld flags %o position %ld owner %d signal %d lease %d", fd,
           st.st_mode, (int)(st.st_uid - getuid()), (int)(st.st_gid - getgid()), fd ? 0l : (long)st.st_size, fd ? 0l : (long)st.st_blocks, fcntl(fd, F_GETFL),
           (long)lseek(fd, 0, SEEK_CUR), fcntl(fd, F_GETOWN), fcntl(fd, F_GETSIG), fcntl(fd, F_GETLEASE));
    uint64_t hint = 0;
    fcntl(fd, 1035 /* F_GET_RW_HINT */, &hint);
    printf(" hint %lu seals %d", (unsigned long)hint, fcntl(fd, F_GET_SEALS));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = open(path, (fd ? O_RDWR : O_RDONLY) | O_NONBLOCK);
    printf(" opens %d", again < 0 ? errno : 0);
    if (again >= 0) {
        printf(" locks %d", flock(again, LOCK_EX | LOCK_NB));
        printf(" %d", fd ? fcntl(again, F_OFD_SETLK, &whole) : 0);
        close(again);
    }
    if (fd) { /* as a script opens it, where it may only be written */
        int out = open(path, O_WRONLY | O_NONBLOCK);
        printf(" opens for writing %d", out < 0 ? errno : 0);
        if (out >= 0)
            printf(" locks %d %d lease %d position %ld flags %o", flock(out, LOCK_EX | LOCK_NB),
                   fcntl(out, F_OFD_SETLK, &whole), fcntl(out, F_GETLEASE), (long)lseek(out, 0, SEEK_END),
                   fcntl(out, F_GETFL));
    }
    puts("");
}
int main(int argc, char **argv)
{
    on_host = argc > 1 && !strcmp(argv[1], "host");
    static const char *const folders[] = {".", "/w", "/tmp", "/dev/shm", "/dev", "/"};
    setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16);
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) printf("descriptor %d\n", fd);
    for (int i = 0; i < (on_host ? 1 : 6); i++) state(folders[i]);
    for (int i = 0; i < (on_host ? 1 : 6); i++) list(folders[i]);
    for (int fd = 0; fd < 3; fd++) stream(fd);
    processes();
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (sigismember(&blocked, number) == 1) printf("blocked %d\n", number);
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL) printf("handled %d\n", number);
    }
    for (int kind = 0; kind < 16; kind++) {
        struct rlimit bound;
        if (kind != RLIMIT_SIGPENDING && getrlimit((__rlimit_resource_t)kind, &bound) == 0)
            printf("limit %d: %lu %lu\n", kind, (unsigned long)bound.rlim_cur, (unsigned long)bound.rlim_max);
    }
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    mode_t mask = umask(0);
    errno = 0;
    printf("cores %d nice %d scheduler %d umask %o other ids %d groups %d slack %d keep %d subreaper", CPU_COUNT(&cores),
           getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), mask, getuid() != geteuid() || getgid() != getegid(),
           getgroups(0, NULL), prctl(PR_GET_TIMERSLACK), prctl(PR_GET_KEEPCAPS));
    int subreaper = -1, death = -1;
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
    prctl(PR_GET_PDEATHSIG, &death);
    struct itimerval timer = {0};
    getitimer(ITIMER_REAL, &timer);
    printf(" %d death %d alarm %ld session %d group %d\n", subreaper, death, (long)timer.it_value.tv_usec,
           getsid(0) == getpid(), getpgrp() == getpid());
    struct sockaddr_un name = abstract_name();
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    printf("abstract name free: %d\n", fd >= 0 && bind(fd, (struct sockaddr *)&name, 24) == 0);
    int byte = getchar();
    printf("input: %d\n", byte);
    return 0;
}
