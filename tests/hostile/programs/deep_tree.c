/* Tries: to leave a tree of folders that is deeper than any path, so that what walks it runs out of
 * stack, descriptors or path length. Must: be gone before the next run. */
#include "attempt.h"
int main(void)
{
    int depth = 0;
    for (; depth < 5000; depth++)
        if (mkdir("d", 0700) || chdir("d")) break;
    int fd = open("bottom", O_CREAT | O_WRONLY, 0);
    printf("%s\n", depth >= 3000 && fd >= 0 ? "deep" : "shallow");
    return 0;
}
