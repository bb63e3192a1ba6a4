/* Tries: to hide 120 ms of processor time in grandchildren that process 1 inherits. Must: be counted:
 * at least 100 ms. */
#include "attempt.h"
int main(void)
{
    int gate[2];
    char byte;
    if (pipe(gate)) return 1;
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            if (fork() == 0) burn_ms(30);
            _exit(0);
        }
    close(gate[1]);
    while (read(gate[0], &byte, 1) > 0) {}
    while (wait(NULL) > 0) {}
    puts("done");
    return 0;
}
