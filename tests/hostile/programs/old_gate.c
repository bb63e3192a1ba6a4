/* Tries: to get round the filter by the 32-bit gate (int 0x80), whose numbers mean other calls: 26 is
 * ptrace there and msync here. Must: be ended at once by SIGSYS. */
#include "attempt.h"
int main(void)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L /* getpid */), "b"(0L) : "memory");
    printf("GOT THROUGH: %ld\n", result);
    return 0;
}
