/* Tries: to leave what only its owner may remove: files in sticky folders, folders without any
 * permission, set-id bits. Must: be gone before the next run. */
#include "attempt.h"
static void fill(int depth, mode_t mode)
{
    for (int i = 0; i < 3; i++) {
        char name[8] = {(char)('a' + i)};
        if (depth == 4 || mkdir(name, 0700)) {
            close(open(name, O_CREAT | O_WRONLY, 0));
            continue;
        }
        if (chdir(name)) _exit(2);
        fill(depth + 1, mode);
        if (chdir("..")) _exit(2);
        chmod(name, mode);
    }
}
int main(void)
{
    static const char *const folders[] = {"/w", "/tmp", "/dev/shm", "."};
    static const mode_t modes[] = {01777, 0, 07000, 07111};
    for (int i = 0; i < 4; i++)
        for (int m = 0; m < 4; m++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%d%d", folders[i], i, m);
            if (mkdir(name, 0700) || chdir(name)) continue;
            fill(0, modes[m]);
            if (chdir("..")) return 2;
            chmod(name, modes[m]);
        }
    puts("left");
    return 0;
}
