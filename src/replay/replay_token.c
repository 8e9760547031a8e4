#include "replay_token.h"

#include <stdio.h>
#include <string.h>

void hd_replay_tokens_init(hd_replay_tokens *tokens, hd_machine *machine) {
    *tokens = (hd_replay_tokens){0};
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        const char *name = machine->type->thread_name(machine, thread);
        uint32_t number = hd_names_add(&tokens->names, name, strlen(name));
        if (number == tokens->thread_of.length)
            hd_vec_push(&tokens->thread_of, thread);
        else
            tokens->thread_of.data[number] = UINT32_MAX;
    }
    assert(tokens->thread_of.length <= machine->threads);
}

void hd_replay_tokens_release(hd_replay_tokens *tokens) {
    hd_names_release(&tokens->names);
    hd_vec_release(&tokens->thread_of);
}

static bool plain(char c) {
    return c > ' ' && c < 0x7f && !strchr(":%#", c);
}

static void append(hd_vec_char *to, const char *text) {
    for (; *text; text++)
        hd_vec_push(to, *text);
}

void hd_replay_token_print(const hd_replay_tokens *tokens, hd_machine *machine, uint32_t thread,
                           hd_vec_char *to) {
    const char *name = machine->type->thread_name(machine, thread);
    uint32_t number = hd_names_find(&tokens->names, name, strlen(name));
    char text[16];
    assert(number < tokens->thread_of.length);
    HD_ASSERT_ONLY size_t start = to->length;
    if (!*name || tokens->thread_of.data[number] != thread) {
        snprintf(text, sizeof text, "#%u", thread);
        append(to, text);
        return;
    }
    for (; *name; name++) {
        snprintf(text, sizeof text, plain(*name) ? "%c" : "%%%02X", (unsigned char)*name);
        append(to, text);
    }
    assert(hd_replay_token_legal(to->data + start, to->length - start));
}

static int digit(char c) {
    static const char digits[] = "0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

bool hd_replay_token_legal(const char *token, size_t length) {
    uint64_t number;
    if (length > 1 && token[0] == '#')
        return hd_text_u64(token + 1, length - 1, &number) && number < UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        if (plain(token[i]))
            continue;
        if (token[i] != '%' || length - i < 3 || digit(token[i + 1]) < 0 || digit(token[i + 2]) < 0)
            return false;
        i += 2;
    }
    return length > 0;
}

bool hd_replay_token_find(const hd_replay_tokens *tokens, const hd_machine *machine,
                          const char *token, uint32_t *thread) {
    uint64_t number;
    if (token[0] == '#') {
        bool good = hd_text_u64(token + 1, strlen(token + 1), &number) && number < machine->threads;
        *thread = good ? (uint32_t)number : 0;
        return good;
    }
    hd_vec_char name = {0};
    for (; *token; token++)
        if (*token != '%')
            hd_vec_push(&name, *token);
        else {
            hd_vec_push(&name, (char)(digit(token[1]) * 16 + digit(token[2])));
            token += 2;
        }
    uint32_t found = hd_names_find(&tokens->names, name.data, name.length);
    hd_vec_release(&name);
    if (found == HD_NAMES_NONE || tokens->thread_of.data[found] == UINT32_MAX)
        return false;
    *thread = tokens->thread_of.data[found];
    assert(*thread < machine->threads);
    return true;
}
