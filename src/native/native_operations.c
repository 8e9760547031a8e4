#include "native_operations.h"

#include "heddle/wire.h"

static const hd_native_operation operations[] = {
#define OPERATION(kind, verb, wait) {kind, verb, wait},
#include "native_operations.def"
#undef OPERATION
};

size_t hd_native_operations(const hd_native_operation **all) {
    *all = operations;
    return sizeof operations / sizeof *operations;
}

const hd_native_operation *hd_native_operation_of(int kind) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (operations[i].kind == kind)
            return &operations[i];
    return NULL;
}
