/*
 * Random models (room model) as text: small programs with few variables, so that
 * threads meet often.  For support_random_inputs:
 *
 *     static const support_model_shape shape = {4, 3, SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS};
 *     static const support_input_property properties[] = {{"name", &shape, check}};
 *     return support_random_inputs(argc, argv, &support_models, properties, 1);
 *
 * where the input of the check is a support_model.
 */
#ifndef SUPPORT_MODELS_H
#define SUPPORT_MODELS_H

#include "machine/machine.h"
#include "support_random.h"

enum {
    SUPPORT_MODEL_THREADS = 6,
    SUPPORT_MODEL_STATEMENTS = 8, /* of a thread */
    SUPPORT_MODEL_TEXT = 96       /* bytes of a statement */
};

/* What may be in a model beside reads and writes; each is drawn to be in or out. */
enum {
    SUPPORT_MODEL_BRANCHES = 1,
    SUPPORT_MODEL_POINTERS = 2,
    SUPPORT_MODEL_LOCKS = 4,
    SUPPORT_MODEL_AWAITS = 8,
    SUPPORT_MODEL_CONDITIONS = 16,
    SUPPORT_MODEL_ATOMICS = 32,
    SUPPORT_MODEL_ASSERTIONS = 64,
    SUPPORT_MODEL_OUTSIDE = 128, /* indexes that may be outside of their array */
    SUPPORT_MODEL_OFTEN = 256,   /* more of all that, fewer plain statements */
    SUPPORT_MODEL_OBJECTS = 512, /* rwlocks, semaphores, barriers, channels, tries, choices */
    SUPPORT_MODEL_FORKS = 1024,  /* threads that fork and join those before them */
    SUPPORT_MODEL_INVARIANTS = 2048
};

typedef struct support_model_shape {
    unsigned threads;    /* at most; if more than 4, at least 5 */
    unsigned statements; /* of a thread, at most */
    unsigned features;
} support_model_shape;

/* Statements as text, thread by thread. */
typedef struct support_model {
    unsigned threads;
    unsigned features; /* those that need declarations */
    unsigned lengths[SUPPORT_MODEL_THREADS];
    char statements[SUPPORT_MODEL_THREADS][SUPPORT_MODEL_STATEMENTS][SUPPORT_MODEL_TEXT];
    char loaded[8192]; /* the text of a saved model, instead of all that */
} support_model;

extern const support_input_type support_models;

/* The model's text, to be freed. */
char *support_model_text(const support_model *program, size_t *length);

/* The model as a machine; NULL, and why, if the text is not a model.  The same after so many other
 * threads, which do nothing. */
hd_machine *support_model_machine(const support_model *program, char *why, size_t why_size);
hd_machine *support_model_machine_after(const support_model *program, unsigned idle, char *why,
                                        size_t why_size);

#endif
