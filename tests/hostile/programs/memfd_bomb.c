/* Tries: to keep memory in files that are mapped nowhere. Must: meet the memory limit where a control
 * group counts; without one it goes on to the other limits. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 20];
    touch(block, sizeof block);
    for (int count = 0; count < 500; count++) {
        int fd = memfd_create("hoard", 0);
        if (fd < 0) break;
        if (write(fd, block, sizeof block) < 0) break;
    }
    puts("all kept");
    return 0;
}
