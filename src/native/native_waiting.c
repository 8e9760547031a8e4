/*
 * What each thread waits for, at the end of a run in which no thread could go on.
 */
#include "launch/launch.h"
#include "recording/recording.h"
#include "symbols/symbols.h"

static void print_object(hd_recording_memory *memory, uint64_t address, hd_vec_char *to) {
    hd_text_append(to, " ");
    hd_recording_memory_name(memory, address, true, to);
}

static void print_thread(const hd_launch_run *run, hd_recording_memory *memory,
                         const heddle_wire_thread *thread, hd_vec_char *to) {
    const heddle_wire_operation *pending = &thread->pending;
    switch (pending->kind) {
    case HEDDLE_ACQUIRE + 1:
    case HEDDLE_READ_ACQUIRE + 1:
        hd_text_append(to, " waits for lock");
        print_object(memory, pending->address, to);
        if (thread->holder && thread->holder <= run->wire->threads) {
            hd_text_append(to, ", which ");
            hd_launch_thread_name(run, thread->holder - 1, to);
            hd_text_append(to, " holds");
        }
        break;
    case HEDDLE_WAKE + 1:
        hd_text_append(to, " waits on condition");
        print_object(memory, pending->address, to);
        break;
    case HEDDLE_JOIN + 1:
        hd_text_append(to, " waits for the end of ");
        if (pending->address < run->wire->threads)
            hd_launch_thread_name(run, (uint32_t)pending->address, to);
        break;
    case HEDDLE_RECV + 1:
        hd_text_append(to, " waits for semaphore");
        print_object(memory, pending->address, to);
        break;
    case HEDDLE_BARRIER_OUT + 1:
        hd_text_append(to, " waits at barrier");
        print_object(memory, pending->address, to);
        break;
    case HEDDLE_WIRE_ONCE:
        hd_text_append(to, " waits for the initialisation of");
        print_object(memory, pending->address, to);
        break;
    case HEDDLE_WIRE_EXTERNAL:
        hd_text_append(to, " waits for what is outside the program");
        break;
    case HEDDLE_WIRE_FUTEX:
        hd_text_append(to, " waits in a futex call at");
        print_object(memory, pending->address, to);
        break;
    default:
        hd_text_append(to, " does not wait");
        break;
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
