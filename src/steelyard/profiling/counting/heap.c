/* Preloaded into a program of the GNU C library: the exact peak of its live heap memory.
 *
 * The figures lie in a page shared with the file that STEELYARD_HEAP_FILE names, so that they survive
 * _exit and being killed. Bytes are those that malloc_usable_size tells: what was asked for, rounded
 * up as the allocator rounds. Memory that a program maps for itself is not counted; where it is
 * used, it shows in the resident set.
 *
 * A program built to count its blocks leaves the counts in its exit handlers, which _exit passes
 * over; here it leaves them there too. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAGIC 0x3170616568797361 /* read by _outcome.py, with the layout */
#define PAGE_BYTES 4096

struct page {
    uint64_t magic;
    int64_t live, peak; /* bytes */
    uint64_t threads;   /* started beside the first one */
    uint64_t forks;
    int64_t base; /* of live and peak: what was there when the program began; an interpreter says it */
};

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void *__libc_valloc(size_t);
extern void *__libc_pvalloc(size_t);
extern void __libc_free(void *);

/* The counting form's own; there is none in other programs. */
extern void steelyard_leave_counts(void) __attribute__((weak));

static struct page own; /* until there is a file, and in children */
static struct page *page = &own;
static pid_t first;  /* the process that is watched */
static int has_ended; /* what follows is its counters' own memory, to write the counts */

static void count(int64_t bytes)
{
    if (has_ended) return;
    /* A locked instruction costs as much as a small allocation: only where threads need it. */
    if (!page->threads) {
        int64_t live = page->live += bytes;
        if (live > page->peak) page->peak = live;
        return;
    }
    int64_t live = __atomic_add_fetch(&page->live, bytes, __ATOMIC_RELAXED);
    int64_t peak = __atomic_load_n(&page->peak, __ATOMIC_RELAXED);
    while (live > peak)
        if (__atomic_compare_exchange_n(&page->peak, &peak, live, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) break;
}

static void *counted(void *block)
{
    if (block) count((int64_t)malloc_usable_size(block));
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *valloc(size_t size) { return counted(__libc_valloc(size)); }
void *pvalloc(size_t size) { return counted(__libc_pvalloc(size)); }

void free(void *block)
{
    if (!block) return;
    count(-(int64_t)malloc_usable_size(block));
    __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    int64_t before = block ? (int64_t)malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    if (moved) count((int64_t)malloc_usable_size(moved) - before);
    else if (!size) count(-before); /* that freed it */
    return moved;
}

void *reallocarray(void *block, size_t number, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(number, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, total);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (!alignment || alignment % sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    int before = errno;
    void *made = memalign(alignment, size);
    errno = before;
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

/* ------------------------------------------------------------------------ threads and processes */

int pthread_create(pthread_t *thread, const pthread_attr_t *traits, void *(*start)(void *), void *given)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (!real) return EAGAIN;
    __atomic_add_fetch(&page->threads, 1, __ATOMIC_RELAXED);
    return real(thread, traits, start, given);
}

/* A child has a copy of the heap; what it does with it changes nothing for its parent. */
pid_t fork(void)
{
    static pid_t (*real)(void);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (!real) {
        errno = ENOSYS;
        return -1;
    }
    page->forks++;
    pid_t child = real();
    if (child == 0) {
        own = *page;
        page = &own;
        first = getpid();
    }
    return child;
}

static void end(void) { has_ended = 1; }

/* Calls `end` after the program's own exit handlers, and before the runtime of its counters. */
static int (*program)(int, char **, char **);

static int watched_main(int argc, char **argv, char **envp)
{
    atexit(end);
    return program(argc, argv, envp);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    if (!real) abort();
    program = main;
    return real(watched_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static void leave_counts(void)
{
    end();
    /* A child of vfork has this process's memory, but must leave nothing in its place. */
    if (steelyard_leave_counts && getpid() == first) steelyard_leave_counts();
}

void _exit(int status)
{
    leave_counts();
    for (;;) syscall(SYS_exit_group, status);
}

void _Exit(int status) { _exit(status); }

__attribute__((constructor)) static void begin(void)
{
    first = getpid();
    at_quick_exit(leave_counts);
    const char *name = getenv("STEELYARD_HEAP_FILE");
    /* A program that this one starts finds the file there, and goes without. */
    int file = name ? open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : -1;
    if (file < 0) return;
    void *shared = MAP_FAILED;
    if (ftruncate(file, PAGE_BYTES) == 0)
        shared = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    own.magic = MAGIC;
    *(struct page *)shared = own;
    page = shared;
}
