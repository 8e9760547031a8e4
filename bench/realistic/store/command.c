/* Commands as lines of text: GET key, SET key value [ticks], DEL key, INCR key, MOVE from to n. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

enum { MOST_WORDS = 4 };

typedef struct words {
    char word[MOST_WORDS][VALUE_SIZE];
    int count;
} words;

/* False: too many words, or too long ones. */
static bool split(const char *line, words *to) {
    to->count = 0;
    while (*line) {
        size_t size = strcspn(line, " ");
        if (size > 0) {
            if (to->count == MOST_WORDS || size >= VALUE_SIZE)
                return false;
            memcpy(to->word[to->count], line, size);
            to->word[to->count++][size] = '\0';
        }
        line += size + (line[size] == ' ');
    }
    return to->count > 0;
}

static bool is_key(const char *word) {
    return strlen(word) < KEY_SIZE;
}

static bool get(const words *w, char *answer, size_t room) {
    char value[VALUE_SIZE];
    bool found = store_get(w->word[1], value);
    snprintf(answer, room, "%s", found ? value : "(none)");
    return true;
}

static bool set(const words *w, char *answer, size_t room) {
    store_set(w->word[1], w->word[2], w->count > 3 ? strtoul(w->word[3], NULL, 10) : 0);
    snprintf(answer, room, "OK");
    return true;
}

static bool delete (const words *w, char *answer, size_t room) {
    snprintf(answer, room, "%d", store_delete(w->word[1]));
    return true;
}

static bool increment(const words *w, char *answer, size_t room) {
    snprintf(answer, room, "%ld", store_increment(w->word[1], 1));
    return true;
}

static bool move(const words *w, char *answer, size_t room) {
    snprintf(answer, room, "%d", store_move(w->word[1], w->word[2], atol(w->word[3])));
    return true;
}

static const struct {
    const char *name;
    int least, most; /* words */
    bool (*run)(const words *w, char *answer, size_t room);
} commands[] = {
    {"GET", 2, 2, get},        {"SET", 3, 4, set},   {"DEL", 2, 2, delete},
    {"INCR", 2, 2, increment}, {"MOVE", 4, 4, move},
};

bool command_run(const char *line, char *answer, size_t room) {
    words w;
    if (!split(line, &w) || (w.count > 1 && !is_key(w.word[1])))
        return false;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(w.word[0], commands[i].name) == 0)
            return w.count >= commands[i].least && w.count <= commands[i].most &&
                   commands[i].run(&w, answer, room);
    return false;
}
