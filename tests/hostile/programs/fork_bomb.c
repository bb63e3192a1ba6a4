/* Tries: to fork without end, every child alike. Must: be held to the process limit, be ended at a
 * limit, and be gone with all its children. */
#include "attempt.h"
int main(void)
{
    for (;;) fork();
}
