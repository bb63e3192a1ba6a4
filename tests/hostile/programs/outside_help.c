/* Tries: to have the host work for it (a core handler), to use memory that is charged to nobody (huge
 * pages), and to watch which files others open. Must: be refused. */
#include "attempt.h"
#include <linux/memfd.h>
#include <sys/inotify.h>
int main(void)
{
    struct rlimit before, core, none = {0, 0};
    getrlimit(RLIMIT_CORE, &before);
    setrlimit(RLIMIT_CORE, &none);
    getrlimit(RLIMIT_CORE, &core);
    attempt("the core limit at which a handler is started", core.rlim_cur == before.rlim_cur ? -1 : 0);
    prlimit(0, RLIMIT_CORE, &none, NULL);
    getrlimit(RLIMIT_CORE, &core);
    attempt("the core limit, the other way", core.rlim_max == before.rlim_max ? -1 : 0);
    void *huge = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    attempt("a huge page", huge == MAP_FAILED && errno == ENOMEM ? -1 : 0);
    attempt("a file of huge pages", syscall(SYS_memfd_create, "huge", MFD_HUGETLB));
    attempt("a watch", inotify_init1(0));
    return report();
}
