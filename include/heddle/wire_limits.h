/*
 * Layout and limits of the file that the runtime and the tool share (wire.h): what both sides
 * are compiled with and neither writes.
 */
#ifndef HEDDLE_WIRE_LIMITS_H
#define HEDDLE_WIRE_LIMITS_H

#include <stdint.h>

#define HEDDLE_WIRE_MAGIC UINT64_C(0x6265726977656468) /* "hdewireb" */
#define HEDDLE_WIRE_MARK "heddle runtime hdewireb"     /* in the library, for the tool to find */
#define HEDDLE_WIRE_MAGIC_VERSION 58                   /* the bits from here on count versions */
#define HEDDLE_WIRE_BORDERS ((uint64_t)32 << 20)
#define HEDDLE_WIRE_OBJECTS ((uint64_t)176 << 20)
#define HEDDLE_WIRE_BLOCK_LIST ((uint64_t)184 << 20)
#define HEDDLE_WIRE_DATA ((uint64_t)256 << 20)
#define HEDDLE_WIRE_CHUNK ((uint64_t)1 << 20)
#define HEDDLE_WIRE_ENV "HEDDLE_WIRE" /* the number of the inherited file */

enum {
    HEDDLE_WIRE_THREADS = 32768,
    HEDDLE_WIRE_THREAD_STATES = HEDDLE_WIRE_THREADS + 33, /* after those of buffer.def, and one */
    HEDDLE_WIRE_NOTES = 64,
    HEDDLE_WIRE_MODULES = 512,
    HEDDLE_WIRE_PATH = 496,
    HEDDLE_WIRE_FILES = 1024,
    HEDDLE_WIRE_RANGE = 64,  /* ranges up to this many bytes carry them */
    HEDDLE_WIRE_LABEL = 255, /* bytes of a label of a mark */
    HEDDLE_WIRE_LABELS = 1024,
    HEDDLE_WIRE_EMPTIED = 64,
    HEDDLE_WIRE_PAGE = 4096,
    HEDDLE_WIRE_PAGES = 1 << 17,  /* pages of memory whose borders are kept; a power of two */
    HEDDLE_WIRE_PAGE_TRIES = 256, /* places at which a page may be */
    HEDDLE_WIRE_CODES = 1 << 17,
    HEDDLE_WIRE_OBJECT_COUNT = 1 << 20,
    HEDDLE_WIRE_BLOCKS = 1 << 20,
    HEDDLE_WIRE_INPUTS = 1024,
    HEDDLE_WIRE_WAYS = 64,               /* values of one input that are tried */
    HEDDLE_WIRE_ORDERS = 4096,           /* objects that annotations release and acquire */
    HEDDLE_WIRE_DESCRIPTORS = 1024,      /* numbers of files that are looked at, */
    HEDDLE_WIRE_DESCRIPTOR_TIMES = 1024, /* and how often each may be that of another file */
    HEDDLE_WIRE_OPENED = 1024,           /* places where some were opened */
    HEDDLE_WIRE_VTABLES = 1 << 15,       /* places of pointers to tables of virtual functions */
    HEDDLE_WIRE_SUPPRESSIONS = 1 << 14,  /* bytes of the program's own suppressions */
    HEDDLE_WIRE_UNSEEN = 256,            /* functions whose accesses are not recorded */
    HEDDLE_WIRE_CALLS = 1 << 22,         /* open calls of all threads together */
    HEDDLE_WIRE_ATOMICS = 256,
    HEDDLE_WIRE_CALLEES = 8192,     /* uninstrumented functions */
    HEDDLE_WIRE_CALLEE = 104,       /* bytes of the name of one */
    HEDDLE_WIRE_FUNCTIONS = 1 << 15 /* frames that are kept to name the variables in them */
};

/* Of explored programs (wire_asks.h). */
enum {
    HEDDLE_WIRE_EXPLORED = 6144,                      /* threads */
    HEDDLE_WIRE_MORE = HEDDLE_WIRE_EXPLORED / 64 - 1, /* words of a set of them but the first */
    HEDDLE_WIRE_STEPS = 1 << 20,                      /* of a run */
    HEDDLE_WIRE_NEXTS = HEDDLE_WIRE_STEPS + 4 * HEDDLE_WIRE_EXPLORED,
    HEDDLE_WIRE_SHARED = 1 << 17,   /* size of the table, a power of two; at most half is used */
    HEDDLE_WIRE_PART = 512,         /* places of a part of it: a page */
    HEDDLE_WIRE_FRESH = 4096,       /* words reported by one run */
    HEDDLE_WIRE_LOOPS = 64,         /* reads that are repeated */
    HEDDLE_WIRE_AWAITED = 64,       /* words that waits of C++'s atomics wait for, */
    HEDDLE_WIRE_AWAITED_VALUES = 4, /* and values of each; of more, any value may be one */
    HEDDLE_WIRE_DEAD_WORDS = 128,   /* of a frame, that are looked at */
    HEDDLE_WIRE_PLACES = 1 << 12,   /* of calls, where it is known what is dead; a power of two */
    HEDDLE_WIRE_LENT = 1 << 10,     /* words of a stack that others write; a power of two */
    HEDDLE_WIRE_STAYS = 1024,       /* values that make them wait */
    HEDDLE_WIRE_REACHES = 16384,    /* values whose states are known; a power of two */
    HEDDLE_WIRE_SECTIONS = 64,      /* atomic sections that ask for inputs, */
    HEDDLE_WIRE_DRAWS = 16,         /* and inputs of one */
    HEDDLE_WIRE_CONSTANTS = 24,     /* values that inputs are compared with */
    HEDDLE_WIRE_COPIES = 256,       /* writes that are announced before the read of the same copy */
    HEDDLE_WIRE_WEAKER = 4096, /* places of atomic operations weaker than sequential consistency */
    HEDDLE_WIRE_FRAMES = 32,   /* of a stack */
    HEDDLE_WIRE_WISHES = 15,   /* more runs that are requested together with one */
    HEDDLE_WIRE_WISHED = 8,    /* decisions of a wish after the common ones */
    HEDDLE_WIRE_LOOKS_KEPT = 16,  /* of a run */
    HEDDLE_WIRE_PARCEL = 1 << 12, /* steps, and next operations, of all wishes together */
    HEDDLE_WIRE_SAYINGS = 1 << 20 /* bytes of what a run says beside its output */
};

/* The addresses of heap blocks of a program under control. */
#define HEDDLE_WIRE_HEAP UINT64_C(0x100000000000)
#define HEDDLE_WIRE_HEAP_END (HEDDLE_WIRE_HEAP + ((uint64_t)2048 << 34))

#define HEDDLE_WIRE_ADDRESS (((uint64_t)1 << 48) - 1)

/* In tables of words: not the word itself, but the state that uninstrumented functions keep for
 * what is there.  State without an address of its own gets one from HEDDLE_WIRE_STATES on: first
 * the state of state.def, 16 bytes each, then that of modules, by number. */
#define HEDDLE_WIRE_STATE ((uint64_t)1 << 60)
#define HEDDLE_WIRE_STATES UINT64_C(0x0e0000000000)
enum heddle_wire_kept {
#define STATE(name, words) HEDDLE_WIRE_KEPT_##name,
#include "state.def"
#undef STATE
};
/* The freed blocks of a size: by 16 bytes, up to HEDDLE_WIRE_REUSED_SMALL times that, then by
 * powers of two. */
#define HEDDLE_WIRE_REUSED (HEDDLE_WIRE_STATES + 2048)
#define HEDDLE_WIRE_REUSED_SMALL 64
#define HEDDLE_WIRE_MODULE_STATES (HEDDLE_WIRE_STATES + 4096)
#define HEDDLE_WIRE_STATES_END (HEDDLE_WIRE_MODULE_STATES + UINT64_C(16) * HEDDLE_WIRE_MODULES)
#define HEDDLE_WIRE_FILE_STATES (HEDDLE_WIRE_STATES_END + 16) /* of ordinary files */
#define HEDDLE_WIRE_FILE_STATES_END (HEDDLE_WIRE_FILE_STATES + ((uint64_t)16 << 20))

#endif
