/* Tries: to wait stopped for ever, by its own signal. Must: meet the wall limit. */
#include "attempt.h"
int main(void)
{
    raise(SIGSTOP);
    raise(SIGTSTP);
    puts("went on");
}
