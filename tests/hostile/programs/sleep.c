/* Tries: to sleep for ever. Must: meet the wall limit. */
#include "attempt.h"
int main(void) { for (;;) pause(); }
