/*
 * Words as a shell reads them: the command lines that show something again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_words.h"

static void add(hd_vec_char *to, const char *text) {
    size_t length = strlen(text);
    hd_vec_reserve(to, to->length + length + 1);
    memcpy(to->data + to->length, text, length + 1);
    to->length += length;
}

/* Can it stand between plain quotes on a terminal? */
static bool is_shown(const char *word) {
    size_t length = strlen(word), size = 4 * length + 1;
    char *shown = hd_mem_alloc(size);
    bool same = hd_text_printable(shown, size, word, length) == length && !strcmp(shown, word);
    free(shown);
    return same;
}

/* As bash reads $'...': what is not a plain character by its number. */
static void add_escaped(hd_vec_char *to, const char *word) {
    add(to, "$'");
    for (; *word; word++) {
        unsigned char byte = (unsigned char)*word;
        char text[8];
        if (byte == '\'' || byte == '\\')
            snprintf(text, sizeof text, "\\%c", byte);
        else if (byte < ' ' || byte >= 0x7f) /* three digits: the next byte may be one */
            snprintf(text, sizeof text, "\\%03o", byte);
        else
            snprintf(text, sizeof text, "%c", byte);
        add(to, text);
    }
    add(to, "'");
}

void hd_engine_quote(hd_vec_char *to, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*word && word[strspn(word, plain)] == '\0') {
        add(to, word);
        return;
    }
    if (!is_shown(word)) {
        add_escaped(to, word);
        return;
    }
    add(to, "'");
    for (; *word; word++)
        add(to, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
    add(to, "'");
}

/* A file whose name would be an option has its folder before it. */
static void add_file(hd_vec_char *to, const char *path) {
    hd_vec_char word = {0};
    add(&word, *path == '-' ? "./" : "");
    add(&word, path);
    hd_engine_quote(to, word.data);
    hd_vec_release(&word);
}

char *hd_engine_witness_file(const char *output, size_t i) {
    size_t size = strlen(output) + 24;
    char *file = hd_mem_zero(size, 1);
    if (i == 0)
        snprintf(file, size, "%s", output);
    else
        snprintf(file, size, "%s.%zu", output, i + 1);
    return file;
}

static void add_words(hd_vec_char *to, hd_engine_words words) {
    for (size_t i = 0; i < words.count; i++) {
        add(to, " ");
        hd_engine_quote(to, words.data[i]);
    }
}

char *hd_engine_command_line(const char *front, const char *program, hd_engine_words words) {
    hd_vec_char line = {0};
    add(&line, front);
    add(&line, " ");
    add_file(&line, program);
    add_words(&line, words);
    return line.data;
}

char *hd_engine_replay_line(const char *program, const char *witness, hd_engine_words words) {
    hd_vec_char line = {0};
    add(&line, "heddle replay ");
    add_file(&line, program);
    add(&line, " ");
    add_file(&line, witness);
    if (words.count)
        add(&line, " --");
    add_words(&line, words);
    return line.data;
}
