/* Tries: to make its memory executable or its kernel an old one by personality. Must: be refused, but
 * for switching address randomisation off. */
#include "attempt.h"
#include <sys/personality.h>
int main(void)
{
    attempt("readable means executable", personality(READ_IMPLIES_EXEC));
    attempt("page zero", personality(MMAP_PAGE_ZERO));
    attempt("32 bit", personality(PER_LINUX32));
    attempt("an old kernel", personality(UNAME26));
    attempt("page zero by map", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
    return report();
}
