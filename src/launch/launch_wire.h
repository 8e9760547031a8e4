/*
 * Reading the records of a run, in order.  A program can write anywhere, so nothing in the file is
 * trusted: reading ends at the first damage.
 */
#ifndef HD_LAUNCH_WIRE_H
#define HD_LAUNCH_WIRE_H

#include "heddle/wire.h"
#include "launch_run.h"

/* After the end of the program: counts do not go beyond their tables, and texts end.  True if a
 * count did: the program wrote over it. */
bool hd_launch_bound(heddle_wire *wire);

typedef struct hd_launch_reader {
    const hd_launch_run *run;
    uint32_t threads;
    hd_packed_unpack *unpack; /* of a controlled run; else NULL */
    uint64_t next_chunk;      /* the next chunk for it */
    hd_packed_lanes *lanes;   /* of a free run; else NULL */
    uint64_t missing;         /* chunks from this number on are not read */
    bool show_switches;       /* of a controlled run, as records too: to `thread` */
    bool damaged;
} hd_launch_reader;

void hd_launch_reader_init(hd_launch_reader *reader, const hd_launch_run *run);
void hd_launch_reader_release(hd_launch_reader *reader);

/* For a free run: decides the order of the records that are read from now on; before, it is
 * arbitrary.  False if `over` said that there is no time left, and there are no records then. */
bool hd_launch_reader_order(hd_launch_reader *reader, hd_packed_granules *granules,
                            bool (*over)(void));

/* The next record other than HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false at the end. */
bool hd_launch_reader_next(hd_launch_reader *reader, hd_packed_record *record);

/* A chunk, as hd_packed_unpack_chunk and hd_packed_lanes_chunk take it. */
typedef struct hd_launch_piece {
    uint32_t lane;
    const void *bytes;
    size_t size;
    uint64_t run;
    uint64_t number;          /* among all that were begun */
    uint64_t records, silent; /* in it; how many of these are not events */
    bool damaged;             /* these are the bytes before the damage, as far as is known */
} hd_launch_piece;

/* How many bytes of contents a chunk of the file can have at most, and how many it says that it
 * has.  What checks them looks at HD_LAUNCH_BEYOND bytes after them, which exist. */
enum {
    HD_LAUNCH_BEYOND = HEDDLE_WIRE_BLOCK + 8,
    HD_LAUNCH_MOST = HEDDLE_WIRE_CHUNK - sizeof(heddle_wire_chunk) - HD_LAUNCH_BEYOND
};
uint64_t hd_launch_used(const heddle_wire_chunk *chunk);

/* The contents of a chunk, checked against its sums.  The bytes are its own or a copy of them. */
void hd_launch_piece_of(const heddle_wire_chunk *chunk, const unsigned char *bytes,
                        hd_launch_piece *piece);

/* A chunk of the run; false if there are fewer.  Those of a lane are in order.  What a lane has
 * after a damaged chunk cannot be read. */
bool hd_launch_chunk(const hd_launch_run *run, uint64_t number, hd_launch_piece *piece);

/* Are all chunks there, and as they were written?  That takes far less than reading them. */
bool hd_launch_intact(const hd_launch_run *run);

#endif
