/* Tries: to leave files, locks, shared memory, semaphores, queues and sockets for the next run to
 * find. Must: be gone, or refused. */
#include "attempt.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/xattr.h>
int main(void)
{
    static const char *const names[] = {"left", "/tmp/left", "/dev/shm/left", "/dev/shm/sem.left"};
    for (int i = 0; i < 4; i++) {
        int fd = open(names[i], O_CREAT | O_RDWR, 0666);
        if (fd < 0) continue;
        if (write(fd, "secret", 6) != 6) return 1;
        flock(fd, LOCK_EX | LOCK_NB);
        attempt("an attribute", fsetxattr(fd, "user.note", "secret", 6, 0));
    }
    attempt("an attribute of the work folder", setxattr(".", "user.note", "secret", 6, 0));
    attempt("an attribute of the temporary folder", setxattr("/tmp", "user.note", "secret", 6, 0));
    attempt("shared memory", shmget(0x1234, 4096, IPC_CREAT | 0666));
    attempt("a semaphore", semget(0x1234, 1, IPC_CREAT | 0666));
    attempt("a queue", msgget(0x1234, IPC_CREAT | 0666));
    attempt("a posix queue", syscall(SYS_mq_open, "left", O_CREAT | O_RDWR, 0666, NULL));
    attempt("a key", syscall(SYS_add_key, "user", "left", "secret", 6, -3));
    attempt("a key ring", syscall(SYS_keyctl, 1, "left"));
    struct sockaddr_un name = abstract_name();
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (fd >= 0) bind(fd, (struct sockaddr *)&name, 24);
    return report();
}
