/*
 * What each thread waits for, at the end of a run in which no thread could go on.
 */
#include "native_waiting.h"

#include "native_operations.h"
#include "recording/recording.h"
#include "symbols/symbols.h"

static void print_thread(const hd_launch_run *run, hd_recording_memory *memory,
                         const heddle_wire_thread *thread, hd_vec_char *to) {
    const heddle_wire_operation *pending = &thread->pending;
    const hd_native_operation *known = hd_native_operation_of(pending->kind);
    bool waits = known && *known->wait;
    hd_text_append(to, " %s", waits ? known->wait : "does not wait");
    if (!waits || pending->kind == HEDDLE_WIRE_EXTERNAL)
        return;
    hd_text_append(to, " ");
    if (pending->kind != HEDDLE_JOIN + 1)
        hd_recording_memory_name(memory, pending->address, true, to);
    else if (pending->address < run->wire->threads)
        hd_launch_thread_name(run, (uint32_t)pending->address, to);
    bool lock = pending->kind == HEDDLE_ACQUIRE + 1 || pending->kind == HEDDLE_READ_ACQUIRE + 1;
    if (lock && thread->holder && thread->holder <= run->wire->threads) {
        hd_text_append(to, ", which ");
        hd_launch_thread_name(run, thread->holder - 1, to);
        hd_text_append(to, " holds");
    }
}

void hd_native_waiting(const hd_launch_run *run, hd_vec_char *to) {
    hd_symbols *symbols = hd_symbols_create(run);
    hd_recording_memory *memory = hd_recording_memory_create(run, symbols);
    hd_launch_reader reader;
    hd_packed_record record;
    hd_launch_reader_init(&reader, run);
    while (hd_launch_reader_next(&reader, &record))
        if (record.op == HEDDLE_WIRE_ALLOCATE)
            hd_recording_memory_note_block(memory, &record);
    hd_launch_reader_release(&reader);
    hd_recording_memory_noted(memory);
    hd_text_append(to, "%s", "");
    for (uint32_t i = 0; i < reader.threads; i++) {
        const heddle_wire_thread *thread = &run->wire->thread[i];
        if (thread->state != HEDDLE_WIRE_LIVE)
            continue;
        hd_text_append(to, "  ");
        hd_launch_thread_name(run, i, to);
        print_thread(run, memory, thread, to);
        hd_text_append(to, " at ");
        if (!hd_symbols_line(symbols, thread->pending.code, to))
            hd_text_append(to, "0x%llx", (unsigned long long)thread->pending.code);
        hd_text_append(to, "\n");
    }
    hd_recording_memory_free(memory);
    hd_symbols_free(symbols);
}
