/* Tries: to change its own executable, which later runs share. Must: be refused; the next run of it
 * prints the same. */
#include "attempt.h"
static const char mark[] = "original";
int main(void)
{
    puts(mark);
    attempt("opening it", open("/proc/self/exe", O_RDWR));
    attempt("truncating it", truncate("/proc/self/exe", 0));
    int fd = open("/proc/self/exe", O_RDONLY);
    if (fd >= 0) {
        attempt("writing to it", write(fd, "x", 1));
        attempt("mapping it for writing", mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0);
        attempt("truncating it by descriptor", ftruncate(fd, 0));
        char *shared = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
        int memory = open("/proc/self/mem", O_RDWR);
        if (shared != MAP_FAILED && memory >= 0)
            attempt("writing past its protection", pwrite(memory, "XXXX", 4, (off_t)(uintptr_t)shared));
        if (memory >= 0 && pwrite(memory, "replaced", 8, (off_t)(uintptr_t)mark) < 0) {} /* a private copy */
        attempt("making a shared map writable", shared == MAP_FAILED ? -1 : mprotect(shared, 4096, PROT_READ | PROT_WRITE));
    }
    return report();
}
