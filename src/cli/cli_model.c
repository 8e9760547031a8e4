#include "cli_model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli_stack.h"

/* ---- Steps ---- */

void hd_cli_steps_init(hd_cli_steps *steps, hd_machine *machine, const char *path,
                       const hd_steps *schedule, hd_json *json) {
    *steps = (hd_cli_steps){.json = json, .path = path, .width = (int)strlen("thread")};
    for (size_t i = 0; i < schedule->length; i++) {
        if (schedule->data[i].thread >= machine->threads)
            continue;
        int width = (int)strlen(machine->type->thread_name(machine, schedule->data[i].thread));
        if (width > steps->width)
            steps->width = width;
    }
}

/* What is the same in every round of a loop. */
static const char *without_number(const char *line) {
    const char *at = line + strspn(line, " *>");
    at += strspn(at, "0123456789");
    return line[1] == '*' ? line : at;
}

static void print_lines(const hd_cli_steps *steps) {
    HD_VEC(const char *) keys = {0};
    size_t period = 0, again;
    for (size_t i = 0; i < steps->lines.length; i++)
        hd_vec_push(&keys, without_number(steps->lines.data[i]));
    for (size_t i = 0; i < keys.length; i += period * (1 + again)) {
        again = hd_text_rounds(keys.data, keys.length, i, &period);
        if (!again)
            period = 1;
        for (size_t k = i; k < i + period; k++)
            puts(steps->lines.data[k]);
        if (again)
            printf("            ... %s again, %zu times\n",
                   period == 1 ? "the same" : hd_text_count(period, "step", "steps"), again);
    }
    hd_vec_release(&keys);
}

void hd_cli_steps_release(hd_cli_steps *steps) {
    print_lines(steps);
    for (size_t i = 0; i < steps->lines.length; i++)
        free(steps->lines.data[i]);
    hd_vec_release(&steps->lines);
    hd_vec_release(&steps->line);
    hd_vec_release(&steps->text);
    hd_vec_release(&steps->written);
}

static void add_choice(hd_cli_steps *steps, uint32_t choice, uint32_t choices) {
    char words[64];
    int length = snprintf(words, sizeof words, " (choice %u of %u)", choice + 1, choices);
    for (int i = 0; choices > 1 && i < length; i++)
        hd_vec_push(&steps->text, words[i]);
}

/* Values that the step may change.  Of locks the statement says enough. */
static void keep_values(hd_cli_steps *steps, const hd_machine *machine,
                        const hd_machine_operation *operation) {
    hd_vec_clear(&steps->written);
    if (hd_native_is_machine(machine))
        return;
    for (uint32_t i = 0; i < operation->count; i++)
        if (operation->accesses[i].mode & HD_MACHINE_WRITE) {
            uint32_t location = operation->accesses[i].location;
            hd_vec_push(&steps->written,
                        (struct hd_cli_cell){location, hd_model_value(machine, location)});
        }
}

static bool matters(const hd_cli_steps *steps, size_t number) {
    for (size_t i = 0; steps->matter && i < steps->matter->length; i++)
        if (steps->matter->data[i] == number)
            return true;
    return false;
}

static void print_start(hd_cli_steps *steps, hd_machine *machine, size_t number,
                        const hd_step *step, uint32_t line, bool switched) {
    char shown[512];
    const char *name = machine->type->thread_name(machine, step->thread);
    if (!steps->started)
        printf("     step  %-*s  line  statement\n", steps->width, "thread");
    hd_vec_clear(&steps->line);
    hd_text_printable(shown, sizeof shown, steps->text.data, steps->text.length);
    steps->column = (int)strlen(shown);
    hd_text_append(&steps->line, " %c %c %4zu  %-*s  %4u  %s", matters(steps, number) ? '*' : ' ',
                   switched ? '>' : ' ', number, steps->width, name, line, shown);
}

/* The file, and of a program, whose statements have their place in them, the words alone. */
static void write_place(hd_json *json, hd_machine *machine, const char *path, uint32_t thread,
                        uint32_t position) {
    char *place = hd_engine_place(machine, path, position), *colon = strrchr(place, ':');
    if (colon && hd_engine_line(machine, position))
        hd_json_string(json, "file", place, (size_t)(colon - place));
    free(place);
    if (!hd_native_is_machine(machine))
        return;
    hd_vec_char words = {0}, variable = {0};
    hd_native_next_words(machine, thread, &words, &variable);
    hd_json_string(json, "text", words.data ? words.data : "", words.length);
    if (variable.length)
        hd_json_string(json, "variable", variable.data, variable.length);
    hd_vec_release(&words);
    hd_vec_release(&variable);
}

static void write_start(hd_cli_steps *steps, hd_machine *machine, size_t number,
                        const hd_step *step, uint32_t position, bool switched) {
    hd_json *json = steps->json;
    hd_json_open(json, NULL, '{');
    hd_json_uint(json, "step", number);
    hd_json_text(json, "thread", machine->type->thread_name(machine, step->thread));
    hd_json_uint(json, "choice", step->choice);
    hd_json_uint(json, "line", hd_engine_line(machine, position));
    hd_json_string(json, "statement", steps->text.data, steps->text.length);
    write_place(json, machine, steps->path, step->thread, position);
    hd_json_bool(json, "switch", switched);
    if (matters(steps, number))
        hd_json_bool(json, "matters", true);
}

static int before(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    hd_cli_steps *steps = context;
    hd_machine_operation operation;
    machine->type->next(machine, step->thread, &operation);
    keep_values(steps, machine, &operation);
    hd_engine_statement(machine, step->thread, &steps->text);
    add_choice(steps, step->choice, operation.choices);
    bool switched = steps->started && steps->last != step->thread;
    if (steps->json)
        write_start(steps, machine, number, step, operation.position, switched);
    else if (!steps->silent)
        print_start(steps, machine, number, step, hd_engine_line(machine, operation.position),
                    switched);
    steps->started = steps->within = true;
    steps->last = step->thread;
    return 0;
}

/* Beside variables a step can change who waits to be notified. */
static void print_change(hd_cli_steps *steps, hd_machine *machine, uint32_t location, int64_t value,
                         bool first) {
    enum { CHANGES_AT = 36 };
    if (first)
        hd_text_append(&steps->line, "%*s  -> ",
                       steps->column < CHANGES_AT ? CHANGES_AT - steps->column : 0, "");
    else
        hd_text_append(&steps->line, ", ");
    if (hd_model_is_flag(machine, location))
        hd_text_append(&steps->line, "%s %s",
                       machine->type->thread_name(machine, hd_model_flag_thread(machine, location)),
                       value ? "waits" : "is notified");
    else
        hd_text_append(&steps->line, "%s = %" PRId64,
                       machine->type->location_name(machine, location), value);
}

static void show_change(hd_cli_steps *steps, hd_machine *machine, const struct hd_cli_cell *old,
                        bool first) {
    int64_t value = hd_model_value(machine, old->location);
    const char *name = machine->type->location_name(machine, old->location);
    if (steps->json) {
        hd_json_open(steps->json, NULL, '{');
        hd_json_text(steps->json, "name", name);
        hd_json_int(steps->json, "from", old->value);
        hd_json_int(steps->json, "to", value);
        hd_json_close(steps->json);
    } else if (!steps->silent)
        print_change(steps, machine, old->location, value, first);
}

/* Of a program: what the step read or wrote. */
static void show_value(hd_cli_steps *steps, hd_machine *machine) {
    hd_vec_char variable = {0};
    int64_t value;
    if (!hd_native_step_value(machine, &variable, &value))
        return;
    if (steps->json) {
        hd_json_open(steps->json, NULL, '{');
        hd_json_string(steps->json, "name", variable.data, variable.length);
        hd_json_int(steps->json, "to", value);
        hd_json_close(steps->json);
    } else if (!steps->silent) {
        char shown[256];
        hd_text_printable(shown, sizeof shown, variable.data, variable.length);
        hd_text_append(&steps->line, "  -> %s = %s", shown, hd_text_value(value));
    }
    hd_vec_release(&variable);
}

static int after(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)step;
    hd_cli_steps *steps = context;
    bool first = true;
    steps->within = false;
    if (steps->json)
        hd_json_open(steps->json, "changes", '[');
    for (size_t i = 0; i < steps->written.length; i++) {
        const struct hd_cli_cell *old = &steps->written.data[i];
        if (hd_model_value(machine, old->location) == old->value)
            continue;
        show_change(steps, machine, old, first);
        first = false;
    }
    if (hd_native_is_machine(machine))
        show_value(steps, machine);
    if (steps->json) {
        hd_json_close(steps->json);
        hd_json_close(steps->json);
    } else if (!steps->silent)
        hd_vec_push(&steps->lines, hd_mem_string(steps->line.data, steps->line.length));
    return steps->most && number >= steps->most;
}

hd_replay_watch hd_cli_steps_watch(hd_cli_steps *steps) {
    return (hd_replay_watch){before, after, steps};
}

void hd_cli_steps_close(hd_cli_steps *steps) {
    if (steps->within) {
        hd_json_open(steps->json, "changes", '[');
        hd_json_close(steps->json);
        hd_json_close(steps->json);
    }
    hd_json_close(steps->json);
}

/* ---- Who waits ---- */

static void print_wait(hd_machine *machine, const hd_replay_wait *wait) {
    hd_vec_char text = {0};
    char shown[512];
    machine->type->describe(machine, wait->thread, &text);
    hd_text_printable(shown, sizeof shown, text.data, text.length);
    hd_vec_release(&text);
    hd_machine_operation operation;
    machine->type->next(machine, wait->thread, &operation);
    printf("    line %u  %s", hd_engine_line(machine, operation.position), shown);
    if (wait->kind == HD_REPLAY_WAITS_LOCK)
        printf(" -- held by %s", wait->holder == wait->thread
                                     ? "itself"
                                     : machine->type->thread_name(machine, wait->holder));
    putchar('\n');
    if (!hd_native_is_machine(machine))
        return;
    hd_native_machine_stack(machine, wait->thread, "        ", &text);
    printf("%s", text.length ? text.data : "");
    hd_vec_release(&text);
}

static void write_wait(hd_machine *machine, const hd_replay_wait *wait, hd_json *json) {
    hd_machine_operation operation;
    hd_vec_char text = {0};
    hd_engine_statement(machine, wait->thread, &text);
    machine->type->next(machine, wait->thread, &operation);
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "thread", machine->type->thread_name(machine, wait->thread));
    hd_json_uint(json, "line", hd_engine_line(machine, operation.position));
    hd_json_string(json, "statement", text.data, text.length);
    if (wait->kind == HD_REPLAY_WAITS_LOCK) {
        hd_json_text(json, "lock", machine->type->location_name(machine, wait->location));
        hd_json_text(json, "holder", machine->type->thread_name(machine, wait->holder));
    }
    hd_vec_clear(&text);
    if (hd_native_is_machine(machine)) {
        hd_native_frames frames = {0};
        hd_native_machine_frames(machine, wait->thread, &frames);
        hd_cli_stack_write(json, "stack", &frames);
        hd_native_frames_release(&frames);
    }
    hd_json_close(json);
    hd_vec_release(&text);
}

void hd_cli_waits(hd_machine *machine, const hd_steps *schedule, hd_json *json) {
    hd_replay_waits waits = {0};
    hd_error error = {""};
    hd_replay_find_waits(machine, schedule, &waits, &error);
    for (size_t i = 0; i < waits.length; i++)
        if (json)
            write_wait(machine, &waits.data[i], json);
        else
            print_wait(machine, &waits.data[i]);
    hd_vec_release(&waits);
}
