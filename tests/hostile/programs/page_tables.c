/* Tries: to use memory that is no process's own: page tables of a huge sparse mapping that it only
 * reads. Must: meet the memory limit where a control group counts. */
#include "attempt.h"
int main(void)
{
    size_t size = (size_t)1 << 40;
    volatile char *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise((void *)at, size, MADV_NOHUGEPAGE);
    if (at == MAP_FAILED) return 1;
    for (size_t i = 0; i < (size_t)200 << 30; i += 2 << 20) (void)at[i];
    puts("end");
    return 0;
}
