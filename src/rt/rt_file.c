#include "rt_file.h"

#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt_aside.h"
#include "rt_cancel.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_file_call.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_kernel.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"
#include "rt_world.h"

/* --- the variables -------------------------------------------------------------------------- */

enum { CELLS = HEDDLE_WIRE_FILES, PLACES = 4 * CELLS, PAIRS = 256, UNIX_SOCKETS = 7 };
enum sort { OTHER, PIPE, SOCKET, EVENT };

static uint64_t cells[CELLS]; /* the first is for all files of an explored program */
static struct {
    uint64_t key; /* 0: free */
    uint32_t cell;
} places[PLACES];
static uint32_t used;
static struct { uint64_t one, other; /* inodes */ } pairs[PAIRS];
static uint32_t pair_count;
static uint32_t busy; /* free-running threads use the tables together */

static void enter(void) {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        ;
}

static void leave(void) {
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static uint64_t mix(uint64_t x) {
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* The same for both ends of a connection of this machine's. */
static uint64_t hash_address(const struct sockaddr_storage *address, socklen_t length) {
    uint64_t hash = length;
    const unsigned char *bytes = (const unsigned char *)address;
    for (socklen_t i = 0; i < length && i < sizeof *address; i++)
        hash = mix(hash + bytes[i]);
    return hash;
}

static uint64_t key_of_socket(int file, uint64_t inode) {
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t here_length = sizeof here, there_length = sizeof there;
    for (uint32_t i = 0; i < pair_count; i++)
        if (pairs[i].one == inode || pairs[i].other == inode)
            return pairs[i].one;
    if (hd_rt_world_call(SYS_getsockname, file, (long)&here, (long)&here_length, 0, 0, 0) < 0)
        return inode;
    if (here.ss_family == AF_UNIX)
        return UNIX_SOCKETS; /* whose other end is where is not known */
    if (hd_rt_world_call(SYS_getpeername, file, (long)&there, (long)&there_length, 0, 0, 0) < 0)
        return inode;
    return hash_address(&here, here_length) + hash_address(&there, there_length);
}

static enum sort look_at(int file, uint64_t *inode) {
    struct stat status;
    if (hd_rt_given(file) || hd_rt_world_call(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0)
        return OTHER;
    *inode = status.st_ino;
    switch (status.st_mode & S_IFMT) {
    case S_IFIFO:
        return PIPE;
    case S_IFSOCK:
        return SOCKET;
    case 0: /* all event descriptors and their kin have one inode */
        return EVENT;
    default:
        return OTHER;
    }
}

bool hd_rt_file_is_socket(int file) {
    uint64_t inode;
    return look_at(file, &inode) == SOCKET;
}

/* Files that find no place share the last variable. */
static uint32_t find_cell(uint64_t key) {
    uint64_t place = mix(key) % PLACES;
    while (places[place].key && places[place].key != key)
        place = (place + 1) % PLACES;
    if (places[place].key)
        return places[place].cell;
    if (used == CELLS - 1)
        return used;
    places[place].key = key;
    places[place].cell = ++used;
    return used;
}

uint64_t *hd_rt_file_cell(int file) {
    uint64_t inode = 0;
    enum sort sort = look_at(file, &inode);
    if (sort == OTHER || hd_rt.mode == HD_RT_OFF)
        return NULL;
    if (hd_rt.exploring) {
        hd_rt_kernel_used(file, inode);
        return &cells[0];
    }
    enter();
    uint64_t key = sort == EVENT    ? (uint64_t)file
                   : sort == SOCKET ? key_of_socket(file, inode)
                                    : inode;
    uint32_t cell = find_cell((key << 2 | sort) ? key << 2 | sort : 1);
    leave();
    return &cells[cell];
}

void hd_rt_file_init(void) {
    hd_rt.wire->files = (uintptr_t)cells;
}

void hd_rt_file_change(uint64_t *cell, uintptr_t code) {
    if (!cell)
        return;
    if (hd_rt_controlled())
        hd_rt_record_atomic(HEDDLE_OP_ATOMIC_RMW, 3, cell, code, ++*cell);
    else if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_lock(cell);
        hd_rt_free_unlock(HEDDLE_OP_ATOMIC_RMW, 3, cell, code, ++*cell);
    }
}

/* --- units of pipes -------------------------------------------------------------------------- */

/* Bytes of writes that were not read, the oldest first.  Where more are waiting than have a place,
 * the last ones are one. */
typedef struct pending {
    uint32_t bytes[16];
    uint8_t head, count;
    bool begun; /* of the oldest, some were read */
} pending;

enum { PENDING = sizeof((pending *)0)->bytes / sizeof(uint32_t) };

static pending waiting[CELLS];

bool hd_rt_file_has_units(int file) {
    uint64_t inode;
    return hd_rt_controlled() && !hd_rt.exploring && look_at(file, &inode) == PIPE;
}

void hd_rt_file_put(const uint64_t *cell, size_t bytes, uintptr_t code) {
    pending *it = &waiting[cell - cells];
    if (it->count == PENDING) {
        it->bytes[(it->head + PENDING - 1) % PENDING] += (uint32_t)bytes;
        return;
    }
    it->bytes[(it->head + it->count++) % PENDING] = (uint32_t)bytes;
    hd_rt_record(HEDDLE_OP_POST, (uintptr_t)cell, code);
}

void hd_rt_file_get(const uint64_t *cell, size_t bytes, uintptr_t code) {
    pending *it = &waiting[cell - cells];
    while (bytes && it->count) {
        uint32_t *left = &it->bytes[it->head];
        if (!it->begun)
            hd_rt_record(HEDDLE_OP_TAKE, (uintptr_t)cell, code);
        it->begun = bytes < *left;
        if (it->begun) {
            *left -= (uint32_t)bytes;
            return;
        }
        bytes -= *left;
        it->head = (uint8_t)((it->head + 1) % PENDING);
        it->count--;
    }
}

void hd_rt_file_changed(int file, uintptr_t code) {
    if (hd_rt.mode != HD_RT_OFF)
        hd_rt_file_change(hd_rt_file_cell(file), code);
}

const volatile void *hd_rt_file_any(void) {
    return hd_rt.exploring ? &cells[0] : NULL;
}

/* --- making and closing --------------------------------------------------------------------- */

HD_RT_EXPORT int socketpair(int domain, int type, int protocol, int files[2]) {
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, HD_RT_CODE());
    int made[2], result = hd_rt_real.socketpair(domain, type, protocol, made);
    uint64_t one, other;
    if (hd_rt.mode != HD_RT_OFF && !result && look_at(made[0], &one) == SOCKET &&
        look_at(made[1], &other) == SOCKET) {
        enter();
        if (pair_count < PAIRS) {
            pairs[pair_count].one = one;
            pairs[pair_count++].other = other;
        }
        leave();
    }
    for (int i = 0; i < 2 && !result; i++)
        hd_rt_descriptor_made(made[i], HD_RT_CODE());
    if (!result && hd_rt_controlled())
        hd_rt_deliver(files, made, sizeof made, HD_RT_CODE());
    else if (!result)
        hd_rt_copy(files, made, sizeof made);
    return result;
}

/* A reader at the other end sees that nothing more comes. */
static void begin_end(int file, uintptr_t code) {
    uint64_t *cell = hd_rt.mode == HD_RT_OFF ? NULL : hd_rt_file_cell(file);
    if (!cell)
        return;
    if (hd_rt_controlled()) {
        if (hd_rt_in_memory)
            hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it uses pipes or sockets");
        hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, cell, 0, code, HD_RT_FOREVER);
    }
    hd_rt_file_change(cell, code);
}

void hd_rt_file_asked(int file, uintptr_t code) {
    if (hd_rt.exploring)
        begin_end(file, code);
}

HD_RT_EXPORT int shutdown(int file, int how) {
    hd_rt_descriptor_use(file, HD_RT_CODE());
    begin_end(file, HD_RT_CODE());
    return hd_rt_real.shutdown(file, how);
}

HD_RT_EXPORT int close(int file) {
    hd_rt_cancel_point(__func__, HD_RT_CODE());
    const void *word = hd_rt_descriptor_end(file, NULL, HD_RT_CODE());
    begin_end(file, HD_RT_CODE());
    hd_rt_foreign_end(__func__, file, HD_RT_CODE());
    while (word && (word = hd_rt_descriptor_end(file, word, HD_RT_CODE()))) /* others go on */
        ;
    hd_rt_descriptor_gone(file);
    return hd_rt_real.close ? hd_rt_real.close(file)
                            : (int)hd_rt_syscall(SYS_close, file, 0, 0, 0, 0, 0);
}
