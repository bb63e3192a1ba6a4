/* Tries: to end its first thread only, while another goes on. Must: meet a limit. */
#include "attempt.h"
static void *spin(void *unused) { for (;;) {} return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    pthread_exit(NULL);
}
