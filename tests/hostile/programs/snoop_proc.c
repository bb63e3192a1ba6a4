/* Tries: to find in /proc what it should not know: the words given as arguments (names of tests, the
 * judge's folder, a secret in the judge's environment), in anything that can be read there. Must:
 * find none. */
#include "attempt.h"
#include <dirent.h>
static char **words;
static void search(const char *path)
{
    static char text[1 << 18];
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    if (fd < 0) return;
    ssize_t size = 0, got;
    while (size < (ssize_t)sizeof text - 1 && (got = read(fd, text + size, sizeof text - 1 - (size_t)size)) > 0) size += got;
    close(fd);
    for (char **word = words; *word; word++)
        if (memmem(text, (size_t)size, *word, strlen(*word))) attempt(path, 0);
}
static void walk(const char *folder, int depth)
{
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[512], link[512];
        if (entry->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= 512) continue;
        if (strstr(path, "cmdline") || strstr(path, "kmsg") || strstr(path, "trace")) continue; /* own arguments */
        ssize_t size = readlink(path, link, sizeof link - 1);
        link[size > 0 ? size : 0] = 0;
        for (char **word = words; *word; word++)
            if (strstr(link, *word)) attempt(path, 0);
        if (entry->d_type == DT_DIR && depth < 4) walk(path, depth + 1);
        if (entry->d_type == DT_REG && strcmp(entry->d_name, "mem")) search(path);
    }
    closedir(dir);
}
int main(int argc, char **argv)
{
    (void)argc;
    words = calloc(16, sizeof *words);
    for (int i = 1; i < argc && i < 15; i++) {
        words[i - 1] = strdup(argv[i]);
        memset(argv[i], 0, strlen(argv[i]));
    }
    walk("/proc", 0);
    return report();
}
