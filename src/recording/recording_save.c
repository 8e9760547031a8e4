#include "recording_save.h"

#include <stdlib.h>

#include "launch/launch.h"
#include "recording_certain.h"
#include "recording_end.h"
#include "recording_memory.h"
#include "symbols/symbols.h"

enum { SECTION = 4 << 20, MARKS = HEDDLE_WIRE_PAGE / 8 };

typedef HD_VEC(const heddle_wire_page *) page_list; /* by address */

typedef struct saver {
    const hd_launch_run *run;
    hd_symbols *symbols;
    hd_recording_memory *memory;
    hd_trace_recording *file;
    hd_trace_bytes payload;
    hd_vec_char text, before;
    bool split; /* an access may be several events */
} saver;

/* --- tables --------------------------------------------------------------------------------- */

static void put_text(saver *s) {
    hd_trace_put_string(&s->payload, s->text.data, s->text.length);
}

static void put_threads(saver *s) {
    uint32_t count = s->run->wire->threads;
    hd_trace_put_number(&s->payload, count);
    for (uint32_t i = 0; i < count; i++) {
        hd_vec_clear(&s->text);
        hd_launch_thread_name(s->run, i, &s->text);
        put_text(s);
    }
}

/* A file of a free run has the functions whether calls were recorded or not. */
static bool has_functions(const hd_launch_run *run) {
    return run->wire->calls || run->wire->mode == HEDDLE_WIRE_FREE_RUNNING;
}

static void put_codes(saver *s) {
    hd_vec_u64 codes = hd_recording_sorted(s->run->wire->code_list, s->run->wire->codes);
    hd_trace_put_number(&s->payload, codes.length);
    for (size_t i = 0; i < codes.length; i++) {
        hd_trace_put_number(&s->payload, codes.data[i] - (i ? codes.data[i - 1] : 0));
        hd_vec_clear(&s->text);
        hd_symbols_line(s->symbols, codes.data[i], &s->text);
        put_text(s);
        if (!has_functions(s->run))
            continue;
        hd_vec_clear(&s->text);
        hd_symbols_function(s->symbols, codes.data[i], &s->text);
        put_text(s);
    }
    hd_vec_release(&codes);
}

static void put_certain(saver *s) {
    hd_packed_certain certain = {0};
    hd_recording_certain(s->run, s->symbols, &certain);
    if (certain.next.length) {
        hd_trace_put_certain(&s->payload, &certain);
        hd_trace_recording_pairs(s->file, &s->payload);
    }
    hd_packed_certain_release(&certain);
}

static void put_objects(saver *s) {
    hd_vec_u64 objects =
        hd_recording_sorted(heddle_wire_objects(s->run->wire), s->run->wire->objects);
    hd_trace_put_number(&s->payload, objects.length);
    for (size_t i = 0; i < objects.length; i++) {
        uint64_t address = objects.data[i] & HEDDLE_WIRE_ADDRESS;
        hd_trace_put_number(&s->payload, objects.data[i] >> 56);
        hd_trace_put_number(&s->payload, address);
        hd_vec_clear(&s->text);
        hd_recording_memory_name(s->memory, address, true, &s->text);
        put_text(s);
    }
    hd_vec_release(&objects);
}

/* --- granules ------------------------------------------------------------------------------- */

static int compare_pages(const void *a, const void *b) {
    const heddle_wire_page *x = *(const heddle_wire_page *const *)a,
                           *y = *(const heddle_wire_page *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

/* A place is listed before it is taken: it may be empty, or listed twice. */
static page_list find_pages(const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    const heddle_wire_page *pages = heddle_wire_pages(run->wire);
    page_list found = {0};
    for (uint32_t i = 0; i < wire->pages && i < HEDDLE_WIRE_PAGES; i++) {
        const heddle_wire_page *page = &pages[wire->page_list[i] % HEDDLE_WIRE_PAGES];
        if (page->number)
            hd_vec_push(&found, page);
    }
    if (found.length)
        qsort(found.data, found.length, sizeof *found.data, compare_pages);
    size_t kept = 0;
    for (size_t i = 0; i < found.length; i++)
        if (!kept || found.data[kept - 1] != found.data[i])
            found.data[kept++] = found.data[i];
    found.length = kept;
    return found;
}

/* The page's borders as bits; *last: a granule ended with the page before. */
static void borders(saver *s, const heddle_wire_page *page, bool *last,
                    uint64_t bits[HD_PACKED_PAGE_WORDS]) {
    for (int i = 0; i < HD_PACKED_PAGE_WORDS; i++) {
        bits[i] = 0;
        for (int j = 0; j < 8; j++) {
            unsigned marks = page->marks[8 * i + j];
            bits[i] |= (uint64_t)((marks & 0xff) | (*last ? 1U : 0U)) << 8 * j;
            *last = marks >> 8 & 1;
            s->split |= (marks & marks >> 8 & 0xfe) != 0;
        }
    }
}

/* How many of the page's borders from this one on are in the array. */
static unsigned in_array(const hd_trace_array *array, uint64_t page, unsigned word, uint64_t rest,
                         const uint64_t bits[HD_PACKED_PAGE_WORDS]) {
    unsigned count = 0;
    for (; word < HD_PACKED_PAGE_WORDS; rest = ++word < HD_PACKED_PAGE_WORDS ? bits[word] : 0) {
        uint64_t start = page * HEDDLE_WIRE_PAGE + 64 * (uint64_t)word;
        uint64_t left = array->start + array->size - start;
        if (left < 64)
            return count + (unsigned)__builtin_popcountll(rest & (((uint64_t)1 << left) - 1));
        count += (unsigned)__builtin_popcountll(rest);
        if (left == 64)
            return count;
    }
    return count;
}

/* The next `count` borders are done. */
static void skip(unsigned count, unsigned *word, uint64_t *rest,
                 const uint64_t bits[HD_PACKED_PAGE_WORDS]) {
    while (count) {
        unsigned here = (unsigned)__builtin_popcountll(*rest);
        if (here > count)
            for (; count; count--)
                *rest &= *rest - 1;
        else {
            count -= here;
            *rest = 0;
            if (count)
                *rest = bits[++*word];
        }
    }
}

static void put_names(saver *s, uint64_t page, const uint64_t bits[HD_PACKED_PAGE_WORDS]) {
    for (unsigned i = 0; i < HD_PACKED_PAGE_WORDS; i++)
        for (uint64_t rest = bits[i]; rest;) {
            uint64_t address =
                page * HEDDLE_WIRE_PAGE + 64 * (uint64_t)i + (uint64_t)__builtin_ctzll(rest);
            hd_trace_array array;
            hd_vec_clear(&s->text);
            if (hd_symbols_array(s->symbols, address, &array, &s->text)) {
                unsigned count = in_array(&array, page, i, rest, bits);
                hd_trace_put_array(&s->payload, s->text.data, s->text.length, &array, count);
                skip(count, &i, &rest, bits);
                continue;
            }
            hd_recording_memory_name(s->memory, address, false, &s->text);
            hd_trace_put_name(&s->payload, s->text.data, s->text.length, &s->before);
            rest &= rest - 1;
        }
}

static void put_page(saver *s, uint64_t page, const uint64_t bits[HD_PACKED_PAGE_WORDS]) {
    hd_trace_put_page(&s->payload, page, bits);
    put_names(s, page, bits);
    if (s->payload.length < SECTION)
        return;
    hd_trace_recording_granules(s->file, &s->payload);
    hd_vec_clear(&s->before);
}

static void put_granules(saver *s) {
    page_list pages = find_pages(s->run);
    bool last = false;
    for (size_t i = 0; i < pages.length; i++) {
        uint64_t bits[HD_PACKED_PAGE_WORDS], number = pages.data[i]->number - 1;
        borders(s, pages.data[i], &last, bits);
        put_page(s, number, bits);
        bool adjacent = i + 1 < pages.length && pages.data[i + 1]->number == number + 2;
        if (last && !adjacent) {
            uint64_t first[HD_PACKED_PAGE_WORDS] = {1};
            put_page(s, number + 1, first);
            last = false;
        }
    }
    hd_vec_release(&pages);
    hd_trace_recording_granules(s->file, &s->payload);
}

/* --- damage --------------------------------------------------------------------------------- */

static uint64_t sum_of(const uint64_t *words, uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

/* Each page is listed, where it belongs, and has the marks that it was given. */
static bool pages_whole(const hd_launch_run *run) {
    const heddle_wire_page *all = heddle_wire_pages(run->wire);
    page_list pages = find_pages(run);
    uint64_t marked = 0;
    bool whole = true;
    for (size_t i = 0; i < pages.length; i++) {
        const heddle_wire_page *page = pages.data[i];
        uint32_t place = (uint32_t)(page - all), first = heddle_wire_page_place(page->number);
        whole &= (place - first) % HEDDLE_WIRE_PAGES < HEDDLE_WIRE_PAGE_TRIES;
        for (size_t k = 0; k < sizeof page->marks / sizeof *page->marks; k++)
            marked += page->marks[k];
    }
    hd_vec_release(&pages);
    return whole && marked == run->wire->marked;
}

/* The program can write anywhere: are the tables as the runtime made them, as far as a reader of
 * the record needs them?  If threads run on while the process exits, the last sum may be missing:
 * then they count as damaged, too. */
static bool tables_whole(const hd_launch_run *run) {
    heddle_wire *wire = run->wire;
    uint32_t threads = wire->threads;
    uint64_t listed =
        sum_of(wire->code_list, wire->codes) + sum_of(heddle_wire_objects(wire), wire->objects);
    return listed == wire->listed && pages_whole(run) &&
           (threads == HEDDLE_WIRE_THREADS || !wire->thread[threads].birth);
}

bool hd_recording_packed(const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    return !wire->beyond && !run->damaged && wire->ending != HEDDLE_WIRE_RUNNING &&
           tables_whole(run);
}

/* --- the file ------------------------------------------------------------------------------- */

/* Returns the number of events, if each record is one. */
static uint64_t put_chunks(saver *s) {
    hd_launch_piece piece;
    uint64_t events = 0;
    bool controlled = s->run->wire->mode == HEDDLE_WIRE_CONTROLLED;
    for (uint64_t i = 0; hd_launch_chunk(s->run, i, &piece); i++) {
        if (controlled)
            hd_trace_recording_chunk(s->file, piece.bytes, piece.size, piece.run);
        else
            hd_trace_recording_lane(s->file, piece.lane, piece.bytes, piece.size, piece.run);
        events += piece.records - piece.silent;
    }
    return events;
}

static void put_program(saver *s, hd_trace_end *end) {
    char build[HD_LAUNCH_BUILD];
    bool known = hd_launch_run_build(s->run, build);
    hd_recording_end(s->run, s->symbols, s->memory, NULL, NULL, end);
    hd_trace_recording_program(s->file, known ? build : "", end);
}

static bool count_events(const char *path, hd_recording_summary *summary, hd_error *error) {
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, error);
    hd_trace_batch batch;
    int more = -1;
    summary->events = 0;
    while (cursor && (more = hd_trace_cursor_next(cursor, &batch, error)) > 0)
        summary->events += batch.count;
    if (cursor) {
        summary->lost = hd_trace_cursor_lost(cursor);
        summary->incomplete = hd_trace_cursor_incomplete(cursor);
    }
    hd_trace_cursor_close(cursor);
    return more == 0;
}

bool hd_recording_save_packed(const hd_launch_run *run, const char *path,
                              hd_recording_summary *summary, hd_error *error) {
    heddle_wire *wire = run->wire;
    bool free_running = wire->mode == HEDDLE_WIRE_FREE_RUNNING;
    saver s = {.run = run,
               .file = hd_trace_recording_open(path, has_functions(run), free_running, error)};
    if (!s.file)
        return false;
    s.symbols = hd_symbols_create(run);
    s.memory = hd_recording_memory_create(run, s.symbols);
    for (uint64_t i = 0; i < wire->blocks && i < HEDDLE_WIRE_BLOCKS; i++)
        hd_recording_memory_note(s.memory, &heddle_wire_blocks(wire)[i]);
    hd_recording_memory_noted(s.memory);
    put_threads(&s);
    put_codes(&s);
    put_objects(&s);
    hd_trace_recording_tables(s.file, &s.payload);
    put_certain(&s);
    put_granules(&s);
    summary->events = put_chunks(&s);
    hd_trace_end own = {0};
    put_program(&s, summary->end ? summary->end : &own);
    hd_trace_end_release(&own);
    summary->lost = wire->lost;
    summary->incomplete = wire->lost > 0;
    summary->threads = wire->threads;
    summary->wire_bytes = wire->begun * HEDDLE_WIRE_CHUNK;
    bool good = summary->events > 0;
    if (good)
        good = hd_trace_recording_close(s.file, wire->lost, wire->lost > 0, error);
    else {
        hd_recording_nothing(run, summary, error);
        hd_trace_recording_abandon(s.file);
    }
    if (good && !summary->uncounted && (s.split || wire->scattered))
        good = count_events(path, summary, error);
    hd_recording_memory_free(s.memory);
    hd_symbols_free(s.symbols);
    hd_vec_release(&s.payload);
    hd_vec_release(&s.text);
    hd_vec_release(&s.before);
    return good;
}
