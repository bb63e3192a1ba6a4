/* Tries: to make pseudo-terminals until there are none left. Must: get none. */
#include "attempt.h"
int main(void)
{
    for (int i = 0; i < 10; i++) attempt("a pseudo-terminal", posix_openpt(O_RDWR | O_NOCTTY));
    return report();
}
