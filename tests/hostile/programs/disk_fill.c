/* Tries: to fill the scratch folders with files of the size that is allowed. Must: be bounded, by the
 * memory limit or the folders' own; and leave nothing. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    for (int number = 0; number < 40; number++) {
        char name[32];
        snprintf(name, sizeof name, "fill-%d", number);
        int fd = open(name, O_CREAT | O_WRONLY, 0600), count = 0;
        while (fd >= 0 && count++ < 8 && write(fd, block, sizeof block) > 0) {}
        close(fd);
    }
    puts("end");
    return 0;
}
