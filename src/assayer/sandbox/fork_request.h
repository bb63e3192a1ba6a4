/* What a cell asks of its fork server for each run (see _wire.py), on descriptor 3 of the server. */
#include <stdint.h>

enum { FORK_MAGIC = 0x41535931, FORK_FDS = 4 };

struct fork_request {
    uint32_t magic, argc;      /* argv follows, each string with its NUL; none: exit at once */
    int32_t uid;               /* to become, and to give up all capabilities; -1: stay as it is */
    uint32_t processes;
    uint64_t cpu_s, stack_bytes, file_bytes;
};
