/* Confine the cell: Landlock where there are no namespaces, and privilege dropped.
 *
 * A part of cell.c, which includes it once. */

static void landlock_allow(const char *path, uint64_t access)
{
    struct __attribute__((packed)) { uint64_t access; int32_t fd; } rule;
    struct stat st;
    rule.fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.fd < 0) return;
    rule.access = access;
    if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.access &= 0x1 | 0x2 | 0x4 | (1u << 14); /* execute, write, read, truncate a file */
    must(syscall(NR_landlock_add_rule, landlock_rules, 1, &rule, 0));
    close(rule.fd);
}

static void make_landlock(char **mounts, const char *work)
{
    struct { uint64_t fs, net, scoped; } rules = {0};
    stage = "landlock";
    long abi = syscall(NR_landlock_create_ruleset, NULL, 0, 1);
    if (abi < 1) return;
    rules.fs = abi >= 5 ? 0xffff : abi >= 3 ? 0x7fff : abi == 2 ? 0x3fff : 0x1fff;
    rules.net = abi >= 4 ? 0x3 : 0;
    rules.scoped = abi >= 6 ? 0x3 : 0; /* abstract sockets and signals stay inside */
    landlock_rules = (int)syscall(NR_landlock_create_ruleset, &rules,
                                  abi >= 6 ? 24 : abi >= 4 ? 16 : 8, 0);
    if (landlock_rules < 0) return;
    fcntl(landlock_rules, F_SETFD, FD_CLOEXEC);
    for (uint32_t i = 0; i < setup.n_mounts; i++)
        landlock_allow(mounts[2 * i], 0x1 | 0x4 | 0x8); /* execute, read file, read folder */
    for (int i = 0; i < N_DEVICES; i++) {
        char path[32];
        snprintf(path, sizeof path, "/%s", DEVICES[i]);
        landlock_allow(path, 0x2 | 0x4);
    }
    landlock_allow(work, rules.fs);
    landlock_abi = (unsigned)abi;
}

/* ------------------------------------------------------------------------ dropping privilege */

enum { FOR_SERVER = 1u << CAP_SETUID | 1u << CAP_SETGID }; /* to make its children the candidate */

static long set_capabilities(uint32_t held, uint32_t inheritable)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{held, held, inheritable}, {0, 0, 0}};
    return syscall(SYS_capset, &head, data);
}

static void lower(int resource, rlim_t most)
{
    struct rlimit old, new = {most, most};
    if (getrlimit(resource, &old) == 0 && old.rlim_max > most) setrlimit(resource, &new);
}

static void drop_privilege(struct sock_filter *filter)
{
    stage = "drop privilege";
    int privileged = (setup.flags & ROOT_MAP) || (setup.namespaces & CLONE_NEWUSER);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    if (privileged) {
        struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
        struct __user_cap_data_struct had[2];
        must(syscall(SYS_capget, &head, had));
        had[0].inheritable |= FOR_SERVER & had[0].permitted; /* while the bounding set still allows it */
        must(syscall(SYS_capset, &head, had));
        for (int cap = 0; cap <= 63; cap++) prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
        must(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
        if (setup.flags & ROOT_MAP) must(syscall(SYS_setgroups, 0, NULL));
        must(syscall(SYS_setresgid, uid_init, uid_init, uid_init));
        must(syscall(SYS_setresuid, uid_init, uid_init, uid_init));
        /* What a supervisor needs: end, become and clean up after the candidate. */
        must(set_capabilities(1u << CAP_KILL | 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER | FOR_SERVER, FOR_SERVER));
    } else {
        must(set_capabilities(0, 0));
    }
    if (setup.namespaces) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* a change of ids clears it */
    const struct rlimit no_core = {1, 1};
    setrlimit(RLIMIT_CORE, &no_core); /* 1 is the one value at which no handler outside is started either */
    /* What a user namespace holds of these counts for the user who made it, too: that may be the host's root. */
    lower(RLIMIT_MSGQUEUE, 0);
    lower(RLIMIT_SIGPENDING, 64); /* queued signals, and timers */
    lower(RLIMIT_MEMLOCK, 64 << 10);
    lower(RLIMIT_NOFILE, 1024);
    if (setup.n_filter) {
        stage = "seccomp";
        struct sock_fprog program = {(unsigned short)setup.n_filter, filter};
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
    }
}
