/*
 * heddle view: a trace, with the schedules that were found in it, in the browser.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_page.h"
#include "cli_serve.h"
#include "cli_verdict.h"
#include "cli_view.h"

enum { HTML = HD_CLI_OWN, SERVE, PORT };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"html", 0, "FILE", "write the page to FILE and do not open it"},
    {"serve", 0, NULL, "serve the page on the loopback interface, until interrupted"},
    {"port", 0, "N", "serve on this port (any free one)"},
    {0},
};

/* ---- The page ---- */

typedef struct view {
    const hd_cli_arguments *arguments;
    const char *path; /* of the page */
    char *temporary;  /* the same, if it is ours to choose */
    char *trace_name; /* if a witness named it */
    const char *input;
    hd_trace trace;
    int witnesses; /* the operand from which on they are */
} view;

static const char *rule_of(const hd_witness_claim *claim) {
    static const char *const rules[] = {
        [HD_WITNESS_REORDERING] = "reordering",
        [HD_WITNESS_READ] = "nondet",
        [HD_WITNESS_FINAL_READ] = "nondet-final",
        [HD_WITNESS_RACE] = "race",
        [HD_WITNESS_STATE] = "state",
        [HD_WITNESS_DEADLOCK] = "deadlock",
        [HD_WITNESS_END] = "deadlock",
        [HD_WITNESS_UNORDERED] = "race",
        [HD_WITNESS_ATOMICITY] = "atomicity",
    };
    return rules[claim->kind];
}

static void describe(hd_finding *finding, const hd_trace *trace) {
    const hd_witness_claim *claim = &finding->witness->claim;
    uint32_t event = claim->read ? claim->read : claim->first;
    hd_vec_char text = {0};
    hd_witness_claim_print(claim, trace, &text);
    finding->message = hd_mem_string(text.data, text.length);
    hd_vec_release(&text);
    if (event) {
        const char *name = hd_trace_object_name(&trace->tables, hd_trace_event(trace, event));
        const char *place = hd_trace_location(&trace->tables, hd_trace_event(trace, event));
        finding->variable = hd_mem_string(name, strlen(name));
        finding->location = hd_mem_string(place, strlen(place));
        hd_vec_push(&finding->events, event);
    }
    if (claim->between)
        hd_vec_push(&finding->events, claim->between);
    if (claim->second)
        hd_vec_push(&finding->events, claim->second);
    if (claim->back)
        hd_vec_push(&finding->events, claim->back);
    for (size_t i = 0; i < claim->acquires.length; i++)
        hd_vec_push(&finding->events, claim->acquires.data[i]);
}

/* Loads a witness and puts it in, if the checker accepts it. */
static bool add_witness(view *v, hd_cli_page *page, const char *path) {
    hd_error error = {""};
    hd_finding finding;
    hd_finding_init(&finding, HD_FINDING_ORDER, "reordering");
    finding.witness = HD_NEW(hd_witness);
    hd_witness_init(finding.witness);
    bool good = hd_witness_load(finding.witness, &v->trace, path, &error);
    if (!good)
        hd_cli_fail("%s", error.text);
    else if (!(good = hd_witness_check(finding.witness, &v->trace, &error)))
        hd_cli_fail("%s: rejected: %s", hd_text_name(path), error.text);
    else {
        finding.rule = rule_of(&finding.witness->claim);
        describe(&finding, &v->trace);
        hd_cli_page_finding(page, &finding);
    }
    hd_finding_release(&finding);
    return good;
}

static void write_result(view *v, hd_json *json) {
    hd_json_uint(json, "events", hd_trace_length(&v->trace));
    hd_json_uint(json, "threads", v->trace.tables.names[HEDDLE_CLASS_THREAD].length);
}

static int write_trace(view *v) {
    hd_error error = {""};
    hd_cli_page page;
    if (!hd_trace_load(&v->trace, v->input, HD_TRACE_TIMED, &error))
        return hd_cli_fail("%s", error.text);
    if (v->trace.late)
        return hd_cli_fail("%s: %s; nothing is written", hd_text_name(v->input), hd_clock_why());
    hd_cli_note_trace(v->input, &v->trace);
    if (!hd_cli_page_start(&page, v->arguments, v->path, v->input, &v->trace))
        return HD_CLI_BAD;
    int status = HD_CLI_OK;
    for (int i = v->witnesses; i < v->arguments->operand_count && status == HD_CLI_OK; i++)
        if (!add_witness(v, &page, v->arguments->operands[i]))
            status = HD_CLI_BAD;
    if (status == HD_CLI_OK) {
        hd_verdict verdict;
        hd_engine_verdict_reading(&verdict, "what the trace has", v->trace.incomplete,
                                  v->trace.lost);
        write_result(v, hd_cli_page_result(&page, &verdict));
        hd_verdict_release(&verdict);
    }
    return hd_cli_page_end(&page, status);
}

/* The run of a model or program, saved by heddle explore. */
static int write_run(view *v) {
    hd_error error = {""};
    hd_replay_witness witness;
    hd_cli_page page;
    hd_replay_witness_init(&witness);
    if (!hd_replay_witness_load(&witness, v->input, &error))
        return hd_cli_fail("%s", error.text);
    int status = HD_CLI_BAD;
    bool stuck = witness.claim == HD_REPLAY_STUCK, livelock = witness.claim == HD_REPLAY_LIVELOCK,
         race = witness.claim == HD_REPLAY_RACE || witness.claim == HD_REPLAY_UNORDERED;
    hd_finding finding;
    hd_finding_init(&finding,
                    stuck      ? HD_FINDING_DEADLOCK
                    : livelock ? HD_FINDING_LIVELOCK
                    : race     ? HD_FINDING_RACE
                               : HD_FINDING_FAILURE,
                    stuck      ? "deadlock"
                    : livelock ? "livelock"
                    : race     ? "race"
                               : "failure");
    const char *message = witness.verdict ? witness.verdict : "a run";
    finding.message = hd_mem_string(message, strlen(message));
    if (!hd_trace_check_all(&witness.run, &error) || !hd_report_page_fits(&witness.run, &error))
        hd_cli_fail("%s: %s", hd_text_name(v->input), error.text);
    else if (hd_cli_page_start(&page, v->arguments, v->path, v->input, NULL)) {
        hd_report_page_finding_begin(&page.page, &finding);
        hd_cli_page_run(&page, &witness);
        hd_json_close(&page.page.json);
        hd_verdict verdict;
        hd_engine_verdict_reading(&verdict, "the run of the witness", false, 0);
        verdict.found = true;
        hd_json *json = hd_cli_page_result(&page, &verdict);
        hd_verdict_release(&verdict);
        hd_json_uint(json, "steps", witness.schedule.length);
        status = hd_cli_page_end(&page, HD_CLI_OK);
    }
    hd_finding_release(&finding);
    hd_replay_witness_release(&witness);
    return status;
}

/* A witness says which trace it is of. */
static bool take_trace(view *v, hd_cli_page_look *look) {
    if (look->what != HD_CLI_PAGE_WITNESS)
        return true;
    if (!look->trace) {
        hd_cli_usage(v->arguments, "%s does not name its trace: give that first",
                     hd_text_name(v->input));
        return false;
    }
    v->input = v->trace_name = look->trace;
    look->trace = NULL;
    return true;
}

static bool choose_path(view *v) {
    v->path = v->arguments->values[HTML];
    if (v->path)
        return true;
    if (asprintf(&v->temporary, "%s/heddle-view-XXXXXX.html", hd_file_temporary()) < 0)
        return false;
    int fd = mkstemps(v->temporary, (int)strlen(".html"));
    if (fd < 0) {
        hd_cli_fail("%s: %s", v->temporary, strerror(errno));
        return false;
    }
    close(fd);
    hd_stop_add(v->temporary);
    v->path = v->temporary;
    return true;
}

static int write_page(view *v) {
    hd_cli_page_look look = hd_cli_page_look_at(v->input);
    int status = HD_CLI_BAD;
    bool alone = look.what != HD_CLI_PAGE_TRACE && look.what != HD_CLI_PAGE_WITNESS;
    v->witnesses = look.what == HD_CLI_PAGE_WITNESS ? 0 : 1;
    if (alone && v->arguments->operand_count > 1)
        hd_cli_usage(v->arguments, "one word too many: '%s'",
                     hd_text_name(v->arguments->operands[1]));
    else if (look.what == HD_CLI_PAGE_PAGE && hd_cli_given(v->arguments, HTML))
        hd_cli_usage(v->arguments, "%s is a page already", hd_text_name(v->input));
    else if (look.what == HD_CLI_PAGE_PAGE) {
        v->path = v->input;
        status = HD_CLI_OK;
    } else if (take_trace(v, &look) && choose_path(v))
        status = look.what == HD_CLI_PAGE_RUN ? write_run(v)
                 : look.what == HD_CLI_PAGE_ANSWER
                     ? hd_cli_view_answer(v->arguments, v->input, v->path)
                     : write_trace(v);
    free(look.trace);
    return status;
}

/* ---- The browser ---- */

/* Where the page is: its name, or an address. */
static int say(const hd_cli_arguments *arguments, const char *key, const char *where) {
    hd_cli_answer answer;
    if (!hd_cli_given(arguments, HD_CLI_JSON)) {
        printf("%s\n", where);
        return hd_cli_flush(HD_CLI_OK);
    }
    hd_verdict verdict;
    hd_verdict_init(&verdict, "a page to look at");
    bool begun = hd_cli_json_begin(&answer, arguments, arguments->operands[0], &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json_text(&answer.json, key, where);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, HD_CLI_OK);
}

static int open_page(const view *v) {
    static const double look = 0.05; /* seconds from one look at the clock to the next */
    char *words[] = {(char *)"xdg-open", (char *)v->path, NULL};
    pid_t child;
    int state = 0, wrong = posix_spawnp(&child, words[0], NULL, NULL, words, environ);
    if (wrong)
        return hd_cli_fail("cannot start a browser with xdg-open: %s; the page is %s",
                           strerror(wrong), v->path);
    /* It may be the browser itself, which is left alone when the time is up. */
    for (pid_t ended; (ended = waitpid(child, &state, WNOHANG)) != child;) {
        if (ended < 0 && errno != EINTR)
            break;
        if (hd_clock_look() != HD_CLOCK_GOES)
            return hd_cli_fail("%s: xdg-open still shows it; the page is %s", hd_clock_why(),
                               v->path);
        poll(NULL, 0, 1 + (int)(hd_clock_left(look) * 1e3));
    }
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return hd_cli_fail("xdg-open found no browser; the page is %s (--serve serves it)",
                           v->path);
    return say(v->arguments, "page", v->path);
}

static void ready(void *context, const char *address) {
    const view *v = context;
    if (v->temporary)
        unlink(v->temporary);
    say(v->arguments, "address", address);
}

static int serve_page(view *v, uint16_t port) {
    hd_error error = {""};
    hd_cli_serve(v->path, port, ready, v, &error);
    return hd_cli_fail("%s", error.text);
}

static int run(const hd_cli_arguments *arguments) {
    view v = {.arguments = arguments, .input = arguments->operands[0]};
    uint64_t port;
    if (!hd_cli_number(arguments, PORT, 0, 1, UINT16_MAX, &port))
        return HD_CLI_BAD;
    if (port && !hd_cli_given(arguments, SERVE))
        return hd_cli_usage(arguments, "--port is for --serve");
    const char *html = arguments->values[HTML];
    if (html && strcmp(html, "-") == 0)
        return hd_cli_usage(arguments, "--html wants a file");
    int status = write_page(&v);
    if (status == HD_CLI_OK)
        hd_stop_obey(); /* it was listened to while the trace was read */
    if (status == HD_CLI_BAD && v.temporary)
        unlink(v.temporary);
    if (status == HD_CLI_OK && hd_cli_given(arguments, SERVE))
        status = serve_page(&v, (uint16_t)port);
    else if (status == HD_CLI_OK && !html)
        status = open_page(&v);
    else if (status == HD_CLI_OK && hd_cli_given(arguments, HD_CLI_JSON))
        status = say(arguments, "page", v.path);
    hd_trace_release(&v.trace);
    free(v.temporary);
    free(v.trace_name);
    return status;
}

const hd_cli_command hd_cli_view = {
    .name = "view",
    .operands = "TRACE|WITNESS|ANSWER|PAGE [WITNESS]...",
    .summary = "Show a trace and its schedules in the browser",
    .details =
        "TRACE is a file in either format.  Each WITNESS, saved by -o of another command, is\n"
        "checked and shown beside it.  A WITNESS alone is shown with the trace that it names,\n"
        "or by itself if it is the run of a model or program.  ANSWER is the output of a\n"
        "command with --json.  A PAGE, written by --html, is opened unchanged.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
};
