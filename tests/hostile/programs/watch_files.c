/* Tries: to learn what others do with their files, by inotify, notices and leases, and to use up what the
 * kernel keeps for that: instances and watches, epoll, event and signal descriptors, timers. Must: learn
 * nothing and leave nothing behind. */
#include "attempt.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
int main(void)
{
    for (int i = 0; i < 200; i++) {
        int fd = inotify_init1(IN_NONBLOCK);
        if (fd < 0) break;
        inotify_add_watch(fd, ".", IN_ALL_EVENTS);
        inotify_add_watch(fd, "/tmp", IN_ALL_EVENTS);
        close(open("watched", O_CREAT | O_WRONLY, 0600));
        inotify_add_watch(fd, "watched", IN_ALL_EVENTS);
        unlink("watched");
    }
    int shared = open("/usr/bin", O_RDONLY);
    attempt("notices of a folder", fcntl(shared, F_NOTIFY, DN_ACCESS | DN_MODIFY | DN_MULTISHOT));
    attempt("a lease", fcntl(open("/proc/self/exe", O_RDONLY), F_SETLEASE, F_RDLCK));
    int poll_fd = epoll_create1(0);
    for (int i = 0; i < 700; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        int fd = i % 2 ? eventfd(0, 0) : timerfd_create(CLOCK_MONOTONIC, 0);
        if (fd < 0 || epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event)) break;
    }
    return report();
}
