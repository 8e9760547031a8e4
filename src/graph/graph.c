#include "graph.h"

#include <stdio.h>
#include <stdlib.h>

/* A state, identified by the step that first led there. */
typedef struct state {
    uint32_t parent;
    uint32_t thread, choice;
} state;

typedef struct drawing {
    hd_machine *machine;
    const hd_graph_options *options;
    hd_graph_result *result;
    hd_file *file;
    HD_VEC(state) states;
    hd_map by_hash; /* number of the state */
    hd_vec_u32 path;
    hd_vec_char text;
} drawing;

/* Graphviz strings: quotes and backslashes escaped, a line feed is \n. */
static void write_escaped(drawing *d, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            hd_file_print(d->file, "\\%c", text[i]);
        else if (text[i] == '\n')
            hd_file_print(d->file, "\\n");
        else if ((unsigned char)text[i] >= ' ')
            hd_file_write(d->file, text + i, 1);
    }
}

static void write_text(drawing *d) {
    write_escaped(d, d->text.data, d->text.length);
    hd_vec_clear(&d->text);
}

/* Brings the machine into a state. */
static void go_to(drawing *d, uint32_t number) {
    hd_vec_clear(&d->path);
    for (uint32_t at = number; at != 0; at = d->states.data[at].parent)
        hd_vec_push(&d->path, at);
    d->machine->type->restart(d->machine);
    while (d->path.length > 0) {
        const state *s = &d->states.data[hd_vec_pop(&d->path)];
        d->machine->type->step(d->machine, s->thread, s->choice);
    }
}

static void write_edge_start(drawing *d, uint32_t from) {
    d->result->edges++;
    hd_file_print(d->file, "    s%u -> ", from);
}

static void write_failure(drawing *d) {
    hd_file_print(d->file, "    f%u [shape=octagon, color=red, label=\"", ++d->result->failures);
    d->machine->type->failure(d->machine, &d->text);
    write_text(d);
    hd_file_print(d->file, "\"];\n");
}

/* The state that the machine is in, by number; none if there is no room for it. */
static uint32_t number_of(drawing *d, state s) {
    uint64_t hash = d->options->hash(d->machine);
    const uint32_t *known = hd_map_find(&d->by_hash, hash);
    if (known)
        return *known;
    if (d->states.length >= d->options->most_states)
        return UINT32_MAX;
    bool added;
    uint32_t number = (uint32_t)d->states.length;
    *hd_map_at(&d->by_hash, hash, &added) = number;
    hd_vec_push(&d->states, s);
    return number;
}

/* One step of one thread out of a state.  Leaves the machine after the step. */
static void draw_step(drawing *d, uint32_t from, uint32_t thread, uint32_t choice) {
    hd_vec_char words = {0};
    d->machine->type->describe(d->machine, thread, &words);
    if (d->machine->type->step(d->machine, thread, choice) == HD_MACHINE_FAILED) {
        write_failure(d);
        write_edge_start(d, from);
        hd_file_print(d->file, "f%u", d->result->failures);
    } else {
        uint32_t to = number_of(d, (state){from, thread, choice});
        write_edge_start(d, from);
        if (to == UINT32_MAX) {
            d->result->cut++;
            hd_file_print(d->file, "more");
        } else
            hd_file_print(d->file, "s%u", to);
    }
    hd_file_print(d->file, " [label=\"");
    write_escaped(d, words.data, words.length);
    hd_file_print(d->file, "\"];\n");
    hd_vec_release(&words);
}

static void draw_state(drawing *d, uint32_t number, bool ended, bool stuck) {
    static const char *const looks[] = {"", ", peripheries=2",
                                        ", color=red, style=filled, fillcolor=mistyrose"};
    hd_file_print(d->file, "    s%u [label=\"%u", number, number + 1);
    if (stuck)
        hd_file_print(d->file, " deadlock");
    if (d->options->label) {
        hd_file_print(d->file, "\\n");
        d->options->label(d->machine, &d->text);
        write_text(d);
    }
    hd_file_print(d->file, "\"%s];\n", looks[stuck ? 2 : ended ? 1 : 0]);
    d->result->ends += ended;
    d->result->deadlocks += stuck;
}

static bool goes_on(drawing *d) {
    d->result->late |= hd_clock_over();
    return !d->result->late && !hd_file_failed(d->file);
}

static void draw_from(drawing *d, uint32_t number) {
    hd_machine *machine = d->machine;
    hd_machine_operation operation;
    uint32_t running = 0, enabled = 0;
    go_to(d, number);
    for (uint32_t t = 0; t < machine->threads; t++)
        if (machine->type->next(machine, t, &operation)) {
            running++;
            enabled += operation.enabled;
        }
    draw_state(d, number, running == 0, running > 0 && enabled == 0);
    for (uint32_t t = 0; t < machine->threads && goes_on(d); t++) {
        go_to(d, number);
        if (!machine->type->next(machine, t, &operation) || !operation.enabled)
            continue;
        uint32_t choices = operation.choices;
        for (uint32_t choice = 0; choice < choices && goes_on(d); choice++) {
            go_to(d, number);
            draw_step(d, number, t, choice);
        }
    }
}

static void draw_graph(drawing *d) {
    hd_file_print(d->file, "digraph states {\n    node [shape=box, fontname=monospace];\n"
                           "    edge [fontname=monospace];\n");
    d->machine->type->restart(d->machine);
    number_of(d, (state){0});
    for (uint32_t i = 0; i < d->states.length && goes_on(d); i++)
        draw_from(d, i);
    if (d->result->cut)
        hd_file_print(d->file,
                      "    more [shape=none, fontcolor=red, label=\"cut off: %u steps lead to "
                      "states past the limit of %u\"];\n",
                      d->result->cut, d->options->most_states);
    d->result->states = (uint32_t)d->states.length;
    hd_file_print(d->file, "    labelloc=top;\n    label=\"");
    write_escaped(d, d->options->title, strlen(d->options->title));
    hd_file_print(d->file, ": %u states%s\";\n}\n", d->result->states,
                  d->result->late  ? ", cut off: no time was left"
                  : d->result->cut ? ", cut off at the limit"
                                   : "");
}

bool hd_graph_write(hd_machine *machine, const hd_graph_options *options, const char *path,
                    hd_graph_result *result, hd_error *error) {
    *result = (hd_graph_result){0};
    drawing d = {.machine = machine, .options = options, .result = result};
    d.file = hd_file_create(path, error);
    if (!d.file)
        return false;
    draw_graph(&d);
    machine->type->restart(machine);
    hd_vec_release(&d.states);
    hd_map_release(&d.by_hash);
    hd_vec_release(&d.path);
    hd_vec_release(&d.text);
    return hd_file_commit(d.file, error);
}
