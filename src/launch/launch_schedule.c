#include "launch_schedule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch_wire.h"

static void add_run(hd_launch_schedule *schedule, uint32_t thread, uint64_t steps) {
    size_t length = schedule->runs.length;
    if (!steps)
        return;
    /* A full chunk splits a run in two. */
    if (length && schedule->runs.data[length - 1].thread == thread)
        schedule->runs.data[length - 1].steps += (uint32_t)steps;
    else
        hd_vec_push(&schedule->runs, (heddle_wire_run){thread, (uint32_t)steps});
}

static bool is_step(const hd_packed_record *record) {
    switch (record->op) {
    case HEDDLE_READ + 1:
    case HEDDLE_WRITE + 1:
    case HEDDLE_MARK + 1:
    case HEDDLE_BEGIN + 1:
    case HEDDLE_END + 1:
        return true;
    case HEDDLE_WIRE_READ_RANGE:
    case HEDDLE_WIRE_WRITE_RANGE:
        return !record->silent;
    case HEDDLE_WIRE_FREE:
        return record->size > 0 && !record->silent;
    default:
        return false;
    }
}

void hd_launch_schedule_of(hd_launch_schedule *schedule, const hd_launch_run *run) {
    *schedule = (hd_launch_schedule){.seed = run->wire->seed};
    hd_launch_reader reader;
    hd_packed_record record;
    hd_launch_reader_init(&reader, run);
    uint32_t thread = 0;
    uint64_t steps = 0;
    reader.show_switches = true;
    while (hd_launch_reader_next(&reader, &record)) {
        if (record.op == HEDDLE_WIRE_SWITCH) {
            add_run(schedule, thread, steps + record.size);
            thread = record.thread;
            steps = 0;
        }
        steps += is_step(&record);
    }
    add_run(schedule, thread, steps + run->wire->steps);
    hd_launch_reader_release(&reader);
}

bool hd_launch_schedule_save(const hd_launch_schedule *schedule, const char *path,
                             hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return false;
    hd_file_print(file, "# heddle schedule 1\nseed %llu\n", (unsigned long long)schedule->seed);
    for (size_t i = 0; i < schedule->runs.length; i++)
        hd_file_print(file, "%u %u\n", schedule->runs.data[i].thread, schedule->runs.data[i].steps);
    return hd_file_commit(file, error);
}

/* One line: the seed, or a run. */
static bool take_line(hd_launch_schedule *schedule, char *line) {
    size_t length = strcspn(line, "\r\n");
    line[length] = '\0';
    char *blank = strchr(line, ' ');
    if (line[0] == '#' || !length)
        return true;
    if (!blank)
        return false;
    uint64_t first, second;
    if (!hd_text_u64(blank + 1, strlen(blank + 1), &second))
        return false;
    if (strncmp(line, "seed ", 5) == 0) {
        schedule->seed = second;
        return true;
    }
    if (!hd_text_u64(line, (size_t)(blank - line), &first) || first >= HEDDLE_WIRE_THREADS ||
        second > UINT32_MAX)
        return false;
    hd_vec_push(&schedule->runs, (heddle_wire_run){(uint32_t)first, (uint32_t)second});
    return true;
}

bool hd_launch_schedule_load(hd_launch_schedule *schedule, const char *path, hd_error *error) {
    *schedule = (hd_launch_schedule){0};
    hd_vec_char text = {0};
    unsigned number = 0;
    bool good = hd_file_load(path, &text, error);
    for (char *line = text.data; good && line < text.data + text.length;) {
        char *end = strchrnul(line, '\n');
        size_t length = (size_t)(end - line) + (*end == '\n');
        char kept = line[length];
        line[length] = '\0';
        if (++number, !take_line(schedule, line))
            good = hd_error_set(error, "%s:%u: not a line of a schedule", path, number);
        line[length] = kept;
        line += length + (!length); /* a NUL is no line */
    }
    hd_vec_release(&text);
    if (good && !schedule->runs.length)
        good = hd_error_set(error, "%s: no schedule", path);
    if (!good)
        hd_launch_schedule_release(schedule);
    return good;
}

void hd_launch_schedule_release(hd_launch_schedule *schedule) {
    hd_vec_release(&schedule->runs);
}
