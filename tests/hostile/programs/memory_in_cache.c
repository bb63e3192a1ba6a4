/* Tries: to raise the base that memory is measured against by the page cache of files that it may read
 * ("leave"), and to drop that cache in the middle of a later run ("spend"), in order to use that much
 * more. Must: buy nothing: the later run meets the memory limit. */
#include "attempt.h"
#include <ftw.h>
static long budget = 40 << 20;
static int drop_only;
static int visit(const char *path, const struct stat *st, int kind, struct FTW *unused)
{
    static char block[1 << 16];
    (void)unused;
    if (kind != FTW_F || st->st_size < 1 << 20) return 0;
    int fd = open(path, O_RDONLY | O_NOFOLLOW);
    if (fd < 0) return 0;
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    for (ssize_t size; !drop_only && (size = read(fd, block, sizeof block)) > 0;) budget -= size;
    if (drop_only) budget -= st->st_size;
    close(fd);
    return budget < 0;
}
int main(int argc, char **argv)
{
    int gate[2], ready[2];
    char byte;
    drop_only = argc > 1 && !strcmp(argv[1], "spend");
    nftw("/usr/lib", visit, 20, FTW_PHYS);
    if (!drop_only || pipe(gate) || pipe(ready)) return 0;
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            char *block = mmap(NULL, 7600 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            touch(block, 7600 << 10);
            close(gate[1]);
            if (write(ready[1], "x", 1) != 1) _exit(1);
            if (read(gate[0], &byte, 1)) {}
            _exit(0);
        }
    close(ready[1]);
    await_all(ready[0], 10);
    close(gate[1]);
    while (wait(NULL) > 0) {}
    return 0;
}
