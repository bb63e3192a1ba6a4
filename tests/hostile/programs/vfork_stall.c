/* Tries: to be in a wait that cannot be interrupted by ordinary signals: the parent of a vfork whose
 * child sleeps. Must: meet the wall limit. */
#include "attempt.h"
int main(void)
{
    if (vfork() == 0) for (;;) pause();
    return 0;
}
