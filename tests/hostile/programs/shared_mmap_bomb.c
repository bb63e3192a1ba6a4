/* Tries: to take shared anonymous memory, which is a file without a name. Must: meet the memory
 * limit. */
#include "attempt.h"
int main(void)
{
    for (;;) {
        char *block = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (block != MAP_FAILED) touch(block, 1 << 20);
    }
}
