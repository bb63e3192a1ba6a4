/* Tries: to become another user or to win privileges: ids, groups, capabilities, set-id programs. Must:
 * be refused; no_new_privs cannot be taken off. */
#include "attempt.h"
#include <grp.h>
#include <linux/capability.h>
int main(void)
{
    gid_t group = 0;
    attempt("setuid 0", setuid(0));
    attempt("setgid 0", setgid(0));
    attempt("setresuid 1", setresuid(1, 1, 1));
    attempt("setgroups", setgroups(1, &group));
    attempt("another user id", setreuid(getuid() + 1, (uid_t)-1));
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{1, 1, 1}, {0, 0, 0}};
    attempt("a capability", syscall(SYS_capset, &head, data));
    attempt("an ambient capability", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    attempt("no_new_privs off", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
    attempt("no_new_privs was off", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? -1 : 0);
    attempt("seccomp off", prctl(PR_SET_SECCOMP, 0, 0, 0, 0));
    attempt("secure bits", prctl(PR_SET_SECUREBITS, 1, 0, 0, 0));
    attempt("a uid map", open("/proc/self/uid_map", O_RDWR) >= 0 && write(open("/proc/self/uid_map", O_RDWR), "0 0 1", 5) == 5 ? 0 : -1);
    return report();
}
