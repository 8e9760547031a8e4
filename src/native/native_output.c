/*
 * Output, marks and inputs of a run.
 */
#include "native_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* A piece of text that is sorted: a line of a block, or what a thread said. */
typedef struct piece {
    const char *text;
    size_t length;
    const char *thread; /* NULL: the text decides */
    size_t order;       /* of those of a thread */
} piece;

typedef HD_VEC(piece) pieces;

static int compare_texts(const piece *a, const piece *b) {
    size_t both = a->length < b->length ? a->length : b->length;
    int less = both ? memcmp(a->text, b->text, both) : 0;
    return less ? less : (a->length > b->length) - (a->length < b->length);
}

static int compare(const void *one, const void *other) {
    const piece *a = one, *b = other;
    int less = a->thread && b->thread ? strcmp(a->thread, b->thread) : compare_texts(a, b);
    return less ? less : (a->order > b->order) - (a->order < b->order);
}

static void put(hd_vec_char *to, const char *text, size_t length) {
    size_t before = to->length;
    hd_vec_resize(to, before + length);
    if (length)
        memcpy(to->data + before, text, length);
}

/* ---- Output ---- */

/* As it is; only its beginning is kept. */
static void take_plain(int file, uint64_t wrote, hd_launch_log *log) {
    char part[HD_LAUNCH_OUTPUT];
    while (log->wrote < wrote) {
        size_t wanted = wrote - log->wrote < sizeof part ? wrote - log->wrote : sizeof part;
        ssize_t length = pread(file, part, wanted, (off_t)log->wrote);
        if (length <= 0)
            break;
        if (!log->wrote)
            put(&log->output, part, (size_t)length);
        log->sum = XXH3_64bits_withSeed(part, (size_t)length, log->sum + 1);
        log->wrote += (uint64_t)length;
    }
}

static void read_all(int file, uint64_t wrote, hd_vec_char *to) {
    struct stat status;
    uint64_t there = fstat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
    wrote = wrote < there ? wrote : there;
    hd_vec_resize(to, wrote);
    size_t length = 0;
    while (length < wrote) {
        ssize_t got = pread(file, to->data + length, wrote - length, (off_t)length);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    to->length = length;
}

static const heddle_wire_saying *saying_at(const heddle_wire_explore *explore, uint64_t at) {
    const heddle_wire_saying *it = (const heddle_wire_saying *)(explore->saying + at);
    bool whole = at + sizeof *it <= HEDDLE_WIRE_SAYINGS && at < explore->said;
    return whole && at + sizeof *it + it->label <= HEDDLE_WIRE_SAYINGS ? it : NULL;
}

static uint64_t after(const heddle_wire_saying *it, uint64_t at) {
    return at + (sizeof *it + it->label + 7) / 8 * 8;
}

/* ---- What is left out ---- */

void hd_native_left_out_init(hd_native_left_out *left_out,
                             const hd_native_machine_options *options) {
    *left_out = (hd_native_left_out){.leaves_out = options->leaves_out,
                                     .context = options->leaves_out_context};
}

void hd_native_left_out_release(hd_native_left_out *left_out) {
    if (left_out->symbols)
        hd_symbols_free(left_out->symbols);
    hd_map_release(&left_out->counts);
}

static bool ask(hd_native_left_out *left_out, const hd_launch_run *run, const char *label,
                uint64_t code) {
    hd_vec_char place = {0}, function = {0};
    if (!left_out->symbols)
        left_out->symbols = hd_symbols_create(run);
    if (code) {
        hd_symbols_line(left_out->symbols, code, &place);
        hd_symbols_function(left_out->symbols, code, &function);
    }
    hd_vec_push(&place, '\0');
    hd_vec_push(&function, '\0');
    bool answer = left_out->leaves_out(left_out->context, label, place.data, function.data);
    hd_vec_release(&place);
    hd_vec_release(&function);
    return answer;
}

static bool is_left_out(hd_native_left_out *left_out, const hd_launch_run *run,
                        const heddle_wire_saying *it) {
    bool added;
    if (!left_out->leaves_out)
        return false;
    const char *text = (const char *)(it + 1);
    bool output = it->kind == HEDDLE_WIRE_SAID_ANY_ORDER || it->kind == HEDDLE_WIRE_SAID_IN_ORDER;
    uint64_t key = XXH3_64bits_withSeed(text, it->label, it->code * 2 + output);
    if (hd_map_find(&left_out->counts, key))
        return false;
    char *label = hd_mem_string(text, it->label);
    bool answer = ask(left_out, run, output ? NULL : label, it->code);
    free(label);
    if (!answer)
        *hd_map_at(&left_out->counts, key, &added) = 1;
    return answer;
}

/* What is in blocks, and what is not. */
static void part_output(const hd_launch_run *run, const heddle_wire_explore *explore,
                        hd_native_left_out *left_out, const hd_vec_char *all, hd_vec_char *in_order,
                        hd_vec_char *any_order) {
    const heddle_wire_saying *it;
    hd_vec_char *to = in_order;
    uint64_t from = 0;
    for (uint64_t at = 0; (it = saying_at(explore, at)); at = after(it, at)) {
        bool begins = it->kind == HEDDLE_WIRE_SAID_ANY_ORDER;
        if (!begins && it->kind != HEDDLE_WIRE_SAID_IN_ORDER)
            continue;
        uint64_t until = it->at < all->length ? it->at : all->length;
        if (until > from && to)
            put(to, all->data + from, until - from);
        from = until > from ? until : from;
        to = is_left_out(left_out, run, it) ? NULL : begins ? any_order : in_order;
    }
    if (from < all->length && to)
        put(to, all->data + from, all->length - from);
}

static void sort_lines(const hd_vec_char *text, hd_vec_char *to) {
    pieces lines = {0};
    for (size_t at = 0; at < text->length;) {
        const char *end = memchr(text->data + at, '\n', text->length - at);
        size_t length = end ? (size_t)(end - (text->data + at)) : text->length - at;
        hd_vec_push(&lines, (piece){.text = text->data + at, .length = length});
        at += length + 1;
    }
    if (lines.length)
        qsort(lines.data, lines.length, sizeof *lines.data, compare);
    for (size_t i = 0; i < lines.length; i++) {
        put(to, lines.data[i].text, lines.data[i].length);
        hd_vec_push(to, '\n');
    }
    hd_vec_release(&lines);
}

/* Where lines of blocks begin is part of the hash: in order they are something else. */
static void take_parted(int file, const hd_launch_run *run, const heddle_wire_explore *explore,
                        hd_native_left_out *left_out, hd_launch_log *log) {
    hd_vec_char all = {0}, in_order = {0}, any_order = {0};
    read_all(file, explore->wrote, &all);
    part_output(run, explore, left_out, &all, &in_order, &any_order);
    log->wrote = in_order.length + any_order.length;
    if (log->wrote) /* else it is as if nothing had been written */
        log->sum = XXH3_64bits_withSeed(in_order.data, in_order.length, any_order.length);
    size_t before = in_order.length;
    sort_lines(&any_order, &in_order);
    if (in_order.length)
        log->sum = XXH3_64bits_withSeed(in_order.data + before, in_order.length - before, log->sum);
    put(&log->output, in_order.data,
        in_order.length < HD_LAUNCH_OUTPUT ? in_order.length : HD_LAUNCH_OUTPUT);
    hd_vec_release(&all);
    hd_vec_release(&in_order);
    hd_vec_release(&any_order);
}

/* ---- Marks and inputs ---- */

static void name_thread(const heddle_wire_explore *explore, uint32_t thread, hd_vec_char *to) {
    if (!thread || thread >= explore->threads) {
        hd_text_append(to, "main");
        return;
    }
    if (explore->name[thread].creator < thread)
        name_thread(explore, explore->name[thread].creator, to);
    hd_text_append(to, ".%u", explore->name[thread].birth);
}

static bool is_wanted(const heddle_wire_saying *it, bool inputs) {
    return inputs ? it->kind == HEDDLE_WIRE_SAID_INPUT
                  : it->kind == HEDDLE_WIRE_SAID_MARK || it->kind == HEDDLE_WIRE_SAID_NOTE;
}

static piece line_of(const heddle_wire_explore *explore, const heddle_wire_saying *it) {
    hd_vec_char thread = {0}, text = {0};
    name_thread(explore, it->thread, &thread);
    hd_vec_push(&thread, '\0');
    hd_text_append(&text, "%s ", thread.data);
    put(&text, (const char *)(it + 1), it->label);
    if (it->kind == HEDDLE_WIRE_SAID_NOTE)
        hd_text_append(&text, "=");
    if (it->kind != HEDDLE_WIRE_SAID_MARK)
        hd_text_append(&text, "%lld", (long long)it->value);
    return (piece){.thread = thread.data, .text = text.data, .length = text.length};
}

static void take_said(const hd_launch_run *run, const heddle_wire_explore *explore,
                      hd_native_left_out *left_out, bool inputs, hd_vec_char *to) {
    const heddle_wire_saying *it;
    pieces lines = {0};
    for (uint64_t at = 0; (it = saying_at(explore, at)); at = after(it, at)) {
        if (!is_wanted(it, inputs) || (!inputs && is_left_out(left_out, run, it)))
            continue;
        piece line = line_of(explore, it);
        line.order = lines.length;
        hd_vec_push(&lines, line);
    }
    if (lines.length)
        qsort(lines.data, lines.length, sizeof *lines.data, compare);
    for (size_t i = 0; i < lines.length; i++) {
        put(to, lines.data[i].text, lines.data[i].length);
        hd_vec_push(to, '\n');
        free((void *)(uintptr_t)lines.data[i].text);
        free((void *)(uintptr_t)lines.data[i].thread);
    }
    hd_vec_release(&lines);
}

/* ---- All of it ---- */

static bool has_parts(const heddle_wire_explore *explore, const hd_native_left_out *left_out) {
    const heddle_wire_saying *it;
    for (uint64_t at = 0; (it = saying_at(explore, at)); at = after(it, at))
        if (it->kind == HEDDLE_WIRE_SAID_ANY_ORDER ||
            (left_out->leaves_out && it->kind == HEDDLE_WIRE_SAID_IN_ORDER))
            return true;
    return false;
}

void hd_native_output_take(int file, const hd_launch_run *run, hd_native_left_out *left_out,
                           hd_launch_log *log) {
    const heddle_wire_explore *explore =
        (const heddle_wire_explore *)((char *)run->wire + run->size - sizeof *explore);
    hd_launch_log_silence(log);
    if (has_parts(explore, left_out))
        take_parted(file, run, explore, left_out, log);
    else
        take_plain(file, explore->wrote, log);
    log->unsaid = explore->said_lost != 0;
    if (!explore->said)
        return;
    take_said(run, explore, left_out, false, &log->marks);
    take_said(run, explore, left_out, true, &log->inputs);
    if (log->marks.length)
        log->sum = XXH3_64bits_withSeed(log->marks.data, log->marks.length, log->sum);
}
