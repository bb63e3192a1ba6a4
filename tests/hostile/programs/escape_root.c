/* Tries: to leave its file view: chroot, pivot_root, mounts of all kinds, handles, dot-dot. Must: be
 * refused. */
#include "attempt.h"
#include <sys/mount.h>
int main(void)
{
    struct { unsigned size; int type; unsigned char bytes[128]; } handle = {.size = 128, .type = 1};
    int mount_id, root = open("/", O_RDONLY | O_DIRECTORY);
    mkdir("jail", 0700);
    attempt("chroot", chroot("jail"));
    attempt("chroot to itself", chroot("."));
    attempt("pivot_root", syscall(SYS_pivot_root, ".", "."));
    attempt("mount tmpfs", mount("x", "jail", "tmpfs", 0, NULL));
    attempt("bind mount", mount("/usr", "jail", NULL, MS_BIND, NULL));
    attempt("remount", mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
    attempt("mount proc", mount("proc", "jail", "proc", 0, NULL));
    attempt("umount", umount2("/w", MNT_DETACH));
    attempt("umount proc", umount2("/proc", MNT_DETACH));
    attempt("open_tree", syscall(428, AT_FDCWD, "/", 1));
    attempt("fsopen", syscall(430, "tmpfs", 0));
    attempt("fspick", syscall(433, AT_FDCWD, "/", 0));
    attempt("mount_setattr", syscall(442, AT_FDCWD, "/usr", 0, "", 0));
    attempt("open_tree_attr", syscall(467, AT_FDCWD, "/", 1, NULL, 0));
    attempt("statmount", syscall(457, NULL, NULL, 0, 0));
    attempt("listmount", syscall(458, NULL, NULL, 0, 0));
    attempt("a handle", syscall(SYS_name_to_handle_at, AT_FDCWD, ".", &handle, &mount_id, 0));
    attempt("by handle", syscall(SYS_open_by_handle_at, root, &handle, O_RDONLY));
    attempt("fanotify", syscall(SYS_fanotify_init, 0, 0));
    attempt("quota", syscall(SYS_quotactl, 0, NULL, 0, NULL));
    attempt("swap", syscall(SYS_swapon, "/dev/vda", 0));
    char up[300] = "";
    for (int i = 0; i < 60; i++) strcat(up, "../");
    strcat(up, "etc/passwd");
    attempt("dot-dot", open(up, O_RDONLY));
    attempt("dot-dot from the root", openat(root, "../../../etc/passwd", O_RDONLY));
    return report();
}
