/* Does one thing to a limit, as its first argument says. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(long ms)
{
    while (clock() * 1000 / CLOCKS_PER_SEC < ms) { }
}

static void rest(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&t, &t) < 0 && errno == EINTR) { }
}

static void *burn_as_thread(void *ms)
{
    struct timespec t;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < (long)ms);
    return NULL;
}

static void run_threads(long count, long ms, long at_once)
{
    pthread_t threads[64];
    for (long made = 0; made < count; made += at_once) {
        for (long i = 0; i < at_once; i++) pthread_create(&threads[i], NULL, burn_as_thread, (void *)ms);
        for (long i = 0; i < at_once; i++) pthread_join(threads[i], NULL);
    }
}

static void touch(long mib)
{
    volatile char *p = malloc((size_t)mib << 20);
    for (size_t i = 0; i < (size_t)mib << 20; i += 4096) p[i] = 1;
}

static int deep(long kib)
{
    volatile char part[1024];
    part[0] = 1;
    return kib <= 1 ? part[0] : part[0] + deep(kib - 1);
}

static int put(int fd, long bytes)
{
    static char block[65536];
    memset(block, 'x', sizeof block);
    while (bytes > 0) {
        ssize_t size = write(fd, block, bytes < 65536 ? (size_t)bytes : sizeof block);
        if (size < 0) return 9;
        bytes -= size;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 0, m = argc > 3 ? atol(argv[3]) : 0;
    if (!strcmp(what, "exit")) return (int)n;
    if (!strcmp(what, "raise")) return raise((int)n);
    if (!strcmp(what, "burn")) burn(n);
    if (!strcmp(what, "rest")) rest(n);
    if (!strcmp(what, "threads")) run_threads(n, m, 1);
    if (!strcmp(what, "children"))
        for (long i = 0; i < n; i++) {
            if (fork() == 0) { burn(m); _exit(0); }
            wait(NULL);
        }
    if (!strcmp(what, "storm")) { /* threads that wait for one another, and then for nothing */
        run_threads(40, n, 40);
        rest(m);
    }
    if (!strcmp(what, "held")) /* its parent waits as if for a disk */
        if (vfork() == 0) { rest(n); _exit(0); }
    if (!strcmp(what, "heap")) { touch(n); rest(m); }
    if (!strcmp(what, "heaps")) { /* n processes of 40 MiB each, that rest for m ms */
        for (long i = 0; i < n; i++)
            if (fork() == 0) { touch(40); rest(m); _exit(0); }
        while (wait(NULL) > 0) {}
    }
    if (!strcmp(what, "spoiled")) { /* a child is lost, and its parent fails for it */
        int status = 0;
        if (fork() == 0) { touch(n); _exit(0); }
        wait(&status);
        return status != 0;
    }
    if (!strcmp(what, "stack")) return deep(n << 10) < 0;
    if (!strcmp(what, "put")) return put((int)m, n);
    if (!strcmp(what, "file")) return put(open("made", O_WRONLY | O_CREAT, 0644), n);
    if (!strcmp(what, "orphans-burn")) { /* nobody waits for them: the kernel reaps */
        signal(SIGCHLD, SIG_IGN);
        for (int i = 0; i < 4; i++)
            if (fork() == 0) { burn(n); _exit(0); }
        while (wait(NULL) > 0) { }
    }
    if (!strcmp(what, "tree")) {
        for (long i = 0; i < n; i++)
            if (fork() == 0) { touch(m); rest(400); _exit(0); }
        while (wait(NULL) > 0) { }
    }
    if (!strcmp(what, "forks")) {
        int made = 0;
        while (made < 1000) {
            pid_t pid = fork();
            if (pid == 0) { pause(); _exit(0); }
            if (pid < 0) break;
            made++;
        }
        printf("%d\n", made);
    }
    if (!strcmp(what, "leave")) /* processes and files behind */
        if (fork() == 0) { setsid(); put(open("left", O_WRONLY | O_CREAT, 0600), 1000); pause(); }
    return 0;
}
