/* Tries: to start threads until it is refused. Must: be refused at the process limit; it prints how
 * many it got. */
#include "attempt.h"
static void *idle(void *unused) { for (;;) pause(); return unused; }
int main(void)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 16384);
    int count = 0;
    for (pthread_t thread; count < 5000 && pthread_create(&thread, &attr, idle, NULL) == 0;) count++;
    printf("%d\n", count);
    fflush(stdout);
    _exit(0);
}
