#include "cli_page.h"

#include <stdlib.h>
#include <string.h>

/* What is drawn of global states: more would be a blot. */
enum { MOST_STATES = 3000, MOST_EVENTS = 400, MOST_THREADS = 16, MEMORY = 4 << 20 };

bool hd_cli_page_start(hd_cli_page *page, const hd_cli_arguments *arguments, const char *path,
                       const char *input, const hd_trace *trace) {
    hd_error error = {""};
    *page = (hd_cli_page){.arguments = arguments, .input = input, .trace = trace};
    if (!hd_report_page_there(&error) || (trace && !hd_report_page_fits(trace, &error)) ||
        !hd_report_page_open(&page->page, path, &error)) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    page->path = path;
    hd_json *json = &page->page.json;
    hd_json_text(json, "command", arguments->command->name);
    hd_json_text(json, "input", input);
    if (trace)
        hd_report_page_trace(&page->page, "trace", trace);
    hd_report_page_findings(&page->page);
    return true;
}

bool hd_cli_page_begin(hd_cli_page *page, const hd_cli_arguments *arguments, int row,
                       const char *input, const hd_trace *trace) {
    const char *path = arguments->values[row];
    *page = (hd_cli_page){0};
    if (!path)
        return true;
    if (strcmp(path, "-") == 0) {
        hd_cli_usage(arguments, "--html wants a file, standard output has the answer");
        return false;
    }
    return hd_cli_page_start(page, arguments, path, input, trace);
}

void hd_cli_page_finding(hd_cli_page *page, const hd_finding *finding) {
    if (page->path)
        hd_report_page_finding(&page->page, page->trace, finding);
}

hd_json *hd_cli_page_result(hd_cli_page *page, const hd_verdict *verdict) {
    if (!page->path)
        return NULL;
    hd_json *json = &page->page.json;
    hd_report_page_end_findings(&page->page);
    hd_verdict_write(verdict, json);
    hd_json_real(json, "seconds", hd_progress_clock() - page->arguments->started);
    hd_json_open(json, "result", '{');
    return json;
}

/* ---- Global states ---- */

struct states {
    hd_vec_u32 counts; /* of all states, one after the other */
    uint32_t threads, count;
};

static int take(void *context, const uint32_t *state, uint32_t count) {
    struct states *states = context;
    for (uint32_t i = 0; i < count; i++, states->count++) {
        if (states->count == MOST_STATES)
            return 1;
        for (uint32_t p = 0; p < states->threads; p++)
            hd_vec_push(&states->counts, state[p] + (p + 1 == states->threads ? i : 0));
    }
    return 0;
}

static void write_states(hd_json *json, const struct states *states, const uint32_t *places,
                         const hd_cut_request *request) {
    hd_json_open(json, "states", '{');
    hd_json_text(json, "model", request->model == HD_ORDER_POSET ? "poset" : "loset");
    hd_json_text(json, "class", hd_cut_class_names[request->class]);
    hd_json_open(json, "threads", '[');
    for (uint32_t i = 0; i < states->threads; i++)
        hd_json_uint(json, NULL, places[i]);
    hd_json_close(json);
    hd_json_open(json, "counts", '[');
    for (size_t i = 0; i < states->counts.length; i++)
        hd_json_uint(json, NULL, states->counts.data[i]);
    hd_json_close(json);
    hd_json_close(json);
}

/* Closes the result.  States that are too many are left out; the viewer says so. */
void hd_cli_page_states(hd_cli_page *page, hd_order *order, const hd_cut_request *request) {
    if (!page->path || page->closing)
        return;
    page->closing = true;
    hd_json_close(&page->page.json);
    struct states states = {0};
    uint32_t *places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
    states.threads = hd_cut_space_threads(order, places);
    if (request->places)
        memcpy(places, request->places, states.threads * sizeof *places);
    hd_cut_visitor visitor = {.context = &states, .run = take};
    hd_cut_request asked = *request;
    hd_cut_answer answer = {0};
    hd_error error = {""};
    asked.workers = 1;
    asked.memory = MEMORY;
    asked.visitors = &visitor;
    if (hd_order_length(order) <= MOST_EVENTS && states.threads <= MOST_THREADS &&
        hd_cut_states(order, &asked, &answer, &error) && answer.why == 0)
        write_states(&page->page.json, &states, places, request);
    hd_cut_answer_release(&answer);
    hd_vec_release(&states.counts);
    free(places);
}

/* Every reordering of the trace is a way through these. */
static void write_reachable(hd_cli_page *page) {
    hd_cut_request request = {
        .model = HD_ORDER_LOSET, .class = HD_CUT_REACHABLE, .algorithm = HD_CUT_BFS};
    if (hd_trace_length(page->trace) > MOST_EVENTS) {
        page->closing = true;
        hd_json_close(&page->page.json);
        return;
    }
    hd_order order;
    hd_order_init(&order, page->trace);
    hd_cli_page_states(page, &order, &request);
    hd_order_release(&order);
}

/* ---- The end ---- */

/* Sources are looked for beside the input too; to be freed. */
static char *folder_of(const char *input) {
    const char *slash = strrchr(input, '/');
    if (!slash)
        return NULL;
    return hd_mem_string(input, slash == input ? 1 : (size_t)(slash - input));
}

int hd_cli_page_end(hd_cli_page *page, int status) {
    if (!page->path)
        return status;
    hd_error error = {""};
    uint64_t left_out = page->page.left_out;
    if (status == HD_CLI_BAD) {
        hd_report_page_abandon(&page->page);
        hd_cli_page_end_traces(page);
        return status;
    }
    if (!page->closing && page->trace)
        write_reachable(page);
    else if (!page->closing)
        hd_json_close(&page->page.json);
    hd_cli_page_end_traces(page);
    char *folder = folder_of(page->input);
    if (!hd_report_page_close(&page->page, folder, &error))
        status = hd_cli_fail("%s", error.text);
    else if (left_out)
        hd_log_write(HD_LOG_WARNING, "%s: %llu findings are not in it, it would be too large",
                     hd_text_name(page->path), (unsigned long long)left_out);
    free(folder);
    return status;
}
