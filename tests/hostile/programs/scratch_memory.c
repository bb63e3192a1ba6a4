/* Tries: to keep 100 MiB in files of the scratch folders. Must: count as memory where a control group
 * counts. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 20];
    static const char *const folders[] = {".", "/tmp", "/dev/shm"};
    touch(block, sizeof block);
    for (int count = 0; count < 100; count++) {
        char name[64];
        snprintf(name, sizeof name, "%s/hoard-%d", folders[count % 3], count / 6);
        int fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
        if (fd < 0) continue; /* a folder that this level does not have */
        if (write(fd, block, sizeof block) < 0) break;
        close(fd);
    }
    puts("all kept");
    return 0;
}
