/* Tries: to hide a peak of 100 MiB by giving it all back before it ends. Must: count at its peak. */
#include "attempt.h"
int main(void)
{
    size_t size = 100 << 20;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    touch(block, size);
    munmap(block, size);
    puts("gave it back");
    return 0;
}
