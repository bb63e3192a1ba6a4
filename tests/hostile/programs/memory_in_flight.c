/* Tries: to leave memory behind in files that only two sockets in flight to each other hold, one of
 * them in the scratch folder: first 40 MiB ("leave"), and later ("spend") to free them in the middle
 * of a run that was measured against the raised base, and to use that much more. Must: leave no
 * trace in the next run's figures; the second run meets the memory limit. */
#include "attempt.h"
static void pass(int to, const int *fds, int count)
{
    union { char bytes[CMSG_SPACE(4 * sizeof(int))]; struct cmsghdr align; } control = {0};
    struct iovec part = {"x", 1};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                          .msg_controllen = CMSG_SPACE((size_t)count * sizeof(int))};
    struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    sendmsg(to, &head, 0);
}
static int leave(const char *left)
{
    static char block[1 << 20];
    int ends[2], memory[6] = {0};
    touch(block, sizeof block);
    for (int n = 0; n < 6; n++) {
        memory[n] = n == 5 && left ? open(left, O_CREAT | O_RDWR, 0600) : memfd_create("hoard", 0);
        for (int i = 0; i < 7; i++)
            if (write(memory[n], block, sizeof block) < 0) return 1;
    }
    if (left) unlink(left);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    for (int n = 0; n < 6; n += 2) {
        pass(ends[0], (int[]){ends[0], ends[1], memory[n], memory[n + 1]}, 4);
        pass(ends[1], (int[]){ends[0], ends[1], memory[n], memory[n + 1]}, 4);
    }
    return 0;
}
static int spend(void)
{
    int gate[2], ready[2];
    char byte;
    close(socket(AF_UNIX, SOCK_DGRAM, 0));
    usleep(20000);
    if (pipe(gate) || pipe(ready)) return 1;
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            char *block = mmap(NULL, 7600 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            touch(block, 7600 << 10);
            close(gate[1]);
            if (write(ready[1], "x", 1) != 1) _exit(1);
            if (read(gate[0], &byte, 1)) {}
            _exit(0);
        }
    close(ready[1]);
    await_all(ready[0], 10);
    close(gate[1]);
    while (wait(NULL) > 0) {}
    return 0;
}
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "spend")) return spend();
    return leave(argc > 1 ? NULL : "left");
}
