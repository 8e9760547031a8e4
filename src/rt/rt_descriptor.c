#include "rt_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt_explore.h"
#include "rt_misuse.h"
#include "rt_string.h"
#include "rt_world.h"

enum { FILES = HEDDLE_WIRE_DESCRIPTORS, TIMES = HEDDLE_WIRE_DESCRIPTOR_TIMES };

typedef struct descriptor {
    uint64_t inode, device;
    uintptr_t code; /* where it was opened; 0: not known */
    uint32_t time;  /* the number is used for the so many-th time, from 0 on */
    bool used;      /* since it was opened */
    bool closed;    /* if the number is in use, then for another file */
} descriptor;

/* In memory that is put back between runs like the program's own. */
static descriptor *descriptors;

/* What stands for them: never written, so all of it is 0. */
static uint64_t *words;

void hd_rt_descriptor_start(void) {
    descriptors = hd_rt_table(FILES * sizeof *descriptors, HEDDLE_WIRE_UNKEPT_OBJECTS);
    words = hd_rt_table((size_t)FILES * TIMES * sizeof *words, HEDDLE_WIRE_UNKEPT_OBJECTS);
    hd_rt.wire->descriptor_words = (uintptr_t)words;
}

static bool is_on(int file) {
    if (!descriptors || !words || hd_rt.ended || file < 0)
        return false;
    if (hd_rt.mode == HD_RT_FREE ? !hd_rt_self : !hd_rt_controlled())
        return false;
    if (file >= FILES)
        hd_rt_misuse_note(HEDDLE_WIRE_NOTED_DESCRIPTORS, NULL, 0, 0);
    return file < FILES;
}

/* So that the tool can say where it was opened; what was there before is of another run, or of a
 * descriptor that hashes alike. */
static void tell_opened(int file, const descriptor *it) {
    uint32_t which = it->time * FILES + (uint32_t)file;
    heddle_wire_opened *opened = &hd_rt.wire->opened[which % HEDDLE_WIRE_OPENED];
    opened->which = which + 1;
    opened->code = it->code;
}

/* The word of it, as it is now; NULL: it has none. */
static uint64_t *word_of(int file) {
    struct stat status;
    descriptor *it = &descriptors[file];
    bool open = hd_rt_world_call(SYS_fstat, file, (long)&status, 0, 0, 0, 0) >= 0;
    bool other = open && it->used && (status.st_ino != it->inode || status.st_dev != it->device);
    if (other && !it->closed)
        it->code = 0; /* closed and opened again, neither of which was seen */
    if (open && it->used && (other || it->closed)) {
        it->time++;
        it->used = false;
    }
    if (open) {
        it->closed = false;
        it->inode = status.st_ino;
        it->device = status.st_dev;
    }
    if (it->time >= TIMES) {
        hd_rt_misuse_note(HEDDLE_WIRE_NOTED_DESCRIPTORS, NULL, 0, 0);
        return NULL;
    }
    if (!it->used && (open || it->closed))
        tell_opened(file, it);
    it->used = true;
    return &words[it->time * FILES + (uint32_t)file];
}

/* What the call does depends on who came first, so no run is computed from this one. */
static void access_word(bool write, uint64_t *word, uintptr_t code) {
    if (hd_rt.exploring && hd_rt_explore_shares(word, sizeof *word))
        hd_rt_explore_unseen();
    if (!write) {
        hd_rt_string_reads(word, sizeof *word, code);
        return;
    }
    hd_rt_string_will_write(word, sizeof *word, code);
    hd_rt_string_wrote(word, sizeof *word, code);
}

void hd_rt_descriptor_use(int file, uintptr_t code) {
    uint64_t *word = is_on(file) ? word_of(file) : NULL;
    if (word)
        access_word(false, word, code);
}

const void *hd_rt_descriptor_end(int file, const void *but, uintptr_t code) {
    uint64_t *word = is_on(file) ? word_of(file) : NULL;
    if (!word || word == but)
        return NULL;
    access_word(true, word, code);
    return word;
}

void hd_rt_descriptor_gone(int file) {
    if (!is_on(file))
        return;
    descriptors[file].closed = true;
    descriptors[file].code = 0;
}

void hd_rt_descriptor_use_all(const struct pollfd *files, nfds_t count, uintptr_t code) {
    for (nfds_t i = 0; i < count; i++)
        hd_rt_descriptor_use(files[i].fd, code);
}

void hd_rt_descriptor_made(int file, uintptr_t code) {
    if (!is_on(file))
        return;
    descriptors[file].closed = descriptors[file].used;
    descriptors[file].code = code;
}

/* Other threads of a free run may open files at the same moment: there it is not known. */
void hd_rt_descriptor_opens(unsigned count, uintptr_t code) {
    for (int file = 0; count && file < FILES && hd_rt_controlled(); file++)
        if (hd_rt_world_call(SYS_fcntl, file, F_GETFD, 0, 0, 0, 0) < 0) {
            hd_rt_descriptor_made(file, code);
            count--;
        }
}

bool hd_rt_descriptor_replaces(int file, int by) {
    return file != by && hd_rt_world_call(SYS_fcntl, by, F_GETFD, 0, 0, 0, 0) >= 0;
}
