/*
 * Checkpoints: a search in a file, so that another process can go on with it.
 *
 *     hd_engine_keep keep = {.to = "search.ckp", .every = 60, .asked = "explore --stop=never"};
 *     good = hd_engine_keep_begin(&keep, input, &error);     reads keep.from, if there is one
 *     ... keep.state, keep.frontier                          what was read; empty: begin
 *     hd_engine_keep_write(&keep, &state, &frontier);
 *     hd_engine_keep_release(&keep);
 *
 * The file has what it is of: the build of heddle, the question with its options, and a sum of the
 * input.  It is read only by the same build, for the same question about the same input; else
 * numbers in it would mean something else.  Its last bytes are a sum of all the others.  It appears
 * whole or not at all (base_file.h).
 */
#ifndef HD_ENGINE_KEEP_H
#define HD_ENGINE_KEEP_H

#include "base/base.h"

typedef struct hd_engine_keep {
    const char *to, *from; /* files; NULL: none */
    double every;          /* seconds */
    char *asked;           /* the question with those options that the answer depends on; owned */

    /* Of `from`. */
    hd_vec_char state, frontier;
    double before; /* seconds that the search took until then */

    /* What a search had found that was started over, and the new one has not (yet); empty: none.
     * It is written and read with the others. */
    hd_vec_char prior;
    hd_vec_char read; /* that of `from`, should its search start over */
    bool anew;        /* it did, */
    bool back;        /* and the answer is that of `prior` */

    /* Inside. */
    char build[64];
    uint64_t input;
    double began;
    bool failed;              /* it could not be written, which was said */
    HD_VEC(char *) constants; /* texts that last as long as this */

    /* What it cost. */
    uint64_t times, bytes; /* of all; of the last */
    double seconds;
} hd_engine_keep;

static inline bool hd_engine_keep_on(const hd_engine_keep *keep) {
    return keep->to || keep->from;
}

/* `input` is a sum of what is asked about.  False if `from` is not a file of this question. */
bool hd_engine_keep_begin(hd_engine_keep *keep, uint64_t input, hd_error *error);

/* What cannot be written is a warning, the first time: the search goes on. */
void hd_engine_keep_write(hd_engine_keep *keep, const hd_vec_char *state,
                          const hd_vec_char *frontier);

void hd_engine_keep_release(hd_engine_keep *keep);

/* A text that lasts as long as this; it takes the text over. */
const char *hd_engine_keep_constant(hd_engine_keep *keep, char *text);

/* A sum of the bytes of a file. */
bool hd_engine_keep_sum(const char *path, uint64_t *sum, hd_error *error);

/* The parser alone, for tests: the file's bytes; false and an error if they are no checkpoint. */
bool hd_engine_keep_parse(hd_engine_keep *keep, const hd_vec_char *file, hd_error *error);

#endif
