/*
 * The witness reader and the checker: the input is a trace, a line of dashes,
 * and a witness of it.  What the checker accepts, it accepts again once saved
 * and read back.
 */
#include "fuzz_common.h"
#include "witness/witness.h"

static const char separator[] = "\n---\n";

static void check_again(const hd_witness *witness, const hd_trace *trace) {
    const char *path = fuzz_path("witness");
    hd_witness again;
    hd_error error = {""};
    hd_witness_init(&again);
    if (!hd_witness_save(witness, trace, path, &error) ||
        !hd_witness_load(&again, trace, path, &error) || !hd_witness_check(&again, trace, &error))
        fuzz_fail("accepted once, then not: %s", error.text);
    hd_witness_release(&again);
}

static void try_witness(const hd_trace *trace, const uint8_t *data, size_t size) {
    hd_witness witness;
    hd_error error = {""};
    hd_witness_init(&witness);
    if (hd_witness_read(&witness, trace, data, size, "fuzz", &error)) {
        if (hd_witness_check(&witness, trace, &error))
            check_again(&witness, trace);
        else if (!error.text[0])
            fuzz_fail("%s", "rejected without a word");
    } else if (!error.text[0])
        fuzz_fail("%s", "refused without a word");
    hd_witness_release(&witness);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *split = size ? memmem(data, size, separator, sizeof separator - 1) : NULL;
    hd_trace trace;
    if (!split || !fuzz_load(&trace, data, (size_t)(split - data) + 1, 0))
        return 0;
    const uint8_t *rest = split + sizeof separator - 1;
    try_witness(&trace, rest, size - (size_t)(rest - data));
    hd_trace_release(&trace);
    return 0;
}
