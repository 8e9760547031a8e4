/*
 * The process: how the runtime comes up, its modules, and other processes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt.h"
#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_kernel.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_world.h"

void hd_rt_say(const char *text) {
    if (hd_rt.wire && hd_rt.wire->quiet)
        return;
    char line[512];
    int length = hd_rt_print(line, sizeof line, "heddle: %s\n", text);
    if (length > 0)
        hd_rt_syscall(SYS_write, 2, (long)line, length, 0, 0, 0);
}

/* --- modules -------------------------------------------------------------------------------- */

/* The thread-local block of the program itself lies next to the thread pointer. */
static void note_tls(const struct dl_phdr_info *info) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_TLS)
            continue;
        uint64_t align = header->p_align ? header->p_align : 1;
        hd_rt.wire->tls_size = header->p_memsz;
#if defined __x86_64__
        hd_rt.wire->tls = -(int64_t)((header->p_memsz + align - 1) / align * align);
#else
        hd_rt.wire->tls = (int64_t)((16 + align - 1) / align * align);
#endif
    }
}

/* Its threads wait for each other by system calls of their own: under control they would wait
 * for ever, and what they order would look like races.  The tool has set OMP_THREAD_LIMIT. */
static void note_openmp(const char *path) {
    static const char *const names[] = {"libgomp.so", "libomp.so", "libiomp5.so"};
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/')
            name = at + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hd_rt_starts(name, names[i], hd_rt_length(names[i], SIZE_MAX))) {
            hd_rt.wire->openmp = 1;
            hd_rt_say("OpenMP's threads cannot be followed: every parallel region runs with one");
        }
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    heddle_wire *wire = hd_rt.wire;
    uint64_t low = UINT64_MAX, high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        if (info->dlpi_addr + header->p_vaddr < low)
            low = info->dlpi_addr + header->p_vaddr;
        if (info->dlpi_addr + header->p_vaddr + header->p_memsz > high)
            high = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    }
    for (uint32_t i = 0; i < wire->modules; i++)
        if (wire->module[i].low == low && wire->module[i].high == high)
            return 0;
    if (wire->modules == HEDDLE_WIRE_MODULES)
        return 1;
    heddle_wire_module *module = &wire->module[wire->modules];
    module->base = info->dlpi_addr;
    module->low = low;
    module->high = high;
    const char *path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    char whole[HEDDLE_WIRE_PATH];
    hd_rt_zero(whole, sizeof whole); /* memset is a step of the program's */
    long length = -1;
    if (!info->dlpi_name || !*info->dlpi_name)
        length = hd_rt_syscall(SYS_readlinkat, AT_FDCWD, (long)path, (long)whole, sizeof whole - 1,
                               0, 0);
    if (length <= 0)
        hd_rt_text(whole, sizeof whole, path);
    hd_rt_copy(module->path, whole, sizeof whole);
    note_openmp(module->path);
    if (wire->modules++ == 0) {
        hd_rt.code = wire->code = low;
        note_tls(info);
    }
    return 0;
}

void hd_rt_modules(void) {
    dl_iterate_phdr(add_module, NULL);
}

/* --- start ---------------------------------------------------------------------------------- */

static const char *from_environment(char **environment, const char *name) {
    size_t length = hd_rt_length(name, SIZE_MAX);
    for (; environment && *environment; environment++)
        if (hd_rt_starts(*environment, name, length) && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

/* The tool looks for this in the library's file; the end of it is the magic number. */
static const volatile char mark[] = HEDDLE_WIRE_MARK;

static uint64_t our_magic(void) {
    uint64_t magic = 0;
    for (unsigned i = 0; i < 8; i++)
        magic |= (uint64_t)(unsigned char)mark[sizeof mark - 9 + i] << 8 * i;
    return magic;
}

/* A tool of another version would wait for what this runtime does not do.  It finds our number in
 * the place of its own. */
static bool is_ours(heddle_wire *wire) {
    uint64_t other = wire->magic ^ our_magic(), version = (uint64_t)1 << HEDDLE_WIRE_MAGIC_VERSION;
    if (!other && wire->layout != HEDDLE_WIRE_LAYOUT)
        other = version;
    if (other && !(other & (version - 1))) {
        wire->magic ^= other;
        hd_rt_syscall(SYS_exit_group, 2, 0, 0, 0, 0, 0);
    }
    return !other;
}

/* Maps the file that the tool left open for us; false if there is none. */
static bool attach(char **environment) {
    const char *text = from_environment(environment, HEDDLE_WIRE_ENV);
    if (!text || *text < '0' || *text > '9')
        return false;
    int file = 0;
    for (; *text >= '0' && *text <= '9' && file < 1 << 20; text++)
        file = 10 * file + (*text - '0');
    struct stat status;
    if (fstat(file, &status) != 0 || (uint64_t)status.st_size < sizeof(heddle_wire))
        return false;
    heddle_wire *wire = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_NORESERVE, file, 0);
    if (wire == MAP_FAILED)
        return false;
    close(file);
    /* A program that this one starts, if it may, is not recorded: one file, one program.  But a
     * debugger may start a program again. */
    bool again = wire->explore &&
                 ((heddle_wire_explore *)((char *)wire + wire->explore))->what == HEDDLE_WIRE_ALONE;
    hd_rt.wire_size = (uint64_t)status.st_size;
    if (!is_ours(wire) || (wire->attached && !again)) {
        munmap(wire, (size_t)status.st_size);
        return false;
    }
    if (wire->attached) {
        wire->threads = wire->modules = 0;
        wire->chunks = wire->begun = wire->ready = wire->steps = wire->switches = 0;
    }
    if (wire->live) /* the tool, or its guard, which ends with it */
        wire->live = (uint32_t)hd_rt_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0);
    hd_rt.wire = wire;
    return true;
}

/* The program may have suppressions of its own, in ThreadSanitizer's way: a text with lines.  It is
 * called before anything is looked at. */
__attribute__((weak, visibility("default"))) const char *__tsan_default_suppressions(void);

static void keep_suppressions(void) {
    const char *text = __tsan_default_suppressions ? __tsan_default_suppressions() : NULL;
    if (!text)
        return;
    hd_rt_text(hd_rt.wire->suppressions, sizeof hd_rt.wire->suppressions, text);
    if (hd_rt_length(text, SIZE_MAX) >= sizeof hd_rt.wire->suppressions)
        hd_rt.wire->annotations |= HEDDLE_WIRE_TOLD_RULES;
}

/* The linker's initfirst flag makes this run before the constructors of other libraries. */
__attribute__((constructor)) static void start(int argc, char **argv, char **environment) {
    (void)argc;
    (void)argv;
    hd_rt_real_init();
    hd_rt_string_init();
    hd_rt_text_init();
    if (!attach(environment))
        return;
    keep_suppressions();
    if (hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS)
        hd_rt_kernel_inherit();
    hd_rt_modules();
    hd_rt_got_patch();
    hd_rt_given_init();
    hd_rt_file_init();
    hd_rt_arch_init();
    hd_rt_heap_init();
    hd_rt_schedule_init();
    hd_rt_thread_init();
    if (hd_rt.wire->mode == HEDDLE_WIRE_FREE_RUNNING) {
        hd_rt.mode = HD_RT_FREE;
        hd_rt_free_init();
    } else {
        hd_rt_record_init();
        hd_rt_signal_init();
        hd_rt.mode = HD_RT_CONTROLLED;
        hd_rt_world_init();
    }
    if (hd_rt.wire->decision != HEDDLE_WIRE_BY_DECISIONS)
        hd_rt_foreign_record();
    hd_rt.wire->attached = 1;
}

/* --- other processes ------------------------------------------------------------------------ */

/* Under control there is one thread of the system, and what it does must be the same in
 * every run: no second process. */
static bool refuse(const char *call) {
    if (!hd_rt_controlled())
        return false;
    char text[160];
    hd_rt_print(text, sizeof text,
                "%s is refused while the program is under control; record it with --free", call);
    hd_rt_say(text);
    hd_rt.wire->refused++;
    errno = ENOSYS;
    return true;
}

/* The child of a free-running program is not recorded: its file is the parent's. */
HD_RT_EXPORT pid_t fork(void) {
    if (refuse("fork"))
        return -1;
    pid_t child = hd_rt_real.fork();
    if (child == 0) {
        hd_rt.mode = HD_RT_OFF;
        hd_rt_own = &hd_rt_nowhere;
    }
    return child;
}

/* The program ends here, if the call succeeds; returns what it returns. */
static int not_executed(int result) {
    hd_rt_exec_ends(false);
    return result;
}

#define EXECUTE(call) (refuse("exec") ? -1 : (hd_rt_exec_ends(true), not_executed(call)))

HD_RT_EXPORT int execve(const char *path, char *const *argv, char *const *environment) {
    return EXECUTE(hd_rt_real.execve(path, argv, environment));
}

HD_RT_EXPORT int execv(const char *path, char *const *argv) {
    return EXECUTE(hd_rt_real.execv(path, argv));
}

HD_RT_EXPORT int execvp(const char *file, char *const *argv) {
    return EXECUTE(hd_rt_real.execvp(file, argv));
}

HD_RT_EXPORT int execvpe(const char *file, char *const *argv, char *const *environment) {
    return EXECUTE(hd_rt_real.execvpe(file, argv, environment));
}

/* The words of execl and its kin, up to the NULL; then perhaps the environment. */
enum { MOST_WORDS = 1024 };

#define GATHER(first)                                                                              \
    char *argv[MOST_WORDS] = {(char *)(uintptr_t)(first)};                                         \
    va_list rest;                                                                                  \
    va_start(rest, first);                                                                         \
    for (int i = 1; argv[i - 1] && i < MOST_WORDS - 1; i++)                                        \
        argv[i] = va_arg(rest, char *);

HD_RT_EXPORT int execl(const char *path, const char *word, ...) {
    GATHER(word)
    va_end(rest);
    return execv(path, argv);
}

HD_RT_EXPORT int execlp(const char *file, const char *word, ...) {
    GATHER(word)
    va_end(rest);
    return execvp(file, argv);
}

HD_RT_EXPORT int execle(const char *path, const char *word, ...) {
    GATHER(word)
    char **environment = va_arg(rest, char **);
    va_end(rest);
    return execve(path, argv, environment);
}

HD_RT_EXPORT int posix_spawn(pid_t *restrict child, const char *restrict path,
                             const posix_spawn_file_actions_t *actions,
                             const posix_spawnattr_t *restrict attributes,
                             char *const *restrict argv, char *const *restrict environment) {
    return refuse("posix_spawn")
               ? ENOSYS
               : hd_rt_real.posix_spawn(child, path, actions, attributes, argv, environment);
}

HD_RT_EXPORT int posix_spawnp(pid_t *child, const char *file,
                              const posix_spawn_file_actions_t *actions,
                              const posix_spawnattr_t *attributes, char *const *argv,
                              char *const *environment) {
    return refuse("posix_spawn")
               ? ENOSYS
               : hd_rt_real.posix_spawnp(child, file, actions, attributes, argv, environment);
}

HD_RT_EXPORT int daemon(int stay, int keep) {
    return refuse("daemon") ? -1 : hd_rt_real.daemon(stay, keep);
}

/* A frame that two processes return from can only be made in assembly; a fork serves. */
HD_RT_EXPORT pid_t vfork(void) {
    return fork();
}

/* A process, or a thread that the runtime knows nothing of. */
HD_RT_EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    void *more[3];
    va_list list;
    va_start(list, argument);
    for (int i = 0; i < 3; i++)
        more[i] = va_arg(list, void *); /* what is not there is not used */
    va_end(list);
    return refuse("clone")
               ? -1
               : hd_rt_real.clone(function, stack, flags, argument, more[0], more[1], more[2]);
}

HD_RT_EXPORT int system(const char *command) {
    return refuse("system") ? -1 : hd_rt_real.system(command);
}

HD_RT_EXPORT FILE *popen(const char *command, const char *type) {
    return refuse("popen") ? NULL : hd_rt_real.popen(command, type);
}

/* --- memory that goes away: the value of the last write is read first ------------------------ */

HD_RT_EXPORT int munmap(void *address, size_t size) {
    hd_rt_settle();
    hd_rt_foreign_remap(__func__, address, size, true, HD_RT_CODE());
    if (!hd_rt_real.munmap)
        return (int)hd_rt_syscall(SYS_munmap, (long)address, (long)size, 0, 0, 0, 0);
    return hd_rt_real.munmap(address, size);
}

HD_RT_EXPORT int mprotect(void *address, size_t size, int protection) {
    hd_rt_settle();
    hd_rt_foreign_remap(__func__, address, size, false, HD_RT_CODE());
    return hd_rt_real.mprotect(address, size, protection);
}

HD_RT_EXPORT void *mremap(void *address, size_t old_size, size_t size, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    void *to = (flags & MREMAP_FIXED) ? va_arg(rest, void *) : NULL;
    va_end(rest);
    hd_rt_settle();
    hd_rt_foreign_remap(__func__, address, old_size > size ? old_size : size, true, HD_RT_CODE());
    if (flags & MREMAP_FIXED)
        hd_rt_foreign_remap(__func__, to, size, true, HD_RT_CODE());
    if (hd_rt.exploring && !old_size)
        hd_rt_foreign_twins();
    return hd_rt_real.mremap(address, old_size, size, flags, to);
}

/* The runtime has mapped far more than it uses: pages are locked when they are touched. */
HD_RT_EXPORT int mlockall(int flags) {
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_addresses, HD_RT_CHANGES, HD_RT_CODE());
    return hd_rt_real.mlockall(hd_rt.wire && flags ? flags | MCL_ONFAULT : flags);
}
