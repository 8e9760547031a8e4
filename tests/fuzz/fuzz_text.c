/*
 * The text reader on any bytes: no crash, and what it accepts survives the way
 * through the binary format and back.
 */
#include "fuzz_common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hd_trace trace;
    if (size && data[0] == 0x89)
        return 0; /* the other target's */
    if (!fuzz_load(&trace, data, size, HD_TRACE_COMMENTS))
        return 0;
    fuzz_round_trip(&trace);
    hd_trace_release(&trace);
    return 0;
}
