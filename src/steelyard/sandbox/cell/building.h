/* Build the cell: namespaces, and the view of files.
 *
 * A part of cell.c, which includes it once. */

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    must(fd);
    must(write(fd, text, strlen(text)));
    close(fd);
}

static void map_ids(pid_t child)
{
    char path[64], text[128];
    int root = setup.flags & ROOT_MAP;
    for (int group = 0; group < 2; group++) {
        if (group && !root) {
            snprintf(path, sizeof path, "/proc/%d/setgroups", child);
            write_file(path, "deny");
        }
        if (root)
            snprintf(text, sizeof text, "0 0 1\n1 %u 1\n1000 %u 1\n", setup.outer_uid, setup.outer_uid + 1);
        else
            snprintf(text, sizeof text, "1000 %u 1\n", group ? setup.own_gid : setup.own_uid);
        snprintf(path, sizeof path, "/proc/%d/%s", child, group ? "gid_map" : "uid_map");
        write_file(path, text);
    }
}

/* Makes every folder above `path`, which is relative to `at`. */
static void make_parents(int at, const char *path, mode_t mode)
{
    char part[PATH_MAX];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t size = (size_t)(slash - path);
        if (size >= sizeof part) return;
        memcpy(part, path, size);
        part[size] = 0;
        if (mkdirat(at, part, mode) == 0) fchmodat(at, part, mode, 0);
    }
}

static void set_attributes(int fd, const char *path, unsigned flags, uint64_t attributes)
{
    struct { uint64_t set, clear, propagation, userns; } attr = {.set = attributes};
    must(syscall(NR_mount_setattr, fd, path, flags, &attr, sizeof attr));
}

/* A detached read-only copy of a host path, or -1 where the path does not exist. */
static int detach(const char *source, uint64_t attributes)
{
    int fd = (int)syscall(NR_open_tree, AT_FDCWD, source, OPEN_TREE_CLONE_ | O_CLOEXEC | AT_RECURSIVE_);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return -1;
    must(fd);
    set_attributes(fd, "", AT_EMPTY_PATH | AT_RECURSIVE_, attributes);
    return fd;
}

static void attach(int tree, const char *target)
{
    struct stat st;
    must(fstat(tree, &st));
    make_parents(AT_FDCWD, target, 0755);
    if (S_ISDIR(st.st_mode)) {
        if (mkdir(target, 0755) < 0 && errno != EEXIST) fail(errno);
    } else {
        int fd = open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        must(fd);
        close(fd);
    }
    must(syscall(NR_move_mount, tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH_));
    close(tree);
}

static const char *const DEVICES[] = {"dev/null", "dev/zero", "dev/full", "dev/random", "dev/urandom"};
enum { N_DEVICES = sizeof DEVICES / sizeof *DEVICES, MAX_MOUNTS = 256 };

static void make_scratch(void)
{
    static const char *const targets[3] = {"w", "tmp", "dev/shm"};
    char options[96];
    stage = "mount scratch";
    snprintf(options, sizeof options, "mode=0755,size=%llu,nr_inodes=%u",
             (unsigned long long)setup.scratch_bytes, setup.scratch_inodes);
    must(mkdir("scratch", 0755));
    must(mount("scratch", "scratch", "tmpfs", MS_NOSUID | MS_NODEV, options));
    for (int i = 0; i < 3; i++) {
        char name[] = "scratch/0";
        name[8] = (char)('0' + i);
        must(mkdir(name, 0777));
        must(chmod(name, 0777));
        must(mkdir(targets[i], 0755));
        must(mount(name, targets[i], NULL, MS_BIND, NULL));
        must(scratch[i] = open(targets[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    n_scratch = 3;
    must(umount2("scratch", MNT_DETACH));
    must(rmdir("scratch"));
}

static void make_view(char **mounts)
{
    static int trees[MAX_MOUNTS], devices[N_DEVICES];
    char path[PATH_MAX];
    stage = "open view";
    if (setup.n_mounts > MAX_MOUNTS) fail(E2BIG);
    must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    for (uint32_t i = 0; i < setup.n_mounts; i++) {
        struct stat st;
        trees[i] = -1;
        if (lstat(mounts[2 * i], &st) == 0 && !S_ISLNK(st.st_mode))
            trees[i] = detach(mounts[2 * i], ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV);
    }
    for (int i = 0; i < N_DEVICES; i++) {
        snprintf(path, sizeof path, "/%s", DEVICES[i]);
        devices[i] = detach(path, ATTR_RDONLY | ATTR_NOSUID); /* its mode and times stay as they are */
    }

    stage = "mount root";
    char link[PATH_MAX];
    static char links[64][2][256];
    int n_links = 0;
    for (uint32_t i = 0; i < setup.n_mounts; i++) { /* read before the new root hides /tmp */
        ssize_t size = readlink(mounts[2 * i], link, sizeof link - 1);
        if (size <= 0 || size > 255 || n_links == 64 || strlen(mounts[2 * i + 1]) > 255) continue;
        link[size] = 0;
        strcpy(links[n_links][0], link);
        strcpy(links[n_links++][1], mounts[2 * i + 1]);
    }
    must(mount("root", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m"));
    must(chdir("/tmp"));
    must(mkdir("dev", 0755));
    for (int i = 0; i < N_DEVICES; i++)
        if (devices[i] >= 0) attach(devices[i], DEVICES[i]);
    static const char *const std_links[][2] = {{"/proc/self/fd", "dev/fd"}, {"/proc/self/fd/0", "dev/stdin"},
                                               {"/proc/self/fd/1", "dev/stdout"}, {"/proc/self/fd/2", "dev/stderr"}};
    for (int i = 0; i < 4; i++) must(symlink(std_links[i][0], std_links[i][1]));

    stage = "mount view";
    for (uint32_t i = 0; i < setup.n_mounts; i++)
        if (trees[i] >= 0) attach(trees[i], mounts[2 * i + 1] + 1);
    for (int i = 0; i < n_links; i++) {
        make_parents(AT_FDCWD, links[i][1] + 1, 0755);
        if (symlink(links[i][0], links[i][1] + 1) < 0 && errno != EEXIST && errno != EROFS) fail(errno);
    }
    make_scratch();

    stage = "mount proc";
    must(mkdir("proc", 0555));
    if (setup.namespaces & CLONE_NEWPID) {
        unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
        const char *options = "subset=pid,hidepid=2";
        /* The cell's own hides nothing: it must know of every process that a run left. */
        must(mount("proc", "proc", "proc", flags, "subset=pid"));
        must(fd_proc = open("proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        must(umount2("proc", MNT_DETACH));
        must(mount("proc", "proc", "proc", flags, options));
    }

    stage = "change root";
    must(syscall(SYS_pivot_root, ".", "."));
    must(umount2(".", MNT_DETACH));
    must(chdir("/"));
    set_attributes(AT_FDCWD, "/", 0, ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV);
}
