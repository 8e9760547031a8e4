#include "packed_users.h"

enum { MARK = 1U << 30 }; /* above the numbers of threads */

static bool is_marked(uint32_t user) {
    return user != UINT32_MAX && user & MARK;
}

void hd_packed_gone_add(hd_packed_gone *gone, hd_vec_u32 *users, hd_packed_granules *granules,
                        const hd_packed_record *record) {
    uint32_t self = record->thread + 1;
    uint64_t end = record->address + record->size;
    if (record->thread >= HEDDLE_WIRE_THREADS)
        return;
    uint32_t i = hd_packed_granule(granules, record->address);
    for (uint64_t from = record->address; from < end && i < users->length; i++) {
        if (!users->data[i] || users->data[i] == self)
            users->data[i] = MARK | self;
        from = hd_packed_granule_next(granules, from);
    }
    if (gone->codes.length <= record->thread)
        hd_vec_resize(&gone->codes, record->thread + 1);
    gone->codes.data[record->thread] = record->code;
    gone->any = true;
}

void hd_packed_gone_join(hd_packed_gone *gone, uint64_t thread) {
    if (thread < gone->codes.length)
        gone->codes.data[thread] = 0;
}

bool hd_packed_gone_take(hd_packed_gone *gone, hd_vec_u32 *users, hd_packed_granules *granules,
                         const hd_packed_record *record, hd_packed_record *end) {
    uint64_t last = record->address + record->size;
    uint32_t granule = hd_packed_granule(granules, record->address);
    for (uint64_t from = record->address, to; from < last && granule < users->length;
         from = to, granule++) {
        uint32_t *user = &users->data[granule];
        to = hd_packed_granule_next(granules, from);
        if (!is_marked(*user))
            continue;
        uint32_t thread = (*user & ~(uint32_t)MARK) - 1;
        *user = record->thread + 1;
        if (thread == record->thread || thread >= gone->codes.length || !gone->codes.data[thread])
            continue;
        *end = (hd_packed_record){.thread = thread,
                                  .op = HEDDLE_WIRE_FREE,
                                  .silent = true,
                                  .address = from,
                                  .code = gone->codes.data[thread],
                                  .size = to - from};
        return true;
    }
    return false;
}
