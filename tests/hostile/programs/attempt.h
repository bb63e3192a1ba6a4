/* What the hostile programs share: noting what was tried, and saying whether any of it worked. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int n_through;

/* Notes one attempt: a result of 0 or more means that it worked, which it must not. */
static inline long attempt(const char *what, long result)
{
    if (result >= 0) {
        printf("GOT THROUGH: %s (%ld)\n", what, result);
        n_through++;
    }
    return result;
}

/* The last line of every such program. */
static inline int report(void)
{
    puts(n_through ? "not all refused" : "all refused");
    fflush(stdout);
    return 0;
}

static inline void burn_ms(long ms)
{
    struct timespec now;
    do {
        for (volatile int i = 0; i < 10000; i++) {}
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < ms);
}

/* One name for all runs of a cell: where the network is the host's, cells differ by their process. */
static inline struct sockaddr_un abstract_name(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path + 1, 22, "left-%016d", getppid());
    return name;
}

/* Waits until `count` others have written to this pipe, or nothing has been heard of them for long. */
static inline void await_all(int fd, int count)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char byte;
    while (count-- && poll(&ready, 1, 3000) == 1 && read(fd, &byte, 1) == 1) {}
    usleep(400000); /* where memory is sampled, a sample must fall into what they hold together */
}

static inline void touch(char *at, size_t size)
{
    for (size_t i = 0; i < size; i += 4096) at[i] = 1;
}
