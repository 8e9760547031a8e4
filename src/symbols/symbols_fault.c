#include "symbols_fault.h"

/* What the thread did to memory that was freed, or to a lock. */
static const char *verb_of(const heddle_wire_fault *fault) {
    switch (fault->kind) {
    case HEDDLE_WIRE_DESTROYED:
        return "destroyed";
    case HEDDLE_WIRE_STATIC_AGAIN:
    case HEDDLE_WIRE_ONCE_AGAIN:
        return "begun";
    case HEDDLE_WIRE_WAIT_WITH:
    case HEDDLE_WIRE_WAIT_ON:
        return "waited on";
    case HEDDLE_WIRE_UNLOCK:
    case HEDDLE_WIRE_DESTROY:
    case HEDDLE_WIRE_INITIALISE:
    case HEDDLE_WIRE_RELOCK:
        return "locked";
    default:
        return "freed";
    }
}

void hd_symbols_fault(hd_symbols *symbols, const heddle_wire_fault *fault, hd_symbols_thread *name,
                      const void *context, hd_vec_char *to) {
    const struct {
        const char *what;
        uint32_t thread;
        uint64_t code;
    } parts[] = {{verb_of(fault), fault->freed_by, fault->freed},
                 {"allocated", fault->made_by, fault->made}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        hd_vec_char line = {0};
        if (!parts[i].code || parts[i].thread >= HEDDLE_WIRE_THREADS)
            continue;
        hd_text_append(to, ", %s by ", parts[i].what);
        name(context, parts[i].thread, to);
        if (hd_symbols_line(symbols, parts[i].code, &line))
            hd_text_append(to, " (%s)", line.data);
        hd_vec_release(&line);
    }
}
