/* Tries: to end at once while children go on burning processor time. Must: count as ended, with the
 * children gone. */
#include "attempt.h"
int main(void)
{
    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            for (;;) {}
    return 0;
}
