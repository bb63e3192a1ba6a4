/* Tries: to write without end to standard error. Must: meet the output limit. */
#include "attempt.h"
int main(void)
{
    static char block[1 << 16];
    for (;;) if (write(2, block, sizeof block) < 0) return 0;
}
