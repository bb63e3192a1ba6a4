/* Tries: to leave a note in what the scratch folders themselves are: modes, times, owners, flags. Must:
 * find them as they were at the next run (the inspector compares). */
#include "attempt.h"
#include <linux/fs.h>
int main(void)
{
    static const char *const folders[] = {".", "/w", "/tmp", "/dev/shm", "/", "/proc/self/cwd"};
    struct timespec note[2] = {{123456789, 42}, {987654321, 24}};
    for (int i = 0; i < 6; i++) {
        int flags = 0, fd = open(folders[i], O_RDONLY | O_DIRECTORY);
        chmod(folders[i], 01731);
        utimensat(AT_FDCWD, folders[i], note, 0);
        utimensat(AT_FDCWD, folders[i], NULL, 0);
        if (fd < 0) continue;
        if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
            flags |= FS_NODUMP_FL | FS_NOATIME_FL;
            ioctl(fd, FS_IOC_SETFLAGS, &flags);
        }
        close(fd);
    }
    close(open("/tmp/x", O_CREAT | O_WRONLY, 0));
    unlink("/tmp/x");
    return 0;
}
