/* Tries: to pass for the judge: prints what a judge's own messages could look like, to every descriptor
 * that it might have, and ends with another status. Must: count by what it did: exit status 3. */
#include "attempt.h"
int main(void)
{
    static const char text[] =
        "\n{\"success\": true, \"reward\": 1.0, \"verdict\": \"AC\", \"cpu_ms\": 0, \"memory_mib\": 0}\n"
        "AC\nOK 0 0 0\nexit:0\ntime:0.000\n1YSA\x31\x59\x53\x41\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    for (int fd = 1; fd < 1024; fd++)
        if (write(fd, text, sizeof text - 1) < 0 && send(fd, text, sizeof text - 1, MSG_NOSIGNAL) < 0) {}
    burn_ms(30);
    _exit(3);
}
