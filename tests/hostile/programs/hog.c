/* Tries: `hog take`: to hold all that the kernel counts for a user or for the whole machine, so that others
 * get nothing. `hog use`: to use a little of each, as honest programs do. Must: `use` works meanwhile. */
#include "attempt.h"
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/timerfd.h>

static const sigset_t *real_time(void)
{
    static sigset_t set;
    sigaddset(&set, SIGRTMIN + 3);
    return &set;
}

/* Each takes one more, and returns a negative number where there is none. */
static long one_signal(void) { return sigqueue(getpid(), SIGRTMIN + 3, (union sigval){0}); }

static long one_timer(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

static long one_locked_page(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1 : mlock(page, 4096);
}

/* Wide enough for what is written at once; those of a user who has many are small. */
static long one_pipe(void)
{
    int ends[2];
    if (pipe(ends)) return -1;
    return fcntl(ends[1], F_GETPIPE_SZ) < 65536 ? -1 : 0;
}

static int at_once = 1; /* descriptors in a message */

static long one_descriptor_in_flight(void)
{
    static int ends[2] = {-1, -1};
    char byte = 0, control[CMSG_SPACE(sizeof(int) * 100)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_SPACE(sizeof(int) * at_once)};
    if (ends[0] < 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, ends)) return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int) * at_once);
    for (int i = 0; i < at_once; i++) ((int *)CMSG_DATA(head))[i] = 0;
    long sent = sendmsg(ends[1], &message, MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) { /* this socket is full */
        ends[0] = -1;
        return one_descriptor_in_flight();
    }
    return sent;
}

static long one_watch_of_epoll(void)
{
    static int all = -1;
    struct epoll_event event = {.events = EPOLLIN};
    if (all < 0) all = epoll_create1(0);
    int fd = eventfd(0, 0);
    return fd < 0 ? -1 : epoll_ctl(all, EPOLL_CTL_ADD, fd, &event);
}

static long one_descriptor_of_a_timer(void) { return timerfd_create(CLOCK_MONOTONIC, 0); }
static long one_memory_file(void) { return memfd_create("hog", 0); }
static long one_terminal(void) { return open("/dev/ptmx", O_RDWR | O_NOCTTY); }
static long one_process(void)
{
    int child = fork();
    if (child == 0) for (;;) pause();
    return child;
}

/* What only the host's programs can use: a candidate is refused each. */
static long one_inotify(void) { return inotify_init1(0); }
static long one_key(void)
{
    static int number;
    char name[16];
    snprintf(name, sizeof name, "hog%d", number++);
    return syscall(SYS_add_key, "user", name, "x", 1, KEY_SPEC_PROCESS_KEYRING);
}
static long one_shared_memory(void)
{
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    if (id >= 0) shmctl(id, IPC_RMID, NULL);
    return id;
}
static long one_ring(void)
{
    char parameters[256] = {0};
    return syscall(SYS_io_uring_setup, 8, parameters);
}
static long one_asynchronous_context(void)
{
    unsigned long context = 0;
    return syscall(SYS_io_setup, 64, &context);
}

static const struct { const char *name; long (*one)(void); int most, is_for_the_host; } QUOTAS[] = {
    {"signals", one_signal, 1 << 17, 0},
    {"timers", one_timer, 1 << 17, 0},
    {"locked pages", one_locked_page, 4096, 0},
    {"pipes", one_pipe, 400, 0},
    {"descriptors in flight", one_descriptor_in_flight, 1 << 12, 0},
    {"epoll", one_watch_of_epoll, 1 << 12, 0},
    {"timer descriptors", one_descriptor_of_a_timer, 1 << 12, 0},
    {"memory files", one_memory_file, 1 << 12, 0},
    {"terminals", one_terminal, 1 << 12, 1},
    {"processes", one_process, 1 << 12, 0},
    {"inotify", one_inotify, 1 << 12, 1},
    {"keys", one_key, 1 << 12, 1},
    {"shared memory", one_shared_memory, 64, 1},
    {"rings", one_ring, 64, 1},
    {"asynchronous contexts", one_asynchronous_context, 1 << 14, 1},
};
enum { N_QUOTAS = sizeof QUOTAS / sizeof *QUOTAS, MOST_CHILDREN = 12 };

static void take(int quota)
{
    for (int i = 0; i < QUOTAS[quota].most; i++)
        if (QUOTAS[quota].one() < 0) break;
}

int main(int argc, char **argv)
{
    int takes = argc > 1 && !strcmp(argv[1], "take");
    if (takes) at_once = 100;
    int on_host = argc > 2 && !strcmp(argv[2], "on the host");
    sigprocmask(SIG_BLOCK, real_time(), NULL);
    for (int quota = 0; quota < N_QUOTAS; quota++) {
        if (takes) {
            int several = QUOTAS[quota].one == one_process ? 1 : MOST_CHILDREN / 6; /* limits of one process */
            for (int i = 0; i < several; i++)
                if (fork() == 0) {
                    take(quota);
                    for (;;) pause();
                }
        } else if (QUOTAS[quota].is_for_the_host ? on_host : 1) {
            for (int i = 0; i < 4; i++)
                if (QUOTAS[quota].one() < 0) {
                    printf("none left: %s (%s)\n", QUOTAS[quota].name, strerror(errno));
                    break;
                }
        }
    }
    if (takes) for (;;) pause();
    puts("end");
    fflush(stdout);
    if (on_host) kill(0, SIGKILL); /* and the processes that were made */
    return 0;
}
