/*
 * The questions race and deadlock of a program: it is driven to what its runs make likely, and
 * what was found is told only if it was replayed.
 *
 *     hd_engine_drive drive;
 *     hd_engine_drive_init(&drive, path, arguments, deadlocks);
 *     good = hd_engine_drive_start(&drive, &error) && hd_engine_drive_run(&drive, &error);
 *     ... drive.result.found, but for those that are dropped; drive.verdict
 *     hd_engine_drive_release(&drive);
 */
#ifndef HD_ENGINE_DRIVE_H
#define HD_ENGINE_DRIVE_H

#include "drive/drive.h"
#include "engine_filter.h"
#include "engine_places.h"
#include "engine_words.h"
#include "verdict/verdict.h"

typedef struct hd_engine_drive {
    const char *path;
    hd_engine_words arguments; /* of the program */
    bool deadlocks;            /* not races */
    hd_drive_options options;
    hd_finding_filter filter;
    const char *output; /* file for the witnesses; NULL: none */
    /* Each as soon as it was replayed, after `round` times that the program turned out to be
     * different and all was begun again; other than 0: no more are wanted.  NULL: not told. */
    int (*each)(void *context, const struct hd_engine_drive *drive, const hd_drive_found *found,
                uint32_t round);
    void *context;
    char **argv;
    char *made; /* the program, if it was a source */
    hd_machine *machine;
    hd_drive_result result;
    bool usual_whole; /* all schedules were searched with the usual inputs, not with more */
    bool *dropped;    /* [found]: suppressed, or not new */
    size_t shown;     /* findings that are not */
    hd_verdict verdict;
} hd_engine_drive;

void hd_engine_drive_init(hd_engine_drive *drive, const char *path, hd_engine_words arguments,
                          bool deadlocks);
bool hd_engine_drive_start(hd_engine_drive *drive, hd_error *error);
bool hd_engine_drive_run(hd_engine_drive *drive, hd_error *error);

/* With the conventions of SV-COMP, the competition's word for the verdict: no-data-race. */
const char *hd_engine_drive_word(const hd_engine_drive *drive);
void hd_engine_drive_release(hd_engine_drive *drive);

/* One thing that was found: its schedule again, as a trace. */
typedef struct hd_engine_driven {
    const hd_drive_found *found;
    hd_trace trace;
    hd_vec_u32 events;   /* what it is about: the two accesses, the acquires */
    hd_vec_u32 schedule; /* what comes before them */
    char *functions[2];
    char *stacks[2]; /* of the accesses, lines; "" if there are none */
    char *variable;  /* NULL: of a deadlock */
    uint64_t former; /* fingerprint of earlier versions */
} hd_engine_driven;

bool hd_engine_driven_make(hd_engine_driven *driven, const hd_engine_drive *drive,
                           const hd_drive_found *found, hd_error *error);
void hd_engine_driven_release(hd_engine_driven *driven);

/* Does a suppression or the baseline name it? */
bool hd_engine_driven_suppressed(const hd_engine_drive *drive, const hd_engine_driven *driven);

/* What its places and its fingerprint are made of. */
hd_engine_shown hd_engine_driven_shown(const hd_engine_drive *drive,
                                       const hd_engine_driven *driven);

/* One line that says it; to be freed. */
char *hd_engine_driven_text(const hd_engine_drive *drive, const hd_engine_driven *driven);

/* Saves its schedule as the i-th witness. */
bool hd_engine_driven_save(const hd_engine_drive *drive, const hd_engine_driven *driven, size_t i,
                           hd_error *error);

#endif
