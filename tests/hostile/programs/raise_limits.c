/* Tries: to raise its own limits. Must: be refused. */
#include "attempt.h"
int main(void)
{
    /* that of core files is for outside_help.c: it is said to be raised, and is not */
    static const int kinds[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MSGQUEUE};
    for (int i = 0; i < 6; i++) {
        struct rlimit bound;
        getrlimit((__rlimit_resource_t)kinds[i], &bound);
        struct rlimit more = {bound.rlim_max, bound.rlim_max + 1}, all = {RLIM_INFINITY, RLIM_INFINITY};
        char what[32];
        snprintf(what, sizeof what, "limit %d", kinds[i]);
        if (bound.rlim_max == RLIM_INFINITY) {
            attempt(what, 0);
            continue;
        }
        attempt(what, setrlimit((__rlimit_resource_t)kinds[i], &more));
        attempt(what, prlimit(0, (__rlimit_resource_t)kinds[i], &all, NULL));
        attempt(what, prlimit(getpid(), (__rlimit_resource_t)kinds[i], &all, NULL));
    }
    return report();
}
