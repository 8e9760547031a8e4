/*
 * What was learnt of a program, its threads and its shared words, as text for a witness.
 */
#include <stdlib.h>

#include "native_program.h"
#include "native_replay.h"

/* Where the stack of main begins depends on the environment; what is there is told from it. */
static uint64_t stack_top(const hd_native_program *m) {
    const heddle_wire_thread *main = &m->server.run.wire->thread[0];
    return main->stack + main->stack_size;
}

static void add_build(const hd_native_program *m, hd_native_words *words) {
    char build[HD_NATIVE_BUILD];
    hd_vec_char text = {0};
    if (!hd_native_build(m->options.argv[0], build))
        return;
    hd_native_print(&text, "build=%s", build);
    hd_vec_push(words, text.data);
}

void hd_native_machine_words(const hd_machine *machine, hd_native_words *words) {
    const hd_native_program *m = hd_native_program_const(machine);
    const heddle_wire_explore *explore = m->server.explore;
    uint64_t top = stack_top(m), low = m->server.run.wire->thread[0].stack;
    add_build(m, words);
    hd_native_options_words(m->server.run.wire, words);
    if (m->ends) {
        hd_vec_char text = {0};
        hd_native_print(&text, "ends=1");
        hd_vec_push(words, text.data);
    }
    for (uint32_t i = 1; i < machine->threads; i++) {
        hd_vec_char text = {0};
        hd_native_print(&text, "thread=%u.%u", explore->name[i].creator, explore->name[i].birth);
        hd_vec_push(words, text.data);
    }
    for (uint32_t i = 0; i < HEDDLE_WIRE_SHARED; i++) {
        if (!explore->shared[i])
            continue;
        hd_vec_char text = {0};
        uint64_t address = (explore->shared[i] - 1) * 8;
        if (address >= low && address < top)
            hd_native_print(&text, "shared=main-%llu", (unsigned long long)(top - address));
        else
            hd_native_print(&text, "shared=%llu", (unsigned long long)address);
        hd_vec_push(words, text.data);
    }
}

static bool add_thread(hd_native_program *m, const char *text) {
    heddle_wire_explore *explore = m->server.explore;
    const char *dot = strchr(text, '.');
    uint64_t creator, birth;
    if (!dot || !hd_text_u64(text, (size_t)(dot - text), &creator) ||
        !hd_text_u64(dot + 1, strlen(dot + 1), &birth) || creator >= explore->threads ||
        birth > UINT32_MAX || explore->threads >= HEDDLE_WIRE_EXPLORED)
        return false;
    explore->name[explore->threads].creator = (uint32_t)creator;
    explore->name[explore->threads].birth = (uint32_t)birth;
    m->base.threads = ++explore->threads;
    hd_native_program_forget(m);
    return true;
}

bool hd_native_machine_add_word(hd_machine *machine, const char *word) {
    static const char thread[] = "thread=", shared[] = "shared=", stack[] = "main-";
    hd_native_program *m = hd_native_program_of(machine);
    uint64_t address;
    if (strncmp(word, "build=", strlen("build=")) == 0 ||
        hd_native_options_word(m->server.run.wire, word)) /* as it was started with */
        return true;
    if (strcmp(word, "ends=1") == 0) {
        m->server.explore->ends = 1;
        m->ends = true;
        return true;
    }
    if (strncmp(word, thread, strlen(thread)) == 0)
        return add_thread(m, word + strlen(thread));
    if (strncmp(word, shared, strlen(shared)) != 0)
        return false;
    word += strlen(shared);
    bool of_main = strncmp(word, stack, strlen(stack)) == 0;
    if (of_main)
        word += strlen(stack);
    if (!hd_text_u64(word, strlen(word), &address))
        return false;
    return hd_native_server_share(&m->server, (of_main ? stack_top(m) - address : address) / 8);
}
