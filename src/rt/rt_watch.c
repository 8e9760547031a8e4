#include "rt_watch.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_kernel.h"
#include "rt_real.h"
#include "rt_string.h"

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define CONTENTS ((uint64_t)64 << 20) /* bytes of files that are kept */

enum { CODE_ROOM = 256, DEEDS = 256, PATH = 1024, HANDLER_STACK = 64 << 10 };

enum deed_kind {
    MADE,     /* a file, or another name of one */
    CHANGED,  /* or removed, or replaced: it had these contents */
    MADE_DIR, /* a folder */
    GONE_DIR
};

typedef struct deed {
    enum deed_kind kind;
    uint32_t mode;
    uint64_t at, length; /* of the contents */
    char path[PATH];
} deed;

/* Shared by the run and the process that forked it. */
typedef struct diary {
    uint32_t count;
    uint64_t used;
    deed deeds[DEEDS];
    char contents[];
} diary;

static diary *kept;

uint64_t hd_rt_watch_memory(uintptr_t *low) {
    *low = (uintptr_t)kept;
    return kept ? (sizeof *kept + CONTENTS + 4095) / 4096 * 4096 : 0;
}

/* --- names ---------------------------------------------------------------------------------- */

/* The whole path; false if it has no place, or is not known. */
static bool whole_path(int folder, const char *name, char path[PATH]) {
    char link[64];
    long length = 0;
    if (*name != '/' && folder == AT_FDCWD)
        length = hd_rt_syscall(SYS_getcwd, (long)path, PATH, 0, 0, 0, 0) - 1;
    else if (*name != '/') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        length = hd_rt_syscall(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, PATH, 0, 0);
    }
    size_t more = hd_rt_length(name, PATH);
    if (length < 0 || (size_t)length + more + 2 > PATH)
        return false;
    if (*name != '/')
        path[length++] = '/';
    hd_rt_copy(path + length, name, more);
    path[(size_t)length + more] = '\0';
    return true;
}

static bool look_at(const char *path, struct stat *status) {
    return hd_rt_syscall(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, AT_SYMLINK_NOFOLLOW, 0,
                         0) == 0;
}

/* --- noting what was there ------------------------------------------------------------------ */

static bool is_noted(const char *path) {
    size_t length = hd_rt_length(path, PATH) + 1;
    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->deeds[i].kind <= CHANGED && hd_rt_starts(kept->deeds[i].path, path, length))
            return true;
    return false;
}

static deed *add_deed(enum deed_kind kind, const char *path, uint32_t mode) {
    if (kept->count == DEEDS) {
        hd_rt_kernel_left("changes of very many files");
        return NULL;
    }
    deed *it = &kept->deeds[kept->count];
    *it = (deed){.kind = kind, .mode = mode};
    hd_rt_text(it->path, sizeof it->path, path);
    return it; /* it counts when it is complete */
}

static void keep_content(const char *path, const struct stat *status) {
    deed *it = add_deed(CHANGED, path, status->st_mode & 07777);
    uint64_t size = (uint64_t)status->st_size;
    long file =
        it ? hd_rt_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0) : -1;
    bool whole = file >= 0 && size <= CONTENTS - kept->used;
    for (uint64_t done = 0; whole && done < size;) {
        long got = hd_rt_syscall(SYS_read, file, (long)(kept->contents + kept->used + done),
                                 (long)(size - done), 0, 0, 0);
        whole = got > 0;
        done += whole ? (uint64_t)got : 0;
    }
    if (file >= 0)
        hd_rt_syscall(SYS_close, file, 0, 0, 0, 0, 0);
    if (!whole) {
        hd_rt_kernel_left("changes of a file that cannot be put back");
        return;
    }
    it->at = kept->used;
    it->length = size;
    kept->used += size;
    kept->count++;
}

/* The name may stand for something else after the call. */
static void note_name(int folder, const char *name) {
    char path[PATH];
    struct stat status;
    if (!whole_path(folder, name, path))
        hd_rt_kernel_left("changes of a file whose name is very long");
    else if (!is_noted(path)) {
        if (!look_at(path, &status))
            kept->count += add_deed(MADE, path, 0) != NULL;
        else if (S_ISREG(status.st_mode))
            keep_content(path, &status);
        else if (!S_ISCHR(status.st_mode))
            hd_rt_kernel_left("changes of what is no ordinary file");
    }
}

static void note_folder(int folder, const char *name, enum deed_kind kind) {
    char path[PATH];
    struct stat status = {0};
    bool there = whole_path(folder, name, path) && look_at(path, &status);
    if (there == (kind == GONE_DIR))
        kept->count += add_deed(kind, path, status.st_mode & 07777) != NULL;
}

static void note_open(int folder, const char *name, uintptr_t flags) {
    if ((flags & O_TMPFILE) == O_TMPFILE || hd_rt_starts(name, "/proc/", 6) ||
        hd_rt_starts(name, "/dev/null", 9) || hd_rt_starts(name, "/dev/tty", 8))
        return;
    if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
        note_name(folder, name);
}

/* --- the calls ------------------------------------------------------------------------------ */

static const char *text_at(uintptr_t address) {
    return address ? (const char *)address : "";
}

static void note_call(long call, const uintptr_t a[6]) {
    switch (call) {
    case SYS_openat:
        note_open((int)a[0], text_at(a[1]), a[2]);
        break;
    case SYS_unlinkat:
        if (a[2] & AT_REMOVEDIR)
            note_folder((int)a[0], text_at(a[1]), GONE_DIR);
        else
            note_name((int)a[0], text_at(a[1]));
        break;
    case SYS_mkdirat:
        note_folder((int)a[0], text_at(a[1]), MADE_DIR);
        break;
    case SYS_renameat2:
    case SYS_renameat:
        note_name((int)a[2], text_at(a[3]));
        note_name((int)a[0], text_at(a[1]));
        break;
    case SYS_linkat:
        note_name((int)a[2], text_at(a[3]));
        break;
    case SYS_symlinkat:
        note_name((int)a[1], text_at(a[2]));
        break;
    case SYS_truncate:
        note_name(AT_FDCWD, text_at(a[0]));
        break;
#ifdef SYS_open
    case SYS_open:
        note_open(AT_FDCWD, text_at(a[0]), a[1]);
        break;
    case SYS_creat:
    case SYS_unlink:
        note_name(AT_FDCWD, text_at(a[0]));
        break;
    case SYS_mkdir:
        note_folder(AT_FDCWD, text_at(a[0]), MADE_DIR);
        break;
    case SYS_rmdir:
        note_folder(AT_FDCWD, text_at(a[0]), GONE_DIR);
        break;
    case SYS_rename:
        note_name(AT_FDCWD, text_at(a[1]));
        note_name(AT_FDCWD, text_at(a[0]));
        break;
    case SYS_link:
    case SYS_symlink:
        note_name(AT_FDCWD, text_at(a[1]));
        break;
#endif
    case SYS_shmget:
    case SYS_semget:
    case SYS_msgget:
    case SYS_mq_open:
        hd_rt_kernel_left("what it does with System V or POSIX objects that processes share");
        break;
    case SYS_connect:
    case SYS_bind:
        hd_rt_kernel_left("what it does with sockets that reach other processes");
        break;
    default:
        hd_rt_kernel_left("changes of the attributes of files");
        break;
    }
}

/* What is stopped.  Those that open a file only if they may change it. */
static const uint16_t watched[] = {
    SYS_unlinkat, SYS_mkdirat,  SYS_renameat2, SYS_renameat,  SYS_linkat,  SYS_symlinkat,
    SYS_truncate, SYS_shmget,   SYS_semget,    SYS_msgget,    SYS_mq_open, SYS_connect,
    SYS_bind,     SYS_fchmodat, SYS_fchownat,  SYS_utimensat, SYS_mknodat,
#ifdef SYS_open
    SYS_creat,    SYS_unlink,   SYS_mkdir,     SYS_rmdir,     SYS_rename,  SYS_link,
    SYS_symlink,  SYS_chmod,    SYS_chown,     SYS_lchown,    SYS_mknod,
#endif
};

enum { COUNT = sizeof watched / sizeof *watched };

static bool is_watched(long call, const uintptr_t a[6]) {
    enum { WRITES = O_ACCMODE | O_CREAT | O_TRUNC };
    for (unsigned i = 0; i < COUNT; i++)
        if (watched[i] == call)
            return true;
#ifdef SYS_open
    if (call == SYS_open)
        return a[1] & WRITES;
#endif
    return call == SYS_openat && a[2] & WRITES;
}

/* Does it open standard output, to write there?  Then *file is that, or an error. */
static bool opens_output(long call, const uintptr_t a[6], long *file) {
    bool old = call != SYS_openat;
#ifdef SYS_open
    if (old && call != SYS_open)
#else
    if (old)
#endif
        return false;
    uintptr_t flags = a[old ? 1 : 2];
    if (!hd_rt_explore->captured || (flags & O_ACCMODE) == O_RDONLY || flags & (O_PATH | O_EXCL))
        return false;
    *file = hd_rt_given_duplicate(old ? AT_FDCWD : (int)a[0], text_at(a[old ? 0 : 1]),
                                  flags & O_CLOEXEC);
    return *file >= 0;
}

long hd_rt_watch_call(long call, const uintptr_t a[6]) {
    long file;
    if (kept && hd_rt.exploring && opens_output(call, a, &file))
        return file;
    if (kept && hd_rt.exploring && is_watched(call, a)) {
        hd_rt_explore->undone++;
        note_call(call, a);
    }
    return hd_rt_syscall(call, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
                         (long)a[5]);
}

static void stopped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    uintptr_t a[6];
    for (unsigned i = 0; i < 6; i++)
        a[i] = hd_rt_arch_argument(context, i);
    hd_rt_arch_result(context, hd_rt_watch_call(info->si_syscall, a));
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define IF(comparison, with, yes, no) BPF_JUMP(BPF_JMP | (comparison) | BPF_K, with, yes, no)

static bool filter(void) {
    enum { LISTED = 16, WRITES = O_ACCMODE | O_CREAT | O_TRUNC };
    struct sigaction old, ours = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    uintptr_t low = (uintptr_t)hd_rt_syscall, high = low + CODE_ROOM;
    struct sock_filter code[LISTED + COUNT + 2] = {
        LOAD(arch),
        IF(BPF_JEQ, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        IF(BPF_JEQ, (uint32_t)(low >> 32), 0, 4),
        LOAD(instruction_pointer),
        IF(BPF_JGE, (uint32_t)low, 0, 2),
        IF(BPF_JGE, (uint32_t)high, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        LOAD(nr),
        IF(BPF_JEQ, SYS_openat, 0, 2),
        LOAD(args[2]),
        IF(BPF_JSET, WRITES, COUNT + 4, COUNT + 3), /* stopped or allowed, at the end */
#ifdef SYS_open
        IF(BPF_JEQ, SYS_open, 0, 2),
#else
        IF(BPF_JEQ, SYS_openat, 0, 2), /* never */
#endif
        LOAD(args[1]),
        IF(BPF_JSET, WRITES, COUNT + 1, COUNT),
    };
    for (unsigned i = 0; i < COUNT; i++)
        code[LISTED + i] = (struct sock_filter)IF(BPF_JEQ, watched[i], (uint8_t)(COUNT - i), 0);
    code[LISTED + COUNT] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    code[LISTED + COUNT + 1] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = LISTED + COUNT + 2, .filter = code};
    return low >> 32 == high >> 32 && hd_rt_real.sigaction(SIGSYS, NULL, &old) == 0 &&
           old.sa_handler == SIG_DFL && hd_rt_real.sigaction(SIGSYS, &ours, NULL) == 0 &&
           hd_rt_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) == 0 &&
           hd_rt_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}

/* A stack for the handler, unless the program has one for its own. */
static bool make_stack(void) {
    stack_t now, ours = {.ss_sp = hd_rt_reset_pages(HANDLER_STACK), .ss_size = HANDLER_STACK};
    return ours.ss_sp && hd_rt_syscall(SYS_sigaltstack, 0, (long)&now, 0, 0, 0, 0) == 0 &&
           (!(now.ss_flags & SS_DISABLE) ||
            hd_rt_syscall(SYS_sigaltstack, (long)&ours, 0, 0, 0, 0, 0) == 0);
}

void hd_rt_watch_init(void) {
    long memory =
        hd_rt_syscall(SYS_mmap, 0, (long)(sizeof *kept + CONTENTS), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory > 0)
        kept = (diary *)memory;
    if (!kept || !make_stack() || !filter())
        hd_rt_explore->unwatched = 1;
}

/* --- putting back --------------------------------------------------------------------------- */

/* The same file, if it is there: another process may have it open.  A file that must not be written
 * to is made anew. */
static long open_file(const deed *it) {
    enum { HOW = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC };
    long file = hd_rt_syscall(SYS_openat, AT_FDCWD, (long)it->path, HOW, it->mode, 0, 0);
    if (file >= 0)
        return file;
    hd_rt_syscall(SYS_unlinkat, AT_FDCWD, (long)it->path, 0, 0, 0, 0);
    return hd_rt_syscall(SYS_openat, AT_FDCWD, (long)it->path, HOW, it->mode, 0, 0);
}

static void write_file(const deed *it) {
    long file = open_file(it);
    uint64_t done = 0;
    while (file >= 0 && done < it->length) {
        long put = hd_rt_syscall(SYS_write, file, (long)(kept->contents + it->at + done),
                                 (long)(it->length - done), 0, 0, 0);
        if (put <= 0)
            break;
        done += (uint64_t)put;
    }
    if (file >= 0) {
        hd_rt_syscall(SYS_fchmod, file, it->mode, 0, 0, 0, 0);
        hd_rt_syscall(SYS_close, file, 0, 0, 0, 0, 0);
    }
    if (file < 0 || done < it->length)
        hd_rt_kernel_left("changes of a file that cannot be put back");
}

static void undo(const deed *it) {
    switch (it->kind) {
    case MADE:
        hd_rt_syscall(SYS_unlinkat, AT_FDCWD, (long)it->path, 0, 0, 0, 0);
        break;
    case CHANGED:
        write_file(it);
        break;
    case MADE_DIR:
        hd_rt_syscall(SYS_unlinkat, AT_FDCWD, (long)it->path, AT_REMOVEDIR, 0, 0, 0);
        break;
    case GONE_DIR:
        hd_rt_syscall(SYS_mkdirat, AT_FDCWD, (long)it->path, it->mode, 0, 0, 0);
        break;
    }
}

void hd_rt_watch_undo(void) {
    if (!kept)
        return;
    while (kept->count)
        undo(&kept->deeds[--kept->count]);
    kept->used = 0;
}
