/* Tries: to have files brought back that are not its own: the names that are collected become links,
 * pipes, folders, devices, and files in a linked folder. Must: bring back the regular files only. */
#include "attempt.h"
int main(void)
{
    if (symlink("/etc/passwd", "link") || symlink("/usr/bin/env", "link2") || symlink("/dev/zero", "zero")
        || mkfifo("pipe", 0666) || mkdir("folder", 0777) || symlink("/usr/bin", "linked")
        || symlink("/proc/self", "self") || mkdir("real", 0777)) return 1;
    mknod("whiteout", S_IFCHR | 0666, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0) bind(fd, (struct sockaddr *)&name, sizeof name);
    fd = open("real/file", O_CREAT | O_WRONLY, 0400);
    if (write(fd, "mine", 4) != 4) return 1;
    if (link("real/file", "hard") || truncate("hard", 4)) {}
    return 0;
}
