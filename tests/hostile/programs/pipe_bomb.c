/* Tries: to keep memory in the buffers of pipes and sockets. Must: meet the memory limit or be refused;
 * either way nothing stays. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 16];
    for (int count = 0; count < 480; count++) {
        int ends[2];
        if (count % 2 ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) break;
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        while (write(ends[1], block, sizeof block) > 0) {}
    }
    puts("end");
    return 0;
}
