/* Tries: to outlive its parent as a daemon (double fork, own session, all signals ignored) and to
 * write into the output and the scratch folders of the next run. Must: be gone with the run. */
#include "attempt.h"
int main(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
            for (int i = 0;; i++) {
                char name[32];
                snprintf(name, sizeof name, "daemon-%d", i % 50);
                int fd = open(name, O_CREAT | O_WRONLY, 0644);
                if (fd >= 0) close(fd);
                usleep(300);
            }
        }
        _exit(0);
    }
    wait(NULL);
    usleep(5000);
    puts("parent done");
    return 0;
}
