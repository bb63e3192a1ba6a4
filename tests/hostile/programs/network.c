/* Tries: to reach anything by network, or to serve something: its arguments are a port of the host that
 * listens, the path of a listening socket of the host, and the name of an abstract one. Must: reach
 * nothing. */
#include "attempt.h"
#include <arpa/inet.h>
#include <netinet/in.h>
static void reach(const char *address, int port, int type)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, type | SOCK_NONBLOCK, 0);
    if (fd < 0) return;
    inet_pton(AF_INET, address, &to.sin_addr);
    int result = connect(fd, (struct sockaddr *)&to, sizeof to);
    if (type == SOCK_DGRAM) { /* where nobody listens, the second one is refused */
        result = send(fd, "x", 1, 0) == 1 ? 0 : -1;
        usleep(1000);
        if (result == 0) result = send(fd, "x", 1, 0) == 1 ? 0 : -1;
    }
    if (result < 0 && errno == EINPROGRESS) {
        struct pollfd wait = {fd, POLLOUT, 0};
        int error = ETIMEDOUT;
        socklen_t size = sizeof error;
        if (poll(&wait, 1, 50) == 1) getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
        result = error ? -1 : 0;
    }
    attempt(address, result);
    close(fd);
}
int main(int argc, char **argv)
{
    static const int families[] = {3, 4, 5, 9, 17, 21, 26, 27, 28, 29, 30, 31, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45};
    int port = argc > 1 ? atoi(argv[1]) : 80;
    for (int i = 0; i < (int)(sizeof families / sizeof *families); i++)
        for (int type = 1; type < 6; type++) {
            char what[32];
            snprintf(what, sizeof what, "family %d", families[i]);
            attempt(what, socket(families[i], type, 0));
            attempt(what, syscall(SYS_socket, 0x100000000l | families[i], type, 0));
        }
    attempt("a raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    attempt("a raw socket", socket(AF_INET6, SOCK_RAW, 58));
    reach("127.0.0.1", port, SOCK_STREAM);
    reach("127.0.0.1", port, SOCK_DGRAM);
    reach("127.0.0.53", 53, SOCK_DGRAM);
    reach("8.8.8.8", 53, SOCK_DGRAM);
    reach("10.0.0.1", 80, SOCK_STREAM);
    reach("169.254.169.254", 80, SOCK_STREAM);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (argc > 2 && fd >= 0) {
        strncpy(name.sun_path, argv[2], sizeof name.sun_path - 1);
        attempt("the host's socket", connect(fd, (struct sockaddr *)&name, sizeof name));
    }
    if (argc > 3 && fd >= 0) {
        name.sun_path[0] = 0;
        strncpy(name.sun_path + 1, argv[3], sizeof name.sun_path - 2);
        attempt("the host's abstract socket",
                connect(fd, (struct sockaddr *)&name, (socklen_t)(3 + strlen(argv[3]))));
    }
    return report();
}
