/*
 * Places: what findings speak of.  A place is somewhere in the program where a thread
 * does something: the role that it plays in the finding, the access, where that is, the
 * stack and the locks held there.  Every command says its places in this one form, the
 * "places" of a finding in JSON, and every other form is made of it.
 *
 * Those of a trace's events are made by report_scene.h.  Texts belong to whoever filled them
 * in; they may hold any characters.
 */
#ifndef HD_REPORT_PLACE_H
#define HD_REPORT_PLACE_H

#include "base/base.h"

/* A frame of a stack, the innermost first. */
typedef struct hd_report_frame {
    const char *function, *file; /* NULL if not known */
    uint32_t line;
} hd_report_frame;

typedef struct hd_report_lock {
    const char *name;
    bool reading;
} hd_report_lock;

enum hd_report_access {
    HD_REPORT_NO_ACCESS,
    HD_REPORT_READ,
    HD_REPORT_WRITE,
    HD_REPORT_READ_WRITE,
    HD_REPORT_ACQUIRE,
    HD_REPORT_JOIN, /* a wait for the end of a thread */
    HD_REPORT_WAIT, /* for what another does: a notification, a unit of a semaphore, a barrier */
    HD_REPORT_USE   /* of a lock, condition, barrier or semaphore, beside an access to its memory */
};

/* Locks that a place lists: where threads nest thousands of them, each of thousands of findings
 * would list them all. */
enum { HD_REPORT_LOCKS = 100 };

typedef struct hd_report_place {
    const char *role;   /* "first", "waits", "saw"; never NULL */
    const char *thread; /* NULL if not known, as all below */
    const char *text;   /* what happens there */
    const char *file;
    uint32_t line;        /* 0: not known */
    const char *location; /* that is no file and line */
    uint32_t event;       /* of the trace; 0: none */
    enum hd_report_access access;
    bool atomic;
    bool knows_locks;             /* if false, an empty list means: not known */
    HD_VEC(hd_report_lock) locks; /* HD_REPORT_LOCKS at most, */
    uint64_t more_locks;          /* and how many there are beside them */
    HD_VEC(hd_report_frame) stack;
} hd_report_place;

typedef HD_VEC(hd_report_place) hd_report_places;

void hd_report_places_release(hd_report_places *places);

/* As "places", and back; copies are in the arena. */
void hd_report_places_write(const hd_report_places *places, hd_json *json);
void hd_report_places_read(hd_report_places *places, hd_arena *arena, const hd_json_value *from);

/* "file:line" to both; without a line number the whole text is no file. */
void hd_report_split(hd_arena *arena, const char *location, const char **file, uint32_t *line);

#endif
