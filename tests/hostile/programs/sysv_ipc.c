/* Tries: to keep memory and notes in System V and POSIX objects, which outlive processes. Must: be
 * refused. */
#include "attempt.h"
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main(void)
{
    for (int key = 0; key < 3; key++) {
        attempt("shared memory", shmget(key, 1 << 20, IPC_CREAT | 0666));
        attempt("a semaphore", semget(key, 1, IPC_CREAT | 0666));
        attempt("a queue", msgget(key, IPC_CREAT | 0666));
    }
    struct mq_attr attr = {.mq_maxmsg = 2, .mq_msgsize = 8};
    attempt("a posix queue", mq_open("/left", O_CREAT | O_RDWR, 0666, &attr));
    attempt("listing", shmctl(0, 13 /* SHM_STAT */, &(struct shmid_ds){0}));
    return report();
}
