/*
 * The model language on any bytes: no crash, an error with its place in the text; and a
 * model that is accepted can be printed, runs, and is where it was when its steps are undone.
 */
#include "fuzz_common.h"
#include "model/model.h"

enum { MOST_THREADS = 16, MOST_STEPS = 200, MOST_POSITIONS = 200 };

static void check_error(const hd_model_error *error, size_t size) {
    if (!error->text[0] || strchr(error->text, '\n'))
        fuzz_fail("bad error text '%s'", error->text);
    if (error->line > size + 1 || error->column > size + 2 ||
        error->caret > strlen(error->source) + 1)
        fuzz_fail("line %u, column %u, caret %u of %zu bytes", error->line, error->column,
                  error->caret, size);
    hd_vec_char text = {0};
    hd_model_error_format(error, "fuzz", &text);
    hd_vec_release(&text);
}

static void print(hd_machine *machine) {
    hd_vec_char text = {0};
    hd_model_explain(machine, &text);
    for (uint32_t p = 0; p < hd_model_positions(machine) && p < MOST_POSITIONS; p++)
        hd_model_text(machine, p, &text);
    hd_vec_release(&text);
}

/* An enabled thread, from `from` on; `threads` if none exists. */
static uint32_t enabled(hd_machine *machine, uint32_t from, hd_machine_operation *operation) {
    for (uint32_t i = 0; i < machine->threads; i++) {
        uint32_t thread = (from + i) % machine->threads;
        if (machine->type->next(machine, thread, operation) && operation->enabled)
            return thread;
    }
    return machine->threads;
}

static void run_and_undo(hd_machine *machine, hd_random *random) {
    hd_vec_char text = {0};
    uint64_t first = hd_model_hash(machine);
    uint32_t steps = 0;
    enum hd_machine_result result = HD_MACHINE_WENT_ON;
    while (steps < MOST_STEPS && result == HD_MACHINE_WENT_ON) {
        hd_machine_operation operation;
        uint32_t from = (uint32_t)hd_random_below(random, machine->threads);
        uint32_t thread = enabled(machine, from, &operation);
        if (thread == machine->threads)
            break;
        machine->type->describe(machine, thread, &text);
        uint32_t choice = (uint32_t)hd_random_below(random, operation.choices);
        result = machine->type->step(machine, thread, choice);
        steps++;
    }
    if (result == HD_MACHINE_FAILED)
        machine->type->failure(machine, &text);
    while (steps--)
        machine->type->undo(machine);
    if (hd_model_hash(machine) != first)
        fuzz_fail("%s", "undone, but not where it was");
    hd_vec_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hd_model_error error;
    hd_machine *machine = hd_model_parse("fuzz", (const char *)data, size, NULL, 0, &error);
    if (!machine) {
        check_error(&error, size);
        return 0;
    }
    if (machine->threads && machine->threads <= MOST_THREADS) {
        hd_random random;
        hd_random_seed(&random, size);
        print(machine);
        run_and_undo(machine, &random);
    }
    machine->type->free(machine);
    return 0;
}
