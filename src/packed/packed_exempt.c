#include "packed_exempt.h"

void hd_packed_exempt_release(hd_packed_exempt *exempt) {
    hd_vec_release(&exempt->ranges);
    hd_vec_release(&exempt->threads);
}

/* Memory that is freed, or new, is not what was meant. */
static void end_ranges(hd_packed_exempt *exempt, uint64_t address, uint64_t size) {
    size_t kept = 0;
    for (size_t i = 0; i < exempt->ranges.length; i++)
        if (exempt->ranges.data[i].address < address ||
            exempt->ranges.data[i].address - address >= size)
            exempt->ranges.data[kept++] = exempt->ranges.data[i];
    exempt->ranges.length = kept;
}

/* Of ranges that reach into this memory, what lies before it and after it stays. */
static void cut_ranges(hd_packed_exempt *exempt, uint64_t address, uint64_t size) {
    size_t kept = 0, count = exempt->ranges.length;
    for (size_t i = 0; i < count; i++) {
        struct hd_packed_benign it = exempt->ranges.data[i];
        bool meets = it.address - address < size || address - it.address < it.size;
        if (!meets) {
            exempt->ranges.data[kept++] = it;
            continue;
        }
        uint64_t end = address + size, its_end = it.address + it.size;
        if (its_end > end && end > it.address)
            hd_vec_push(&exempt->ranges, (struct hd_packed_benign){end, its_end - end});
        if (it.address < address)
            exempt->ranges.data[kept++] =
                (struct hd_packed_benign){it.address, address - it.address};
    }
    while (count < exempt->ranges.length)
        exempt->ranges.data[kept++] = exempt->ranges.data[count++];
    exempt->ranges.length = kept;
}

static bool has_range(const hd_packed_exempt *exempt, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < exempt->ranges.length; i++)
        if (exempt->ranges.data[i].address == address && exempt->ranges.data[i].size >= size)
            return true;
    return false;
}

void hd_packed_exempt_take(hd_packed_exempt *exempt, const hd_packed_record *record) {
    switch (record->op) {
    case HEDDLE_WIRE_BENIGN:
        if (!has_range(exempt, record->address, record->size))
            hd_vec_push(&exempt->ranges, (struct hd_packed_benign){record->address, record->size});
        break;
    case HEDDLE_WIRE_CHECKED:
        cut_ranges(exempt, record->address, record->size);
        break;
    case HEDDLE_WIRE_IGNORE:
        if (record->thread >= HEDDLE_WIRE_THREADS)
            break;
        if (exempt->threads.length <= record->thread)
            hd_vec_resize(&exempt->threads, record->thread + 1);
        exempt->threads.data[record->thread] = (char)(record->size & 3);
        break;
    case HEDDLE_WIRE_FREE:
    case HEDDLE_WIRE_ALLOCATE:
        if (exempt->ranges.length)
            end_ranges(exempt, record->address, record->size ? record->size : 1);
        break;
    default:
        break;
    }
}

static bool is_ignored(const hd_packed_exempt *exempt, uint32_t thread, bool writes) {
    return thread < exempt->threads.length && exempt->threads.data[thread] & (writes ? 2 : 1);
}

bool hd_packed_exempt_has(const hd_packed_exempt *exempt, const hd_packed_record *record) {
    bool writes = record->op == HEDDLE_WRITE + 1 || record->op == HEDDLE_WIRE_WRITE_RANGE;
    if (!writes && record->op != HEDDLE_READ + 1 && record->op != HEDDLE_WIRE_READ_RANGE)
        return false;
    if (is_ignored(exempt, record->thread, writes))
        return true;
    for (size_t i = 0; i < exempt->ranges.length; i++) {
        const struct hd_packed_benign *it = &exempt->ranges.data[i];
        if (record->address - it->address < it->size ||
            it->address - record->address < record->size)
            return true;
    }
    return false;
}
