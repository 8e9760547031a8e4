#include "report_page.h"

#include <stdio.h>
#include <string.h>

#include "report_answer.h"
#include "report_columns.h"
#include "report_viewer.h"

/* Where the data goes in the viewer. */
static const char marker[] = "@HEDDLE-DATA@";

bool hd_report_page_there(hd_error *error) {
    if (hd_report_viewer_size)
        return true;
    return hd_error_set(error, "this heddle was built without the viewer of its pages; run "
                               "scripts/build-viewer (it needs node and npm), then make");
}

bool hd_report_page_fits(const hd_trace *trace, hd_error *error) {
    if (hd_trace_length(trace) <= HD_REPORT_MOST_EVENTS)
        return true;
    char has[32], most[32];
    return hd_error_set(error,
                        "a page holds %s events and the trace has %s; "
                        "heddle convert --to=perfetto writes it for a trace viewer",
                        hd_text_grouped(most, HD_REPORT_MOST_EVENTS),
                        hd_text_grouped(has, hd_trace_length(trace)));
}

static const char *data_place(void) {
    return memmem(hd_report_viewer, hd_report_viewer_size, marker, strlen(marker));
}

/* The words of event.def, so that the viewer has no list of its own. */
static void write_kinds(hd_json *json) {
    hd_json_open(json, "kinds", '[');
    for (int i = 0; i < HEDDLE_KIND_COUNT; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "op", hd_trace_kinds[i].op);
        hd_json_text(json, "text", hd_trace_kinds[i].text);
        hd_json_text(json, "class", hd_trace_classes[hd_trace_kinds[i].class].name);
        hd_json_uint(json, "traits", hd_trace_kinds[i].traits);
        hd_json_close(json);
    }
    hd_json_close(json);
}

bool hd_report_page_open(hd_report_page *page, const char *path, hd_error *error) {
    *page = (hd_report_page){0};
    if (!hd_report_page_there(error))
        return false;
    const char *place = data_place();
    assert(place); /* scripts/embed-viewer looked */
    page->file = hd_file_create(path, error);
    if (!page->file)
        return false;
    hd_file_write(page->file, hd_report_viewer, (size_t)(place - (const char *)hd_report_viewer));
    hd_json_init(&page->json, page->file);
    page->json.in_page = true;
    hd_json_open(&page->json, NULL, '{');
    hd_json_uint(&page->json, "format", 1);
    hd_json_text(&page->json, "heddle", HEDDLE_VERSION);
    write_kinds(&page->json);
    return true;
}

void hd_report_page_trace(hd_report_page *page, const char *key, const hd_trace *trace) {
    hd_report_sources_collect(&trace->tables, &page->files);
    hd_report_columns_write(trace, key, &page->json);
}

void hd_report_page_source(hd_report_page *page, const char *file) {
    if (file && *file)
        hd_names_add(&page->files, file, strlen(file));
}

/* ---- Findings ---- */

static void write_read_claim(hd_json *json, const hd_witness_claim *claim) {
    static const char *const orders[] = {
        [HD_WITNESS_CRW] = "crw", [HD_WITNESS_WCR] = "wcr", [HD_WITNESS_CR] = "cr"};
    if (claim->kind == HD_WITNESS_READ)
        hd_json_uint(json, "read", claim->read);
    else
        hd_json_uint(json, "variable", claim->variable);
    hd_json_uint(json, "sees", claim->sees);
    hd_json_uint(json, "writer", claim->writer);
    hd_json_uint(json, "challenger", claim->challenger);
    hd_json_text(json, "order", orders[claim->order]);
}

static void write_claim(hd_json *json, const hd_witness *witness) {
    const hd_witness_claim *claim = &witness->claim;
    static const char *const kinds[] = {
        [HD_WITNESS_REORDERING] = "reordering", [HD_WITNESS_READ] = "read",
        [HD_WITNESS_FINAL_READ] = "final",      [HD_WITNESS_RACE] = "race",
        [HD_WITNESS_STATE] = "state",           [HD_WITNESS_DEADLOCK] = "deadlock",
        [HD_WITNESS_END] = "deadlock",          [HD_WITNESS_UNORDERED] = "unordered",
        [HD_WITNESS_ATOMICITY] = "atomicity",
    };
    hd_json_open(json, "claim", '{');
    hd_json_text(json, "kind", kinds[claim->kind]);
    hd_json_bool(json, "let_go", claim->let_go);
    if (claim->kind == HD_WITNESS_READ || claim->kind == HD_WITNESS_FINAL_READ)
        write_read_claim(json, claim);
    if (claim->kind == HD_WITNESS_ATOMICITY) {
        hd_json_uint(json, "between", claim->between);
        hd_json_uint(json, "next", hd_witness_claim_next(witness));
        if (claim->back)
            hd_json_uint(json, "back", claim->back);
    }
    if (claim->kind == HD_WITNESS_RACE || claim->kind == HD_WITNESS_UNORDERED ||
        claim->kind == HD_WITNESS_ATOMICITY) {
        hd_json_uint(json, "first", claim->first);
        hd_json_uint(json, "second", claim->second);
    }
    if (claim->kind == HD_WITNESS_DEADLOCK || claim->kind == HD_WITNESS_END)
        hd_report_events_write(json, "acquires", &claim->acquires);
    if (claim->kind == HD_WITNESS_STATE)
        hd_report_events_write(json, "counts", &claim->counts);
    hd_json_close(json);
}

/* A schedule takes each thread's events in their order, so the turns of threads say
 * all: so many events as in the trace, then pairs of a thread and how many of its
 * events it runs. */
static void write_schedule(hd_json *json, const hd_trace *trace, const hd_vec_u32 *schedule) {
    hd_vec_u32 turns = {0};
    size_t at = 0;
    while (at < schedule->length && schedule->data[at] == at + 1)
        at++;
    hd_json_uint(json, "same", at);
    for (size_t i = at; i < schedule->length; i++) {
        uint32_t thread = hd_trace_event(trace, schedule->data[i])->thread;
        if (turns.length && turns.data[turns.length - 2] == thread) {
            turns.data[turns.length - 1]++;
            continue;
        }
        hd_vec_push(&turns, thread);
        hd_vec_push(&turns, 1);
    }
    hd_report_events_write(json, "turns", &turns);
    hd_vec_release(&turns);
}

void hd_report_page_findings(hd_report_page *page) {
    hd_json_open(&page->json, "findings", '[');
}

bool hd_report_page_finding_begin(hd_report_page *page, const hd_finding *finding) {
    hd_json *json = &page->json;
    if (hd_file_offset(page->file) > HD_REPORT_MOST_BYTES) {
        page->left_out++;
        return false;
    }
    page->findings++;
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "rule", finding->rule);
    hd_report_text_write(json, "message", finding->message);
    hd_report_text_write(json, "variable", finding->variable);
    hd_report_text_write(json, "location", finding->location);
    hd_report_fingerprint_write(json, "fingerprint", finding->fingerprint);
    hd_json_uint(json, "count", finding->count);
    hd_report_events_write(json, "events", &finding->events);
    return true;
}

void hd_report_page_schedule(hd_report_page *page, const hd_trace *trace,
                             const hd_witness *witness) {
    write_claim(&page->json, witness);
    write_schedule(&page->json, trace, &witness->schedule);
}

void hd_report_page_finding(hd_report_page *page, const hd_trace *trace,
                            const hd_finding *finding) {
    if (!hd_report_page_finding_begin(page, finding))
        return;
    if (finding->witness)
        hd_report_page_schedule(page, trace, finding->witness);
    hd_json_close(&page->json);
}

void hd_report_page_end_findings(hd_report_page *page) {
    hd_json_close(&page->json);
    hd_json_uint(&page->json, "left_out", page->left_out);
}

/* ---- The end ---- */

static void release(hd_report_page *page) {
    hd_names_release(&page->files);
    page->file = NULL;
}

bool hd_report_page_close(hd_report_page *page, const char *folder, hd_error *error) {
    hd_report_sources_write(&page->files, folder, &page->json);
    hd_json_close(&page->json);
    const char *rest = data_place() + strlen(marker);
    size_t before = (size_t)(rest - (const char *)hd_report_viewer);
    hd_file_write(page->file, rest, hd_report_viewer_size - before);
    bool good = hd_file_commit(page->file, error);
    release(page);
    return good;
}

void hd_report_page_abandon(hd_report_page *page) {
    if (page->file)
        hd_file_abandon(page->file);
    release(page);
}
