/*
 * A report as text for a terminal: a line that says it all, a row for each command
 * that was asked, and the findings, the worst first.  Lines are broken between words
 * where they would be wider than the terminal, and steps are cut.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report_result.h"

/* How much of a schedule is shown, and where the texts of a finding begin. */
enum { MOST_STEPS = 32, LABEL = 11, NARROW = 60 };

typedef struct printer {
    const hd_report *report;
    const hd_report_look *look;
    FILE *to;
} printer;

enum colour { PLAIN, BOLD, RED, YELLOW, BLUE, GREEN, DIM };

static const char *start(const printer *p, enum colour colour) {
    static const char *const codes[] = {[PLAIN] = "",          [BOLD] = "\033[1m",
                                        [RED] = "\033[1;31m",  [YELLOW] = "\033[1;33m",
                                        [BLUE] = "\033[1;34m", [GREEN] = "\033[1;32m",
                                        [DIM] = "\033[2m"};
    return p->look->colour ? codes[colour] : "";
}

static const char *stop(const printer *p) {
    return p->look->colour ? "\033[0m" : "";
}

static enum colour colour_of(enum hd_report_level level) {
    return level == HD_REPORT_ERROR ? RED : level == HD_REPORT_WARNING ? YELLOW : BLUE;
}

/* Printable; what is too long to read is cut. */
static void add_shown(hd_vec_char *line, const char *text) {
    hd_text_shorten(line, text, strlen(text));
}

static void add_text(hd_vec_char *line, const char *format, ...) HD_PRINTF(2, 3);

static void add_text(hd_vec_char *line, const char *format, ...) {
    va_list arguments;
    size_t length;
    va_start(arguments, format);
    char *text = hd_text_formatted(&length, format, arguments);
    va_end(arguments);
    add_shown(line, text);
    free(text);
}

/* ---- Lines that fit ---- */

/* Columns, about: a character each. */
static size_t columns(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* How many bytes go into so many columns: up to a space if there is one. */
static size_t fitting(const char *text, size_t length, size_t room) {
    size_t at = 0, space = 0, used = 0;
    while (at < length && used < room) {
        size_t size = hd_text_utf8(text + at, length - at);
        at += size ? size : 1;
        used++;
        if (at < length && text[at] == ' ')
            space = at;
    }
    size_t end = at == length ? length : space ? space : at;
    while (end > 1 && text[end - 1] == ' ')
        end--;
    return end;
}

/* "   label      text", broken between words; what follows is under the text. */
static void put_field(const printer *p, const char *name, const hd_vec_char *text) {
    assert(text->data);                     /* something was added */
    const char *label = hd_text_name(name); /* roles and commands are those that an answer says */
    bool narrow = p->look->width < NARROW;
    size_t indent = narrow ? 5 : 3 + LABEL + 1;
    size_t room = p->look->width > indent + 8 ? p->look->width - indent : 8;
    if (!narrow)
        fprintf(p->to, "   %s%-*s%s ", start(p, DIM), LABEL, label, stop(p));
    else if (*label)
        fprintf(p->to, "   %s%s%s\n     ", start(p, DIM), label, stop(p));
    else
        fputs("     ", p->to);
    for (size_t at = 0; at < text->length;) {
        size_t length = fitting(text->data + at, text->length - at, room);
        if (at)
            fprintf(p->to, "\n%*s", (int)indent, "");
        fwrite(text->data + at, 1, length, p->to);
        at += length;
        while (at < text->length && text->data[at] == ' ')
            at++;
    }
    fputc('\n', p->to);
}

static void put_words(const printer *p, const char *label, const char *words) {
    hd_vec_char text = {0};
    add_shown(&text, words);
    put_field(p, label, &text);
    hd_vec_release(&text);
}

/* A line that is cut at the width. */
static void put_cut(const printer *p, const hd_vec_char *line) {
    size_t room = p->look->width, length = line->length;
    if (columns(line->data, length) > room) {
        length = 0;
        for (size_t used = 0; used + 3 < room; used++) {
            size_t size = hd_text_utf8(line->data + length, line->length - length);
            length += size ? size : 1;
        }
    }
    fwrite(line->data, 1, length, p->to);
    fputs(length < line->length ? "...\n" : "\n", p->to);
}

/* ---- Findings ---- */

static void add_place(hd_vec_char *line, const char *file, uint32_t line_number) {
    if (file)
        add_text(line, "%s:%u", hd_report_short(file), line_number);
}

/* A stack that is just the function of the place stands beside it. */
static bool is_short(const hd_report_place *place) {
    const hd_report_frame *frame = place->stack.data;
    return place->stack.length == 1 && frame->function && place->file && frame->file &&
           frame->line == place->line && strcmp(frame->file, place->file) == 0;
}

static void put_stack(const printer *p, const hd_report_place *place) {
    if (is_short(place))
        return;
    HD_VEC(const char *) files = {0};
    for (size_t i = 0; i < place->stack.length; i++)
        hd_vec_push(&files, place->stack.data[i].file);
    for (size_t i = 0, folded; i < place->stack.length; i += folded ? folded : 1) {
        const hd_report_frame *frame = &place->stack.data[i];
        hd_vec_char text = {0};
        folded = hd_trace_fold(files.data, files.length, i);
        if (folded)
            add_text(&text, "... %zu calls inside of libraries", folded);
        else
            add_text(&text, "#%zu %s", i, frame->function ? frame->function : "?");
        if (!folded && frame->file)
            add_text(&text, " at %s:%u", hd_report_short(frame->file), frame->line);
        put_field(p, "", &text);
        hd_vec_release(&text);
    }
    hd_vec_release(&files);
}

static void add_locks(hd_vec_char *text, const hd_report_place *place) {
    if (!place->knows_locks || place->access == HD_REPORT_NO_ACCESS ||
        place->access == HD_REPORT_JOIN || place->access == HD_REPORT_WAIT)
        return;
    add_text(text, ", holding %s", place->locks.length ? "" : "no lock");
    for (size_t i = 0; i < place->locks.length; i++)
        add_text(text, "%s%s%s", i ? ", " : "", place->locks.data[i].name,
                 place->locks.data[i].reading ? " for reading" : "");
    if (place->more_locks)
        add_text(text, " and %llu more", (unsigned long long)place->more_locks);
}

/* "file.c:12 in function  thread: what it does, holding a lock" */
static void put_place(const printer *p, const hd_report_place *place) {
    hd_vec_char text = {0};
    add_place(&text, place->file, place->line);
    if (is_short(place))
        add_text(&text, " in %s", place->stack.data[0].function);
    if (!place->file && place->event)
        add_text(&text, "event %u", place->event);
    const char *gap = text.length ? "  " : "";
    if (place->thread && place->text)
        add_text(&text, "%s%s: %s", gap, place->thread, place->text);
    else if (place->thread)
        add_text(&text, "%sthread %s", gap, place->thread);
    else if (place->text)
        add_text(&text, "%s%s", gap, place->text);
    add_locks(&text, place);
    if (text.length)
        put_field(p, place->role, &text);
    hd_vec_release(&text);
    put_stack(p, place);
}

static size_t count_switches(const hd_report_finding *finding) {
    size_t count = 0;
    for (size_t i = 1; i < finding->steps.length; i++) {
        const char *a = finding->steps.data[i - 1].thread, *b = finding->steps.data[i].thread;
        count += a && b && strcmp(a, b) != 0;
    }
    return count;
}

static int widest_thread(const hd_report_finding *finding, size_t from) {
    size_t width = 0;
    for (size_t i = from; i < finding->steps.length; i++)
        if (finding->steps.data[i].thread && strlen(finding->steps.data[i].thread) > width)
            width = strlen(finding->steps.data[i].thread);
    return width > 16 ? 16 : (int)width;
}

static void put_step(const printer *p, const hd_report_finding *finding, size_t i, int width) {
    const hd_report_step *step = &finding->steps.data[i];
    const char *before = i ? finding->steps.data[i - 1].thread : NULL;
    bool turn = i == 0 || !before || !step->thread || strcmp(before, step->thread) != 0;
    hd_vec_char line = {0};
    add_text(&line, "  %c %c %-*s  ", step->matters ? '*' : ' ', turn ? '>' : ' ', width,
             step->thread ? step->thread : "");
    if (step->text)
        add_shown(&line, step->text);
    if (step->file) {
        const char *slash = strrchr(step->file, '/');
        add_text(&line, "  %s:%u", slash ? slash + 1 : step->file, step->line);
    }
    put_cut(p, &line);
    hd_vec_release(&line);
}

/* A line of the schedule: a step, or that the last `period` of them come again. */
struct line {
    size_t step, period, again;
};

static const char *step_key(hd_arena *arena, const hd_report_step *step) {
    hd_vec_char key = {0};
    add_text(&key, "%s|%s|%s|%u|%d", step->thread ? step->thread : "", step->text ? step->text : "",
             step->file ? step->file : "", step->line, step->matters);
    const char *kept = hd_arena_string(arena, key.data, key.length);
    hd_vec_release(&key);
    return kept;
}

typedef HD_VEC(struct line) lines;

/* Rounds of a loop that are all the same are one, with how often it comes again. */
static void fold_steps(const hd_report_finding *finding, lines *to) {
    hd_arena arena = {0};
    HD_VEC(const char *) keys = {0};
    size_t length = finding->steps.length, period = 1, again;
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&keys, step_key(&arena, &finding->steps.data[i]));
    for (size_t i = 0; i < length; i += period * (1 + again)) {
        again = hd_text_rounds(keys.data, length, i, &period);
        period = again ? period : 1;
        for (size_t k = i; k < i + period; k++)
            hd_vec_push(to, ((struct line){.step = k}));
        if (again)
            hd_vec_push(to, ((struct line){i, period, again}));
    }
    hd_vec_release(&keys);
    hd_arena_release(&arena);
}

static void put_steps(const printer *p, const hd_report_finding *finding) {
    size_t length = finding->steps.length, switches = count_switches(finding);
    if (!length)
        return;
    lines shown = {0};
    fold_steps(finding, &shown);
    size_t from = shown.length > MOST_STEPS ? shown.length - MOST_STEPS : 0;
    hd_vec_char text = {0};
    add_text(&text, "%zu step%s, %zu context switch%s", length, length == 1 ? "" : "s", switches,
             switches == 1 ? "" : "es");
    put_field(p, "schedule", &text);
    hd_vec_release(&text);
    if (from)
        fprintf(p->to, "      ... %zu steps before\n", shown.data[from].step);
    int width = widest_thread(finding, shown.data[from].step);
    for (size_t i = from; i < shown.length; i++) {
        const struct line *it = &shown.data[i];
        if (it->again)
            fprintf(p->to, "      ... %s again, %zu times\n",
                    it->period == 1 ? "the same" : hd_text_count(it->period, "step", "steps"),
                    it->again);
        else
            put_step(p, finding, it->step, width);
    }
    hd_vec_release(&shown);
}

static void put_finders(const printer *p, const hd_report_finding *finding) {
    static const char *const words[] = {[HD_REPORT_UNPROVED] = "not proved",
                                        [HD_REPORT_CHECKED] = "the schedule was checked",
                                        [HD_REPORT_SEEN] = "it happened in a run",
                                        [HD_REPORT_REPLAYED] = "it happened again when replayed"};
    hd_vec_char text = {0};
    for (size_t i = 0; i < finding->found_by.length; i++)
        add_text(&text, "%s%s", i ? ", " : "", finding->found_by.data[i]);
    add_text(&text, "; %s", words[finding->proof]);
    put_field(p, "found by", &text);
    hd_vec_release(&text);
}

/* "1. data race: the message", broken between words; a note says that it is one. */
static void put_heading(const printer *p, const hd_report_finding *finding, size_t position) {
    hd_vec_char text = {0};
    const char *message = finding->message ? finding->message : finding->rule->text;
    size_t length_of_name = strlen(finding->rule->name);
    const char *level = finding->level == HD_REPORT_NOTE ? "note: " : "";
    add_text(&text, "%zu. %s%s: ", position, level, finding->rule->name);
    size_t name = text.length - 2, number = name - length_of_name;
    bool named = strncmp(message, finding->rule->name, length_of_name) == 0 &&
                 strncmp(message + length_of_name, ": ", 2) == 0;
    add_shown(&text, named ? message + length_of_name + 2 : message);
    if (finding->known)
        add_text(&text, " (known)");
    fprintf(p->to, "\n%.*s%s%s%s", (int)number, text.data, start(p, colour_of(finding->level)),
            finding->rule->name, stop(p));
    size_t at = name, used = columns(text.data, name);
    assert(text.data);
    while (at < text.length) {
        size_t room = p->look->width > used + 8 ? p->look->width - used : 8;
        size_t length = fitting(text.data + at, text.length - at, room);
        fwrite(text.data + at, 1, length, p->to);
        at += length;
        while (at < text.length && text.data[at] == ' ')
            at++;
        if (at < text.length)
            fputs("\n   ", p->to);
        used = 3;
    }
    fputc('\n', p->to);
    hd_vec_release(&text);
}

static void put_finding(const printer *p, const hd_report_finding *finding, size_t position) {
    put_heading(p, finding, position);
    for (size_t k = 0; k < finding->places.length; k++)
        put_place(p, &finding->places.data[k]);
    put_finders(p, finding);
    if (finding->level > HD_REPORT_NOTE)
        put_steps(p, finding);
    if (finding->replay)
        put_words(p, "see again", finding->replay);
    if (finding->level > HD_REPORT_NOTE)
        put_words(p, "what helps", hd_report_help(finding));
}

/* "also  a.c:4 main.1: write x, with b.c:7 main.2: read x", and how to see it. */
static void put_also(const printer *p, const hd_report_finding *finding, bool first) {
    hd_vec_char text = {0};
    for (size_t k = 0; k < 2; k++) {
        const hd_report_place *place = &finding->places.data[k];
        add_text(&text, "%s", k ? ", with " : "");
        if (place->file)
            add_text(&text, "%s:%u ", hd_report_short(place->file), place->line);
        add_text(&text, "%s%s", place->thread ? place->thread : "?", place->text ? ": " : "");
        if (place->text)
            add_shown(&text, place->text);
    }
    if (finding->witness) {
        const char *slash = strrchr(finding->witness, '/');
        add_text(&text, " (%s)", slash ? slash + 1 : finding->witness);
    }
    put_words(p, first ? "also" : "", text.data);
    hd_vec_release(&text);
}

/* The other pairs of places of the same defect, with the files of their schedules. */
static void put_others(const printer *p, size_t number) {
    const hd_report *report = p->report;
    bool first = true;
    for (size_t i = number + 1; i < report->findings.length; i++)
        if (hd_report_alike(&report->findings.data[number], &report->findings.data[i])) {
            put_also(p, &report->findings.data[i], first);
            first = false;
        }
}

/* ---- What was asked ---- */

static void put_part(const printer *p, const hd_report_part *part) {
    hd_vec_char text = {0};
    char number[32];
    if (part->inputs > 1)
        add_text(&text, "%s %s, ", hd_text_grouped(number, part->inputs),
                 strcmp(part->command, "detect") == 0 ? "questions" : "traces");
    if (part->detail)
        add_text(&text, "%s, ", part->detail);
    if (part->failed)
        add_text(&text, "no answer: %s", part->failed);
    else if (part->covered)
        add_text(&text, "explore decides");
    else if (part->inputs && part->complete == part->inputs)
        add_text(&text, "complete");
    else if (part->inputs > 1)
        add_text(&text, "%s of them complete", hd_text_grouped(number, part->complete));
    else
        add_text(&text, "not complete");
    if (!part->failed)
        add_text(&text, ", %s found", part->found ? hd_text_grouped(number, part->found) : "none");
    add_text(&text, " (%.1f s)", part->seconds);
    put_field(p, part->command, &text);
    hd_vec_release(&text);
}

static void add_count(hd_vec_char *text, size_t count, const char *what) {
    if (count)
        add_text(text, "%s%zu %s%s", text->length ? ", " : "", count, what, count == 1 ? "" : "s");
}

static size_t count_known(const hd_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        count += report->findings.data[i].known;
    return count;
}

/* Errors that are shown with another one. */
static size_t count_followers(const hd_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        count += report->findings.data[i].level == HD_REPORT_ERROR &&
                 !report->findings.data[i].known && hd_report_follows(report, i);
    return count;
}

static void put_verdict(const printer *p) {
    const hd_report *report = p->report;
    hd_vec_char text = {0}, name = {0};
    size_t errors = hd_report_count(report, HD_REPORT_ERROR);
    size_t warnings = hd_report_count(report, HD_REPORT_WARNING), known = count_known(report);
    size_t followers = count_followers(report);
    const char *new = report->against_baseline ? "new " : "";
    char error[16], warning[16], note[16];
    snprintf(error, sizeof error, "%serror", new);
    snprintf(warning, sizeof warning, "%swarning", new);
    snprintf(note, sizeof note, "%snote", new);
    add_count(&text, errors - followers, error);
    add_count(&text, warnings, warning);
    if (!text.length)
        add_text(&text, "%s",
                 !hd_verdict_complete(&report->verdict)
                     ? "nothing wrong was found, but not all was decided"
                 : hd_verdict_shaky(&report->verdict)
                     ? "nothing wrong was found, if what this rests on holds"
                     : "nothing wrong was found");
    add_count(&text, hd_report_count(report, HD_REPORT_NOTE), note);
    if (followers)
        add_text(&text, ", %zu more pair%s of places", followers, followers == 1 ? "" : "s");
    if (known)
        add_text(&text, ", %zu known", known);
    add_shown(&name, report->input);
    fprintf(p->to, "%s%.*s%s: %s%.*s%s\n", start(p, BOLD), (int)name.length, name.data, stop(p),
            start(p, errors                                                      ? RED
                     : warnings                                                  ? YELLOW
                     : hd_verdict_status(&report->verdict) == HD_VERDICT_NOTHING ? GREEN
                                                                                 : YELLOW),
            (int)text.length, text.data, stop(p));
    hd_vec_release(&text);
    hd_vec_release(&name);
}

/* The same lines as of a single answer, broken to the width. */
static void put_rests(const printer *p) {
    const hd_verdict *verdict = &p->report->verdict;
    for (size_t i = 0; i < verdict->why_not.length; i++)
        put_words(p, i ? "" : "not decided", verdict->why_not.data[i].text);
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        hd_vec_char text = {0};
        if (basis->trust == HD_VERDICT_SHAKY)
            add_text(&text, "%s: ", basis->accepted ? "accepted" : "shaky");
        add_text(&text, "%s [%s%s%s]", basis->text, basis->code, basis->what ? ":" : "",
                 basis->what ? basis->what : "");
        put_field(p, i ? "" : "rests on", &text);
        hd_vec_release(&text);
    }
}

/* "a.c, b.c and 3 more" */
static void add_names(hd_vec_char *text, const char *const *names, size_t count) {
    enum { SHOWN = 12 };
    size_t shown = count > SHOWN + 1 ? SHOWN : count;
    for (size_t i = 0; i < shown; i++) {
        add_text(text, "%s", i ? ", " : "");
        add_shown(text, names[i]);
    }
    if (shown < count)
        add_text(text, " and %zu more; --json lists them", count - shown);
}

/* Files that are not instrumented; and all, if a list of them was given. */
static void put_files(const printer *p) {
    const hd_report_files *files = &p->report->files;
    size_t blind = files->blind.length;
    hd_vec_char text = {0};
    if (!files->known || (!blind && !files->bare.length && !files->asked))
        return;
    if (blind) {
        add_text(&text, "%zu of %zu not instrumented: ", blind, blind + files->seen);
        add_names(&text, files->blind.data, blind);
    } else if (files->seen || !files->bare.length)
        add_text(&text, "all %zu instrumented", files->seen);
    if (text.length)
        put_field(p, "files", &text);
    if (files->bare.length) {
        bool first = !text.length;
        hd_vec_clear(&text);
        add_text(&text, "instrumented, but without debug information: ");
        add_names(&text, files->bare.data, files->bare.length);
        put_field(p, first ? "files" : "", &text);
    }
    if (files->absent.length) {
        hd_vec_clear(&text);
        add_text(&text, "%zu not in this program: ", files->absent.length);
        add_names(&text, files->absent.data, files->absent.length);
        put_field(p, "", &text);
    }
    hd_vec_release(&text);
}

/* What is doubtful in the program, but does not fail. */
static void put_doubts(const printer *p) {
    enum { SHOWN = 8 };
    const hd_verdict *verdict = &p->report->verdict;
    size_t count = verdict->notes.length, shown = count > SHOWN + 1 ? SHOWN : count;
    hd_vec_char text = {0};
    for (size_t i = 0; i < shown; i++) {
        hd_vec_clear(&text);
        add_shown(&text, verdict->notes.data[i].text);
        add_text(&text, " [%s]", verdict->notes.data[i].code);
        put_field(p, i ? "" : "doubtful", &text);
    }
    hd_vec_clear(&text);
    add_text(&text, "and %zu more; --json lists them", count - shown);
    if (shown < count)
        put_field(p, "", &text);
    hd_vec_release(&text);
}

static bool is_shown(const hd_report_look *look, const hd_report_finding *finding) {
    bool read = finding->rule->sort == HD_FINDING_READ; /* there may be very many */
    return !(look->only_new && finding->known) && (look->notes || !read);
}

void hd_report_print(const hd_report *report, const hd_report_look *look, FILE *to) {
    printer p = {report, look, to};
    size_t notes = 0, shown = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        notes += report->findings.data[i].rule->sort == HD_FINDING_READ &&
                 !report->findings.data[i].known;
    put_verdict(&p);
    for (size_t i = 0; i < report->parts.length; i++)
        put_part(&p, &report->parts.data[i]);
    put_files(&p);
    put_rests(&p);
    put_doubts(&p);
    for (size_t i = 0; i < report->findings.length; i++)
        if (is_shown(look, &report->findings.data[i]) && !hd_report_follows(report, i)) {
            put_finding(&p, &report->findings.data[i], ++shown);
            put_others(&p, i);
        }
    if ((notes && !look->notes) || report->folder)
        fputc('\n', to);
    if (notes && !look->notes)
        put_words(&p, "notes", "reads that can see another write; --notes lists them");
    if (report->folder)
        put_words(&p, "kept in", report->folder);
}
