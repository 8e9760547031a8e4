#include "rt_world_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt_string.h"

#define ROOM ((uint64_t)1 << 32) /* bytes of the file, at most; it has holes */
#define SPARE ((uint64_t)1 << 20)

static struct {
    char *bytes;
    uint64_t *used;                   /* of them, while they are written */
    uint64_t size;                    /* of what is played back */
    uint64_t at[HEDDLE_WIRE_THREADS]; /* where each thread reads next */
    bool lost;                        /* there was no room */
} file;

static uint64_t round_up(uint64_t size) {
    return (size + 7) & ~UINT64_C(7);
}

static uint32_t present(void) {
    return hd_rt.current ? hd_rt.current->id : 0;
}

static heddle_world_entry *entry_at(uint64_t at) {
    return (heddle_world_entry *)(file.bytes + at);
}

bool hd_rt_world_full(void) {
    return file.lost;
}

/* --- writing -------------------------------------------------------------------------------- */

void hd_rt_world_begin(hd_rt_world_stream *s, uint32_t what, int64_t result) {
    *s = (hd_rt_world_stream){.entry = entry_at(*file.used)};
    *s->entry = (heddle_world_entry){present(), what, result, 0};
}

char *hd_rt_world_reserve(hd_rt_world_stream *s, uint64_t size) {
    char *to = (char *)(s->entry + 1) + s->at;
    if ((uint64_t)(to - file.bytes) + size < ROOM - SPARE)
        return to;
    file.lost = true;
    return NULL;
}

void hd_rt_world_put(hd_rt_world_stream *s, void *from, size_t size) {
    if (s->plays) {
        if (s->at + size <= s->entry->size)
            hd_rt_copy(from, (const char *)(s->entry + 1) + s->at, size);
        s->at += size;
        return;
    }
    char *to = hd_rt_world_reserve(s, size);
    if (!to)
        return;
    hd_rt_copy(to, from, size);
    s->at += size;
}

void hd_rt_world_end(hd_rt_world_stream *s) {
    if (file.lost)
        return;
    s->entry->size = s->at;
    __atomic_store_n(file.used, *file.used + sizeof *s->entry + round_up(s->at), __ATOMIC_RELEASE);
    if (*file.used > ROOM - SPARE)
        file.lost = true;
    hd_rt.wire->world_lost = file.lost;
}

/* --- reading -------------------------------------------------------------------------------- */

/* Other threads' entries are passed over. */
heddle_world_entry *hd_rt_world_peek(void) {
    uint64_t *at = &file.at[present()];
    while (*at + sizeof(heddle_world_entry) <= file.size) {
        heddle_world_entry *it = entry_at(*at);
        if (it->size > file.size - *at - sizeof *it)
            return NULL;
        if (it->thread == present())
            return it;
        *at += sizeof *it + round_up(it->size);
    }
    return NULL;
}

heddle_world_entry *hd_rt_world_next(void) {
    heddle_world_entry *it = hd_rt_world_peek();
    if (it)
        file.at[present()] += sizeof *it + round_up(it->size);
    return it;
}

/* --- the file ------------------------------------------------------------------------------- */

static bool map_file(bool plays) {
    struct stat status;
    long number = hd_rt_syscall(SYS_openat, AT_FDCWD, (long)hd_rt.wire->world_path,
                                (plays ? O_RDONLY : O_RDWR) | O_CLOEXEC, 0, 0, 0);
    if (number < 0 || hd_rt_syscall(SYS_fstat, number, (long)&status, 0, 0, 0, 0) < 0)
        return false;
    file.size = plays ? (uint64_t)status.st_size : ROOM;
    bool large = plays || hd_rt_syscall(SYS_ftruncate, number, (long)ROOM, 0, 0, 0, 0) == 0;
    long at = large ? hd_rt_syscall(SYS_mmap, 0, (long)file.size,
                                    plays ? PROT_READ : PROT_READ | PROT_WRITE,
                                    plays ? MAP_PRIVATE : MAP_SHARED | MAP_NORESERVE, number, 0)
                    : -1;
    hd_rt_syscall(SYS_close, number, 0, 0, 0, 0, 0);
    if (at < 0)
        return false;
    file.bytes = (char *)at;
    return true;
}

bool hd_rt_world_open(bool plays) {
    if (!map_file(plays))
        return false;
    heddle_world_head *head = (heddle_world_head *)file.bytes;
    if (plays) {
        if (file.size < sizeof *head || head->magic != HEDDLE_WORLD_MAGIC)
            return false;
        file.size = head->used < file.size ? head->used : file.size;
    } else {
        head->magic = HEDDLE_WORLD_MAGIC;
        head->used = sizeof *head;
        file.used = &head->used;
    }
    for (uint32_t i = 0; i < HEDDLE_WIRE_THREADS; i++)
        file.at[i] = sizeof *head;
    return true;
}
