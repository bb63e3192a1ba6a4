/* Tries: to map and touch private memory without end, locked where it may be. Must: meet the memory
 * limit. */
#include "attempt.h"
int main(void)
{
    mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
    for (;;) {
        char *block = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block != MAP_FAILED) touch(block, 1 << 20);
        else munlockall();
    }
}
