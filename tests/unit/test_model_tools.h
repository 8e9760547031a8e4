/*
 * What the tests of models share: loading one from its text, and taking steps of it.
 */
#ifndef TEST_MODEL_TOOLS_H
#define TEST_MODEL_TOOLS_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

static inline hd_machine *load_with(const char *text, const hd_model_define *defines,
                                    size_t count) {
    hd_model_error error;
    hd_machine *machine = hd_model_parse("m.hdm", text, strlen(text), defines, count, &error);
    if (!machine) {
        hd_vec_char words = {0};
        hd_model_error_format(&error, "m.hdm", &words);
        print_error("%s\nin: %s\n", words.data, text);
        fail();
    }
    return machine;
}

static inline hd_machine *load(const char *text) {
    return load_with(text, NULL, 0);
}

static inline void release(hd_machine *machine) {
    machine->type->free(machine);
}

/* A location by its name. */
static inline uint32_t location(hd_machine *machine, const char *name) {
    for (uint32_t i = 0; i < machine->locations; i++)
        if (strcmp(machine->type->location_name(machine, i), name) == 0)
            return i;
    print_error("there is no location %s\n", name);
    fail();
    return 0;
}

static inline int64_t value(hd_machine *machine, const char *name) {
    return hd_model_value(machine, location(machine, name));
}

static inline hd_machine_operation next(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    assert_true(machine->type->next(machine, thread, &operation));
    return operation;
}

static inline bool ended(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    return !machine->type->next(machine, thread, &operation);
}

static inline void step(hd_machine *machine, uint32_t thread) {
    assert_true(next(machine, thread).enabled);
    assert_int_equal(machine->type->step(machine, thread, 0), HD_MACHINE_WENT_ON);
}

static inline void say(hd_vec_char *to, const char *format, ...) HD_PRINTF(2, 3);

static inline void say(hd_vec_char *to, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    hd_vec_reserve(to, to->length + (size_t)length + 1);
    memcpy(to->data + to->length, text, (size_t)length + 1);
    to->length += (size_t)length;
}

static inline void expect_text(hd_vec_char *got, const char *expected) {
    if (!got->data)
        say(got, "%s", "");
    assert_string_equal(got->data, expected);
    hd_vec_release(got);
}

static inline void expect_failure(hd_machine *machine, const char *expected) {
    hd_vec_char words = {0};
    machine->type->failure(machine, &words);
    expect_text(&words, expected);
}

static inline void expect_description(hd_machine *machine, uint32_t thread, const char *expected) {
    hd_vec_char words = {0};
    machine->type->describe(machine, thread, &words);
    expect_text(&words, expected);
}

/* "x:r y:w m:a", and in front of it "blocked " or "2 ways "; "ended". */
static inline void say_accesses(hd_machine *machine, const hd_machine_operation *operation,
                                hd_vec_char *to) {
    static const char letters[] = "rwal";
    if (!operation->enabled)
        say(to, "blocked ");
    if (operation->choices > 1)
        say(to, "%u ways ", operation->choices);
    for (uint32_t i = 0; i < operation->count; i++) {
        say(to, "%s%s:", i ? " " : "",
            machine->type->location_name(machine, operation->accesses[i].location));
        for (unsigned bit = 0; bit < 4; bit++)
            if (operation->accesses[i].mode >> bit & 1)
                say(to, "%c", letters[bit]);
    }
}

static inline void expect_next(hd_machine *machine, uint32_t thread, const char *expected) {
    hd_vec_char words = {0};
    hd_machine_operation operation;
    if (machine->type->next(machine, thread, &operation))
        say_accesses(machine, &operation, &words);
    else
        say(&words, "ended");
    expect_text(&words, expected);
}

/* Each thread in its turn, as long as one can go on; what the last step gave. */
static inline enum hd_machine_result run_in_order(hd_machine *machine) {
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t t = 0; t < machine->threads; t++) {
            hd_machine_operation operation;
            while (machine->type->next(machine, t, &operation) && operation.enabled) {
                if (machine->type->step(machine, t, 0) == HD_MACHINE_FAILED)
                    return HD_MACHINE_FAILED;
                moved = true;
            }
        }
    }
    return HD_MACHINE_WENT_ON;
}

/* Three that wait, and one that wakes them. */
static const char waiting[] = "shared x; mutex m; cond c;\n"
                              "thread w[3] { lock m; wait c, m; x = x + 1; unlock m; }\n"
                              "thread n { notify c; notify c; notifyall c; }\n";

static inline void start_waiting(hd_machine *machine, uint32_t thread) {
    step(machine, thread);
    step(machine, thread);
}

/* A random thread that can go on; threads if none exists. */
static inline uint32_t pick(hd_machine *machine, hd_random *random) {
    uint32_t first = (uint32_t)hd_random_below(random, machine->threads);
    for (uint32_t i = 0; i < machine->threads; i++) {
        uint32_t t = (first + i) % machine->threads;
        hd_machine_operation operation;
        if (machine->type->next(machine, t, &operation) && operation.enabled)
            return t;
    }
    return machine->threads;
}

#endif
