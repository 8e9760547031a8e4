#include "rt_foreign_table.h"

#include "rt_foreign.h"
#include "rt_freed.h"

typedef struct line {
    const char *module; /* not NULL: those of this one follow */
    const char *name, *state;
} line;

static const line lines[] = {
#define MODULE(soname) {soname, NULL, NULL},
#define CALL(name, state) {NULL, name, state},
#define SIZE(name, type)
#include "rt_foreign.def"
#undef MODULE
#undef CALL
#undef SIZE
};

enum { LINES = sizeof lines / sizeof *lines };

static const char *const states[] = {
#define STATE(name, words) #name,
#include "heddle/state.def"
#undef STATE
};

static const char *const buffers[] = {
#define BUFFER(name, words) #name,
#include "heddle/buffer.def"
#undef BUFFER
};
_Static_assert(sizeof buffers / sizeof *buffers <= 32, "they are bits");

static hd_rt_foreign_line known[HEDDLE_WIRE_CALLEES];
static uintptr_t targets[HEDDLE_WIRE_CALLEES];
const uintptr_t *hd_rt_foreign_targets = targets;

/* `pattern` may have some * that stand for anything, and ? for one character. */
static bool fits(const char *text, const char *pattern) {
    for (; *pattern; pattern++, text++) {
        if (*pattern == '*') {
            do
                if (fits(text, pattern + 1))
                    return true;
            while (*text++);
            return false;
        }
        if (*text != *pattern && (*pattern != '?' || !*text))
            return false;
    }
    return !*text;
}

/* NULL: the table does not have it.  *listed: it has the module. */
static const char *look_up(const char *path, const char *name, bool *listed) {
    const char *file = path;
    bool there = false;
    *listed = false;
    for (const char *at = path; *at; at++)
        if (*at == '/')
            file = at + 1;
    for (int i = 0; i < LINES; i++)
        if (lines[i].module) {
            bool few = *lines[i].module == '~';
            there =
                hd_rt_begins(file, lines[i].module + few) || (there && i && lines[i - 1].module);
            *listed |= there && !few;
        } else if (there && fits(name, lines[i].name))
            return lines[i].state;
    return NULL;
}

/* Of the letters that describe a place: is that one that is read or written, or may be? */
static bool is_access(char letter) {
    for (const char *one = "zZrwegTkKiosSxXbBcujChHy?!*{"; *one; one++)
        if (*one == letter)
            return true;
    return false;
}

/* Locks and the like are no plain memory in a recording. */
static bool is_object(const char *name) {
    static const char *const begins[] = {
        "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "mtx_",
        "cnd_",           "sem_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (hd_rt_begins(name, begins[i]))
            return true;
    return false;
}

/* Is the state an open file, or a stream that is closed; or does the call open one? */
static bool is_descriptor(const char *text) {
    if ((*text == 'd' || *text == 'n' || *text == 'c') && text[1] >= '0' && text[1] <= '9')
        return true;
    while (*text && (text[0] != ' ' || text[1] != 'O'))
        text++;
    return *text != '\0';
}

/* Of C++: it writes its object. */
static bool is_constructor(const char *name) {
    if (!hd_rt_begins(name, "_ZN"))
        return false;
    while (*name && !(name[0] == 'C' && (name[1] == '1' || name[1] == '2') && name[2] == 'E'))
        name++;
    return *name != '\0';
}

bool hd_rt_foreign_accesses(const char *name, uint32_t module) {
    bool listed;
    if (module >= hd_rt.wire->modules || module >= HEDDLE_WIRE_MODULES)
        return false;
    const char *text = look_up(hd_rt.wire->module[module].path, name, &listed);
    if (!text || *text == 'm' || is_descriptor(text) || is_constructor(name))
        return true;
    while (*text && *text != ' ')
        text++;
    for (; *text; text++)
        if (text[0] == ' ' && is_access(text[1]))
            return !is_object(name);
    return false;
}

bool hd_rt_foreign_listed(uint32_t module) {
    bool listed = false;
    if (module < hd_rt.wire->modules && module < HEDDLE_WIRE_MODULES)
        look_up(hd_rt.wire->module[module].path, "", &listed);
    return listed;
}

static uint32_t number_at(const char **text) {
    uint32_t number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        number = 10 * number + (uint32_t)(**text - '0');
    return number;
}

static uint64_t fixed_state(const char *name, const char **rest) {
    for (uint32_t i = 0; i < sizeof states / sizeof *states; i++) {
        size_t length = hd_rt_length(states[i], SIZE_MAX);
        if (hd_rt_begins(name, states[i]) &&
            (!name[length] || name[length] == ' ' || name[length] == '&')) {
            *rest = name + length;
            return HEDDLE_WIRE_STATES + UINT64_C(16) * i;
        }
    }
    *rest = "";
    return HEDDLE_WIRE_STATES; /* tests make sure that there is none */
}

uint64_t hd_rt_foreign_kept(enum heddle_wire_kept which) {
    return HEDDLE_WIRE_STATES + 16 * (uint64_t)which;
}

static uint64_t module_state(uint32_t module) {
    return HEDDLE_WIRE_MODULE_STATES + 16 * (uint64_t)module;
}

/* An argument: its letter, number, offset, size. */
static void parse_argument(hd_rt_foreign_line *it, const char **text) {
    bool hidden = **text == 'h';
    *text += hidden;
    it->pointer = **text == 'i';
    *text += it->pointer;
    char letter = *(*text)++;
    it->sort = letter == 't' || letter == 'q'   ? HD_RT_LINE_STREAM
               : letter == 'd'                  ? HD_RT_LINE_DESCRIPTOR
               : letter == 'n'                  ? HD_RT_LINE_ORDINARY
               : letter == 'v' || letter == 'V' ? HD_RT_LINE_MAPPING
                                                : HD_RT_LINE_ARGUMENT;
    it->stays = letter == 'V';
    it->closes = letter == 'c';
    it->locks = letter == 'f' || letter == 'p' || letter == 'c';
    it->file = it->locks || letter == 'F' || letter == 'P';
    it->prints = letter == 'p' || letter == 'P' || letter == 'q';
    uint32_t number = number_at(text);
    it->every = !number;
    it->argument = (uint8_t)(number - !it->every);
#if defined __x86_64__
    it->argument += hidden;
#endif
    if (**text == '+' && ++*text)
        it->offset = (uint16_t)number_at(text);
    if (**text == ':' && ++*text)
        it->size = (uint16_t)number_at(text);
    if (**text == '/')
        it->address = fixed_state(*text + 1, text);
    it->looks = **text == 'r';
    *text += it->looks;
    it->plain = **text == 'p';
    *text += it->plain;
}

/* What is done to descriptors, or to the process: a place of the line. */
static void parse_descriptor(hd_rt_foreign_line *it, const char *text) {
    const char *number = text + 2;
    if (text[0] != ' ')
        return;
    if (text[1] == 'u')
        it->descriptors |= (uint16_t)(1 << (number_at(&number) - 1));
    else if (text[1] == 'C')
        it->ends = (uint8_t)number_at(&number);
    else if (text[1] == 'j')
        it->replaces = (uint8_t)number_at(&number);
    else if (text[1] == 'O')
        it->opens = *number == '2' ? 2 : 1;
    else if (text[1] == '$' || text[1] == '&') {
        it->leaves = (uint8_t)number_at(&number);
        it->perhaps = text[1] == '&';
    }
}

/* Memory of the library that nothing guards: a place of the line. */
static uint32_t parse_buffer(const char *text) {
    for (uint32_t i = 0; text[0] == ' ' && text[1] == '*' && i < sizeof buffers / sizeof *buffers;
         i++) {
        size_t length = hd_rt_length(buffers[i], SIZE_MAX);
        if (hd_rt_begins(text + 2, buffers[i]) && (!text[2 + length] || text[2 + length] == ' '))
            return UINT32_C(1) << i;
    }
    return 0;
}

static hd_rt_foreign_line parse(const char *text, uint32_t module) {
    hd_rt_foreign_line it = {.sort = HD_RT_LINE_NONE};
    if (*text == '-' || *text == '~') {
        it.counts = *text == '~';
        text++;
    } else if (*text == 'm') {
        it.sort = HD_RT_LINE_WHOLE;
        it.address = module_state(module);
        text++;
    } else if (text[1] == ':') {
        it.sort = HD_RT_LINE_FIXED;
        it.looks = *text == 'l';
        it.address = fixed_state(text + 2, &text);
        if (*text == '&')
            it.seen = fixed_state(text + 1, &text);
    } else
        parse_argument(&it, &text);
    if (it.sort == HD_RT_LINE_DESCRIPTOR)
        it.address = hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_files);
    if (it.sort == HD_RT_LINE_DESCRIPTOR || it.sort == HD_RT_LINE_ORDINARY)
        it.descriptors = (uint16_t)(1 << it.argument);
    it.memory = text;
    for (; *text; text++) {
        it.varies |= *text == '%';
        it.tells |= hd_rt_begins(text, "<stderr");
        it.shows |= hd_rt_begins(text, "<stdout");
        it.asks |= hd_rt_begins(text, "<stdin");
        parse_descriptor(&it, text);
        it.races |= parse_buffer(text);
        if (*text == '^')
            it.allocator = text[1] == '1' ? HD_RT_LINE_PERTURBS : HD_RT_LINE_ALLOCATES;
    }
    return it;
}

static bool is_same(const heddle_wire_callee *callee, const char *name, uintptr_t address) {
    return callee->address == address && hd_rt_begins(callee->name, name);
}

uint32_t hd_rt_foreign_number(const char *name, uintptr_t address, uint32_t module, bool *wide) {
    heddle_wire *wire = hd_rt.wire;
    uint32_t number = 0;
    while (number < wire->callees && number < HEDDLE_WIRE_CALLEES &&
           !is_same(&wire->callee[number], name, address))
        number++;
    if (number == HEDDLE_WIRE_CALLEES) {
        wire->callees = number + 1;
        return number;
    }
    bool listed = false;
    const char *text =
        module < HEDDLE_WIRE_MODULES ? look_up(wire->module[module].path, name, &listed) : NULL;
    heddle_wire_callee *callee = &wire->callee[number];
    if (number == wire->callees) {
        *callee = (heddle_wire_callee){
            .address = address, .module = module, .known = callee->known}; /* of a replay */
        hd_rt_text(callee->name, sizeof callee->name, name);
        wire->callees++;
    }
    known[number] = parse(text && callee->known != HEDDLE_WIRE_CAUGHT ? text : "m", module);
    if (callee->known != HEDDLE_WIRE_CAUGHT)
        callee->known = !text                                    ? HEDDLE_WIRE_UNKNOWN
                        : known[number].sort == HD_RT_LINE_NONE  ? HEDDLE_WIRE_STATELESS
                        : known[number].sort == HD_RT_LINE_WHOLE ? HEDDLE_WIRE_UNKNOWN
                                                                 : HEDDLE_WIRE_STATEFUL;
    known[number].method = hd_rt_begins(name, "_ZN") && name[3] != 'K';
    targets[number] = address;
    hd_rt_freed_contexts |= hd_rt_begins(name, "makecontext");
    *wide = !listed;
    return number;
}

const hd_rt_foreign_line *hd_rt_foreign_known(uint32_t number) {
    return &known[number];
}

void hd_rt_foreign_whole(uint32_t number) {
    known[number] = parse("m", hd_rt.wire->callee[number].module);
}
