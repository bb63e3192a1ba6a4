/* Tries: to take memory from the heap without end. Must: meet the memory limit. */
#include "attempt.h"
int main(void)
{
    for (;;) {
        char *block = malloc(1 << 20);
        if (block) touch(block, 1 << 20);
    }
}
