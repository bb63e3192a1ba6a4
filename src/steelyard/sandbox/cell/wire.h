/* The messages between the cell and its parent; _wire.py is the other side.
 *
 * A part of cell.c, which includes it once. */

enum { MAGIC = 0x41535931, MAX_MESSAGE = 160 * 1024, MAX_INLINE = 64 * 1024, MAX_FDS = 240, MAX_STRINGS = 8192 };
enum { SOCKET_FD = 3, MAX_GRACE = 9 };

enum setup_flag { ROOT_MAP = 1, CGROUP_V1 = 2, CGROUP_V2 = 4, PINNED = 8, LANDLOCK = 16, CONTAINED = 32 };

struct setup {
    uint32_t version, flags, namespaces; /* version: the digest of _wire.py */
    int32_t cpu;               /* the core to keep to, or -1 */
    uint64_t scratch_bytes;
    uint32_t scratch_inodes;
    uint32_t outer_uid;        /* with ROOT_MAP: ids outside are this and the next */
    uint32_t own_uid, own_gid; /* the caller's ids, for the map of an ordinary user */
    uint32_t n_mounts;         /* pairs of strings: source, target */
    uint32_t n_filter;         /* struct sock_filter records ahead of the strings */
    uint32_t n_join;           /* leading descriptors: cgroup.procs files to enter */
    uint32_t string_bytes;
};

struct ready {
    uint32_t magic;
    int32_t error;             /* errno, or 0 */
    uint32_t namespaces;       /* those in force */
    uint32_t landlock_abi;     /* 0: not in force */
    char stage[64];            /* where it failed */
};

enum request_flag { HAS_EXECUTABLE = 1, HAS_STDIN = 2, START_SERVER = 4, FORKED = 8, HAS_CHANNEL = 16, FIXED_ADDRESSES = 32 };

struct request {
    uint32_t magic, flags, sequence;
    uint32_t argc, envc, n_files, n_collect;
    uint32_t processes;
    uint64_t cpu_ns, wall_ns, memory_bytes, slack_bytes, stack_bytes, file_bytes;
    uint32_t string_bytes;
    uint32_t stdin_bytes;      /* after the strings; without HAS_STDIN this is all of it */
};

enum stop { ENDED = 0, CPU_LIMIT = 1, WALL_LIMIT = 2, MEMORY_LIMIT = 3, NOT_STARTED = 4, NOT_PLACED = 5 };

enum reply_flag { OUTPUTS_PASSED = 1, SERVER_GONE = 2 };

struct reply {
    uint32_t magic, sequence, flags, waited_ms;
    int32_t stop, wait_status, error;
    uint32_t collected;        /* bit i: the i-th file to collect came back */
    uint64_t wall_ns, cpu_ns, memory_bytes, max_rss_bytes, stdout_bytes, stderr_bytes;
};                             /* then the outputs, unless they are passed as descriptors */
