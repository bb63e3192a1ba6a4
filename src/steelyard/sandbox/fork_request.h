/* What a cell asks of its fork server for each run (see _wire.py), on descriptor 3 of the server. */
#include <stdint.h>

enum { FORK_MAGIC = 0x41535931, FORK_FDS = 4 };

/* The status of a process that could not be set up. A program may end with it too; but it begins only once
 * its process leads a session of its own, which no process can give up. */
enum { SETUP_FAILED = 121 };

struct fork_request {
    uint32_t magic, argc;      /* argv follows, each string with its NUL; none: exit at once */
    int32_t uid;               /* to become, and to give up all capabilities; -1: stay as it is */
    uint32_t processes;
    uint64_t cpu_s, stack_bytes, file_bytes;
};
