/* Tries: to use up all inodes, with names of the greatest length. Must: be bounded; nothing stays. */
#include "attempt.h"
int main(void)
{
    char name[256];
    for (int number = 0; number < 70000; number++) {
        memset(name, 'n', 250);
        snprintf(name, 10, "%08d", number);
        name[8] = '-';
        name[250] = 0;
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        if (fd < 0) break;
        close(fd);
    }
    puts("end");
    return 0;
}
