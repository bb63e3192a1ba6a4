/* Tries: to write without end to standard output. Must: meet the output limit. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (;;) if (write(1, block, sizeof block) < 0) return 0;
}
