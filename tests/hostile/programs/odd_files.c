/* Tries: to leave every kind of file that may be made: links to files and folders of the host, loops,
 * pipes, sockets, device nodes, hard links, holes, names that look like the cell's own. Must: be
 * gone before the next run, and no target of a link be touched. */
#include "attempt.h"
int main(void)
{
    if (symlink("/etc/passwd", "passwd") || symlink("/usr", "usr") || symlink(".", "loop")
        || symlink("..", "up") || symlink("/proc/self/root", "root")) return 1;
    if (mkdir("folder", 0700) || symlink("/usr/bin", "folder/bin") || symlink("folder", "alias")) return 1;
    if (mkfifo("pipe", 0600)) return 1;
    mknod("whiteout", S_IFCHR | 0600, 0);
    attempt("a device", mknod("null", S_IFCHR | 0600, 0x103));
    attempt("a block device", mknod("disk", S_IFBLK | 0600, 0x800));
    close(open("hole", O_CREAT | O_RDWR, 0600));
    if (truncate("hole", 4 << 20) || link("hole", "folder/hole")) return 1;
    attempt("a hard link to the host's file", link("/usr/bin/env", "env"));
    for (int pid = 1; pid < 40; pid++)
        for (int i = 0; i < 20; i++) {
            char name[64];
            snprintf(name, sizeof name, ".moved-%d-%d", pid, i);
            if (mkdir(name, 0700)) continue;
            if (i % 2) close(openat(AT_FDCWD, strcat(name, "/x"), O_CREAT | O_WRONLY, 0));
        }
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0) bind(fd, (struct sockaddr *)&name, sizeof name);
    char odd[] = "odd \n\t\"'\\\x01\xff\xfe";
    close(open(odd, O_CREAT | O_WRONLY, 0));
    return report();
}
