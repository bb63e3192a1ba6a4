/* Tries: to make the judge read a huge output that cost it nothing: a sparse one, with the signal
 * ignored. Must: be refused past the output limit. */
#include "attempt.h"
int main(void)
{
    signal(SIGXFSZ, SIG_IGN);
    attempt("a terabyte", ftruncate(1, (off_t)1 << 40));
    attempt("a byte far out", pwrite(1, "x", 1, (off_t)1 << 40));
    attempt("a terabyte of errors", ftruncate(2, (off_t)1 << 40));
    return report();
}
