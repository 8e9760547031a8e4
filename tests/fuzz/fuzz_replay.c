/*
 * The reader of machine witnesses and the replay of them: the first byte of the
 * input is a model, the rest a witness of it.  A schedule that shows its claim
 * does so again when it is shrunk, saved and read back.
 */
#include "fuzz_common.h"
#include "model/model.h"
#include "replay/replay.h"

/* Small, so that no schedule runs for long; with every way to block and to fail. */
static const char *const models[] = {
    "shared x; thread a { x = 1; } thread b { assert (x == 0); }",
    "mutex m, n; thread t[2] { lock m; lock n; unlock n; unlock m; }"
    "thread u { lock n; lock m; unlock m; unlock n; }",
    "shared x, a[2]; mutex m; cond c;"
    "thread w[3] { lock m; wait c, m; a[x] = 1; x = x + 1; unlock m; }"
    "thread n { lock m; notify c; unlock m; lock m; notifyall c; unlock m; }",
    "shared x; thread t[2] { while (true) x = x + 1 + 0 / (x - 3 + id); }",
};
enum { MODELS = sizeof models / sizeof *models };

static void go_through(const hd_replay_witness *witness, hd_machine *machine) {
    hd_error error = {""};
    hd_replay_shrunk shrunk;
    if (!hd_replay_shrink(machine, witness->claim, &witness->schedule, 1000, &shrunk, &error))
        fuzz_fail("shown once, then not: %s", error.text);
    if (shrunk.schedule.length > witness->schedule.length)
        fuzz_fail("%zu steps became %zu", witness->schedule.length, shrunk.schedule.length);
    const char *path = fuzz_path("replay");
    hd_replay_witness small = *witness, again;
    hd_replay_outcome outcome;
    small.schedule = shrunk.schedule;
    hd_replay_witness_init(&again);
    if (!hd_replay_witness_save(&small, machine, path, &error) ||
        !hd_replay_witness_load(&again, path, &error) ||
        !hd_replay_witness_bind(&again, machine, &error) ||
        !hd_replay_witness_run(&again, machine, NULL, &outcome, &error) ||
        !hd_replay_shows(machine, &outcome, again.claim, &error))
        fuzz_fail("saved, then not shown: %s", error.text);
    hd_replay_witness_release(&again);
    hd_vec_release(&shrunk.schedule);
}

static void try_witness(hd_replay_witness *witness, hd_machine *machine) {
    hd_error error = {""};
    hd_replay_outcome outcome;
    if (hd_replay_witness_bind(witness, machine, &error) &&
        hd_replay_witness_run(witness, machine, NULL, &outcome, &error) &&
        hd_replay_shows(machine, &outcome, witness->claim, &error))
        go_through(witness, machine);
    else
        fuzz_explained(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hd_model_error bad;
    hd_error error = {""};
    hd_replay_witness witness;
    if (size == 0)
        return 0;
    const char *text = models[data[0] % MODELS];
    hd_replay_witness_init(&witness);
    if (!hd_replay_witness_read(&witness, data + 1, size - 1, "fuzz", &error)) {
        fuzz_explained(&error);
        return 0;
    }
    hd_machine *machine = hd_model_parse("fuzz", text, strlen(text), NULL, 0, &bad);
    try_witness(&witness, machine);
    machine->type->free(machine);
    hd_replay_witness_release(&witness);
    return 0;
}
