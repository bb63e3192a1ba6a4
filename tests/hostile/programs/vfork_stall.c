/* Tries: to be in a wait that cannot be interrupted by ordinary signals: the parent of a vfork whose
 * child sleeps, be that a process or a thread. Must: meet the wall limit. */
#include "attempt.h"
static int forever(void *unused)
{
    (void)unused;
    for (;;) pause();
    return 0;
}
int main(void)
{
    static char stack[1 << 16];
    clone(forever, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK, NULL);
    if (vfork() == 0) for (;;) pause();
    return 0;
}
