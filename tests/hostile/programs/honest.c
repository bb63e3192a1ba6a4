/* An honest program: reads a number, works for a few ms, touches 32 MiB, answers. Its answer, time and
 * memory must be the same before and after every attack. */
#include "attempt.h"
int main(void)
{
    unsigned long n = 0, sum = 0;
    if (scanf("%lu", &n) != 1) return 1;
    static unsigned char sieve[32 << 20];
    memset(sieve, 1, sizeof sieve);
    for (unsigned long i = 2; i < n; i++) {
        if (!sieve[i]) continue;
        sum += i;
        for (unsigned long k = i * i; k < n; k += i) sieve[k] = 0;
    }
    printf("%lu\n", sum);
    return 0;
}
