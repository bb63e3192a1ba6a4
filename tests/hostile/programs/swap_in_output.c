/* Tries: to use its streams as memory that is not counted: opens them by name for reading and writing,
 * reads back, maps, copies out of them, grows them by size and by blocks, beside 60 MiB of its own.
 * Must: be refused, or count all of it. */
#include "attempt.h"
#include <sys/sendfile.h>
enum { SHARE = 7 << 20, OWN = 60 << 20 };
static char pattern[4096];

static int reads_back(int fd)
{
    char back[sizeof pattern];
    return pread(fd, back, sizeof back, 0) == sizeof back && back[0] == pattern[0] ? 0 : -1;
}

/* Whether what is written through `fd` can be had again by any means; fills it if so. */
static void use(int fd)
{
    int pipes[2], scratch = memfd_create("scratch", 0);
    loff_t at = 0;
    off_t start = 0;
    if (pipe(pipes) || pwrite(fd, pattern, sizeof pattern, 0) != sizeof pattern) return; /* no memory to be had */
    int through = n_through;
    attempt("reading back", reads_back(fd));
    void *map = mmap(NULL, SHARE, PROT_READ, MAP_SHARED, fd, 0);
    attempt("mapping it", map == MAP_FAILED ? -1 : 0);
    void *writable = mmap(NULL, SHARE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    attempt("mapping it for writing", writable == MAP_FAILED ? -1 : 0);
    attempt("mapping it privately", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0);
    attempt("copying a range", copy_file_range(fd, &at, scratch, NULL, 4096, 0));
    attempt("sending it", sendfile(scratch, fd, &start, 4096));
    attempt("splicing it", splice(fd, &at, pipes[1], NULL, 4096, 0));
    close(pipes[0]);
    close(pipes[1]);
    close(scratch);
    if (n_through == through) {
        if (ftruncate(fd, 0)) {} /* it is an output and nothing else */
        return;
    }
    if (ftruncate(fd, SHARE) == 0 && writable != MAP_FAILED) touch(writable, SHARE);
    for (off_t done = 0; done < SHARE; done += sizeof pattern)
        if (pwrite(fd, pattern, sizeof pattern, done) < 0) break;
    fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, SHARE);
}

int main(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR}; /* what is found to be no memory is emptied */
    memset(pattern, 'x', sizeof pattern);
    setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16); /* what it says is not to mix with the pattern */
    for (int fd = 0; fd < 3; fd++) {
        char name[32];
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        use(fd);
        fchmod(fd, 0666);
        chmod(name, 0666);
        for (int mode = 0; mode < 3; mode++) {
            int again = open(name, modes[mode]);
            if (again < 0) continue;
            if (fd ? modes[mode] != O_WRONLY : modes[mode] != O_RDONLY) attempt("opening it by name", 0);
            use(again);
            lseek(fd, 0, SEEK_SET);
        }
    }
    if (!n_through) return report();
    char *own = malloc(OWN);
    touch(own, OWN);
    if (ftruncate(1, 0)) {}
    lseek(1, 0, SEEK_SET);
    return report();
}
