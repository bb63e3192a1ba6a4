/* An honest program that opens its standard streams by name, as scripts like to do, and copies one to the
 * other. */
#include "attempt.h"
int main(void)
{
    char block[256];
    int in = open("/dev/stdin", O_RDONLY), out = open("/dev/stdout", O_WRONLY), err = open("/dev/stderr", O_WRONLY);
    if (in < 0 || out < 0 || err < 0) return 1;
    for (ssize_t size; (size = read(in, block, sizeof block)) > 0;)
        if (write(out, block, (size_t)size) != size) return 2;
    return 0;
}
