/*
 * Checkpoints.  The first byte says what the others are:
 *
 *   f   a file, but for the sum at its end, which is made here
 *   s   what a search found, as it is in such a file
 *   k   the open part of a search in a small model, with which the search then goes on
 */
#include "engine/engine_explore.h"
#include "fuzz_common.h"
#include "model/model.h"

static const char model[] = "shared x, y;\n"
                            "mutex m;\n"
                            "thread a { x = 1; lock m; y = x; unlock m; assert (y < 3); }\n"
                            "thread b { lock m; x = y + 2; unlock m; y = x; }\n"
                            "thread c { await (x > 0); y = 2; }\n";

static void try_file(const char *data, size_t size) {
    hd_engine_keep keep = {.asked = hd_mem_string("explore", strlen("explore")), .build = "fuzz"};
    hd_vec_char file = {0};
    hd_error error = {""};
    uint64_t sum = hd_bytes_sum(data, size);
    for (size_t i = 0; i < size; i++)
        hd_vec_push(&file, data[i]);
    for (int i = 0; i < 8; i++)
        hd_vec_push(&file, (char)(unsigned char)(sum >> 8 * i));
    if (!hd_engine_keep_parse(&keep, &file, &error))
        fuzz_explained(&error);
    hd_vec_release(&file);
    hd_engine_keep_release(&keep);
}

static void try_state(const char *data, size_t size) {
    hd_engine_exploration e;
    hd_engine_explore_init(&e, "fuzz.hdm", (hd_engine_words){0});
    hd_bytes from = {data, data + size, false};
    hd_verdict_get_rests(&e.rested, &from);
    if (hd_engine_explore_get(&e, &from)) {
        hd_vec_char again = {0};
        hd_engine_explore_put(&e, &again);
        hd_vec_release(&again);
    }
    hd_engine_explore_release(&e);
}

static void try_search(const char *data, size_t size) {
    enum { MOST = 2000 };
    hd_model_error wrong = {0};
    hd_vec_char bytes = {0};
    hd_error error = {""};
    hd_machine *machine =
        hd_model_load(fuzz_file("model", model, sizeof model - 1), NULL, 0, &wrong);
    if (!machine)
        fuzz_fail("%s", "the model is not one");
    for (size_t i = 0; i < size; i++)
        hd_vec_push(&bytes, data[i]);
    hd_explore_keeper keeper = {.every = 1e9, .from = &bytes};
    hd_explore_options options = {
        .algorithm = HD_EXPLORE_SDPOR, .keeper = &keeper, .most_seconds = 0, .most_steps = MOST};
    hd_explore_result result;
    if (!hd_explore_run(machine, &options, &result, &error))
        fuzz_explained(&error);
    machine->type->free(machine);
    hd_vec_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *rest = (const char *)data + 1;
    if (!size)
        return 0;
    if (data[0] == 'f')
        try_file(rest, size - 1);
    else if (data[0] == 's')
        try_state(rest, size - 1);
    else if (data[0] == 'k')
        try_search(rest, size - 1);
    return 0;
}
