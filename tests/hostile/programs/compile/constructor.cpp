// Tries: to win by code that runs before main, or instead of it. Must: compile, and run as any program:
// its exit status is what counts.
#include <cstdio>
#include <unistd.h>
__attribute__((constructor)) static void early() { puts("early"); fflush(stdout); _exit(7); }
int main() { return 0; }
