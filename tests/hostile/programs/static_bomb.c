/* Tries: to use a static array of 1 GiB. Must: meet the memory limit. */
#include "attempt.h"
static char array[1 << 30];
int main(void)
{
    touch(array, sizeof array);
    return array[12345];
}
