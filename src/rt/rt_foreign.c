#include "rt_foreign.h"

#include <stdio.h>
#include <sys/mman.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_maps.h"
#include "rt_string.h"
#include "rt_sync.h"
#include "rt_watch.h"

/* --- the table ------------------------------------------------------------------------------ */

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

/* What a line says. */
typedef struct state {
    enum { NONE, ARGUMENT, STREAM, FIXED, WHOLE, DESCRIPTOR, ORDINARY, MAPPING } sort;
    uint8_t argument; /* from 0 on */
    bool looks, prints;
    bool plain;  /* the memory of the object is accessed as by the program */
    bool varies; /* what it returns is not the same twice */
    bool counts; /* it may change a counter that others change too, which is not seen */
    uint16_t offset, size;
    bool file, locks;   /* a FILE, and it takes its lock */
    uint64_t address;   /* of what is fixed, or whole */
    uint64_t seen;      /* of what is looked at besides; 0: nothing */
    const char *memory; /* the rest of the line */
} state;

static state known[HEDDLE_WIRE_CALLEES];
static uintptr_t targets[HEDDLE_WIRE_CALLEES];
const uintptr_t *hd_rt_foreign_targets = targets;
uint32_t hd_rt_foreign_on;

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

static bool begins(const char *text, const char *with) {
    return hd_rt_starts(text, with, hd_rt_length(with, SIZE_MAX));
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
            there = begins(file, lines[i].module) || (there && i && lines[i - 1].module);
            *listed |= there;
        } else if (there && fits(name, lines[i].name))
            return lines[i].state;
    return NULL;
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
        if (begins(name, states[i]) &&
            (!name[length] || name[length] == ' ' || name[length] == '&')) {
            *rest = name + length;
            return HEDDLE_WIRE_STATES + UINT64_C(16) * i;
        }
    }
    *rest = "";
    return HEDDLE_WIRE_STATES; /* tests make sure that there is none */
}

static uint64_t state_at(enum hd_rt_kept which) {
    return HEDDLE_WIRE_STATES + 16 * (uint64_t)which;
}

static uint64_t module_state(uint32_t module) {
    return HEDDLE_WIRE_MODULE_STATES + 16 * (uint64_t)module;
}

/* An argument: its letter, number, offset, size. */
static void parse_argument(state *it, const char **text) {
    bool hidden = **text == 'h';
    *text += hidden;
    char letter = *(*text)++;
    it->sort = letter == 't' || letter == 'q' ? STREAM
               : letter == 'd'                ? DESCRIPTOR
               : letter == 'n'                ? ORDINARY
               : letter == 'v'                ? MAPPING
                                              : ARGUMENT;
    it->locks = letter == 'f' || letter == 'p';
    it->file = it->locks || letter == 'F' || letter == 'P';
    it->prints = letter == 'p' || letter == 'P' || letter == 'q';
    it->argument = (uint8_t)(number_at(text) - 1);
#if defined __x86_64__
    it->argument += hidden;
#endif
    if (**text == '+' && ++*text)
        it->offset = (uint16_t)number_at(text);
    if (**text == ':' && ++*text)
        it->size = (uint16_t)number_at(text);
    it->looks = **text == 'r';
    *text += it->looks;
    it->plain = **text == 'p';
    *text += it->plain;
}

static state parse(const char *text, uint32_t module) {
    state it = {.sort = NONE};
    if (*text == '-' || *text == '~') {
        it.counts = *text == '~';
        text++;
    } else if (*text == 'm') {
        it.sort = WHOLE;
        it.address = module_state(module);
        text++;
    } else if (text[1] == ':') {
        it.sort = FIXED;
        it.looks = *text == 'l';
        it.address = fixed_state(text + 2, &text);
        if (*text == '&')
            it.seen = fixed_state(text + 1, &text);
    } else
        parse_argument(&it, &text);
    if (it.sort == DESCRIPTOR)
        it.address = state_at(HD_RT_STATE_files);
    it.memory = text;
    for (; *text; text++)
        it.varies |= *text == '%';
    return it;
}

static bool is_same(const heddle_wire_callee *callee, const char *name, uintptr_t address) {
    return callee->address == address && begins(callee->name, name);
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
        *callee = (heddle_wire_callee){.address = address, .module = module};
        hd_rt_text(callee->name, sizeof callee->name, name);
        wire->callees++;
    }
    known[number] = parse(text && callee->known != HEDDLE_WIRE_CAUGHT ? text : "m", module);
    if (callee->known != HEDDLE_WIRE_CAUGHT)
        callee->known = !text                         ? HEDDLE_WIRE_UNKNOWN
                        : known[number].sort == NONE  ? HEDDLE_WIRE_STATELESS
                        : known[number].sort == WHOLE ? HEDDLE_WIRE_UNKNOWN
                                                      : HEDDLE_WIRE_STATEFUL;
    targets[number] = address;
    *wide = !listed;
    return number;
}

/* --- the call ------------------------------------------------------------------------------- */

/* Does it point into a module, as to a table of virtual functions? */
static bool is_in_module(uintptr_t at) {
    for (uint32_t i = 0; i < hd_rt.wire->modules; i++)
        if (at >= hd_rt.wire->module[i].low && at < hd_rt.wire->module[i].high)
            return at % sizeof(uintptr_t) == 0;
    return false;
}

/* The streams of C++ have one base in common, where the table of virtual functions of the part
 * says.  A part that is not made yet has no table. */
static uintptr_t stream_at(uintptr_t part) {
    enum { BASE = -3, MOST = 1 << 12 };
    uintptr_t table = *(const uintptr_t *)part;
    if (!is_in_module(table))
        return part;
    intptr_t away = ((const intptr_t *)table)[BASE];
    return away >= 0 && away < MOST ? part + (uintptr_t)away : part;
}

static uintptr_t object_of(const state *it, const uintptr_t *arguments) {
    if (it->sort == FIXED || it->sort == WHOLE || it->sort == DESCRIPTOR)
        return it->address;
    uintptr_t at = arguments[it->argument];
    if (!at)
        return HEDDLE_WIRE_STATES_END; /* a FILE of NULL: all of them */
    return it->sort == STREAM ? stream_at(at) : at + it->offset;
}

typedef struct use {
    uintptr_t object;
    uint32_t size, number;
    bool looks, quietly; /* as far as others go it only looks */
} use;

static void take_step(const use *it, uintptr_t code) {
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(it->number, false);
    bool memory = it->size && hd_rt_explore_touch(!it->looks && !it->quietly,
                                                  (const void *)it->object, it->size);
    bool shared = hd_rt_explore_state(it->object, !it->looks && !it->quietly);
    if (!memory && !shared)
        return;
    bool stores = !it->looks && it->object >= HEDDLE_WIRE_STATES &&
                  it->object < HEDDLE_WIRE_MODULE_STATES && hd_rt_explore_statics();
    unsigned flags = (it->looks ? HEDDLE_WIRE_LOOKS : 0) |
                     (memory || stores ? HEDDLE_WIRE_INSIDE : 0) |
                     (stores ? HEDDLE_WIRE_STORES : 0);
    hd_rt.current->with = (const void *)(uintptr_t)(it->number + 1);
    hd_rt_point_with(HEDDLE_WIRE_CALL, flags, (const void *)it->object, it->size, code,
                     HD_RT_FOREVER);
    hd_rt.current->with = NULL;
}

/* Standard output and error of C and C++ take what they are given. */
static bool is_standard(const state *it, uintptr_t object) {
    if (it->sort == ARGUMENT)
        return object == (uintptr_t)stdout || object == (uintptr_t)stderr;
    for (int i = 0; i < HD_RT_STREAMS; i++)
        if (hd_rt_got_streams[i] && object == stream_at(hd_rt_got_streams[i]))
            return true;
    return false;
}

/* --- files and memory ------------------------------------------------------------------------ */

/* The runtime's own are shared with heddle. */
static bool is_private(const hd_rt_mapping *it, void *unused) {
    (void)unused;
    uintptr_t wire = (uintptr_t)hd_rt.wire, watch;
    uint64_t watched = hd_rt_watch_memory(&watch);
    return !it->shared || (it->low >= wire && it->low < wire + hd_rt.wire_size) ||
           (it->low >= watch && it->low < watch + watched);
}

/* Writing to a file changes memory that is mapped to it, which is not seen. */
static void look_for_mapped(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (explore->hidden & HEDDLE_WIRE_HIDES_MAPPED ||
        hd_rt_explored.births == hd_rt_explored.joins || hd_rt.ended)
        return;
    if (!hd_rt_maps(is_private, NULL))
        explore->hidden |= HEDDLE_WIRE_HIDES_MAPPED;
}

static void use_files(uint32_t number, bool looks, uintptr_t code) {
    use it = {.object = state_at(HD_RT_STATE_files), .number = number, .looks = looks};
    if (!looks)
        look_for_mapped();
    take_step(&it, code);
}

/* An open file: its own state, as long as no file is opened, closed, renamed or removed. */
static void use_open_file(int file, uint32_t number, bool looks, uintptr_t code) {
    uint64_t object;
    use_files(number, true, code);
    if (!looks)
        look_for_mapped();
    do {
        object = hd_rt_ordinary(file);
        if (object)
            take_step(&(use){.object = object, .number = number, .looks = looks}, code);
        else
            use_files(number, looks, code);
    } while (object && object != hd_rt_ordinary(file));
}

/* What is in a buffer may go to the file, or come from there, whenever the stream is used. */
static void use_stream_file(const FILE *stream, uint32_t number, uintptr_t code) {
    enum { OF_FILE = 0x2000 }; /* not of memory: the number of the file is one */
    if (!stream)
        use_files(number, false, code);
    else if (stream != stdout && stream != stderr && stream->_flags & OF_FILE &&
             stream->_fileno >= 0)
        use_open_file(stream->_fileno, number, false, code);
}

/* The memory there is another one from now on, or none: as if all of it was written. */
static void change_mapping(uintptr_t low, size_t size, uint32_t number, uintptr_t code) {
    enum { MOST = 1 << 20 };
    if (!size || hd_rt_explored.births == hd_rt_explored.joins)
        return;
    if (size > MOST)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_UNMAPPED;
    use it = {.object = low, .size = size < MOST ? (uint32_t)size : MOST, .number = number};
    take_step(&it, code);
}

/* mmap(address, size, protection, flags, ...), or madvise(address, size, advice). */
static void map_memory(uint32_t number, const uintptr_t *arguments, uintptr_t code) {
    bool maps = begins(hd_rt.wire->callee[number].name, "mmap");
    if (!maps || arguments[3] & MAP_FIXED)
        change_mapping(arguments[0], arguments[1], number, code);
    if (maps && arguments[3] & MAP_SHARED && (int)arguments[4] >= 0)
        use_files(number, true, code);
}

/* A new locale matters to all that print or convert, not all of which say so. */
static void change_locale(void) {
    if (hd_rt_explored.births != hd_rt_explored.joins && !hd_rt.ended)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_LOCALE;
}

/* What the function does comes after its last step.  If it accesses memory at an earlier one, and
 * others use that memory but not what the last step is about, they may come between the two; so
 * there is one more step, which depends on everything. */
static void join_steps(uint32_t taken, uintptr_t code) {
    if (hd_rt.current->taken - taken < 2)
        return;
    hd_rt_explore->exits |= HEDDLE_WIRE_EXITS;
    hd_rt_point(HEDDLE_WIRE_ATOMIC, NULL, 0, code);
}

/* Only the standard streams may be used by several threads with nothing between them: of others
 * the word that says how they are is written, and the pointers of their buffer. */
static void access_stream(uintptr_t base, bool looks, uintptr_t code) {
    enum { STATE_AT = 32, BUFFER_AT = 232, POINTERS_AT = 8, POINTERS = 48 };
    unsigned kind = looks ? HEDDLE_READ + 1 : HEDDLE_WRITE + 1;
    if (hd_rt.ended)
        return;
    hd_rt_explore_access(kind, (const void *)(base + STATE_AT), sizeof(int), code);
    uintptr_t buffer = *(const uintptr_t *)(base + BUFFER_AT);
    if (buffer && is_in_module(*(const uintptr_t *)buffer))
        hd_rt_explore_access(kind, (const void *)(buffer + POINTERS_AT), POINTERS, code);
}

static void use_state(const state *it, uint32_t number, const uintptr_t *arguments,
                      uintptr_t code) {
    if (it->sort == NONE)
        return;
    if (it->sort == MAPPING) {
        map_memory(number, arguments, code);
        return;
    }
    if (it->sort == ORDINARY) {
        use_open_file((int)arguments[it->argument], number, it->looks, code);
        return;
    }
    if (it->sort == DESCRIPTOR)
        hd_rt_file_asked((int)arguments[it->argument], code);
    if (it->address == state_at(HD_RT_STATE_files) && !it->looks)
        look_for_mapped();
    if (it->address == state_at(HD_RT_STATE_locale) &&
        begins(hd_rt.wire->callee[number].name, "setl"))
        change_locale();
    if (it->seen)
        take_step(&(use){.object = it->seen, .number = number, .looks = true}, code);
    use of = {
        .object = object_of(it, arguments), .size = it->size, .number = number, .looks = it->looks};
    if (it->sort == STREAM)
        of.size = 216; /* std::ios_base, which instrumented code accesses too */
    bool apart = it->sort == STREAM && !hd_rt_got_standard(arguments[it->argument]);
    uint32_t taken = hd_rt.current->taken;
    if (apart)
        access_stream(of.object, it->looks, code);
    if (it->plain && !hd_rt.ended)
        hd_rt_explore_access(it->looks ? HEDDLE_READ + 1 : HEDDLE_WRITE + 1,
                             (const void *)of.object, of.size, code);
    of.quietly = it->prints && !hd_rt.wire->prints && is_standard(it, of.object);
    take_step(&of, code);
    if (apart && !hd_rt.ended)
        join_steps(taken, code);
    if (it->file && !it->looks)
        use_stream_file((const FILE *)arguments[it->argument], number, code);
    if (it->locks && arguments[it->argument])
        hd_rt_stream_await((FILE *)arguments[it->argument], code);
}

/* Is it of the sort that reads what is not the same twice?  Whether or not others run. */
static void note_input(const state *it, uint32_t number, const uintptr_t *arguments) {
    if (it->varies)
        hd_rt_input(hd_rt.wire->callee[number].name);
    else if (it->file && !it->prints && !it->looks)
        hd_rt_input_stream((const FILE *)arguments[it->argument]);
    else if (it->sort == ORDINARY)
        hd_rt_input_file((int)arguments[it->argument]);
}

uintptr_t hd_rt_foreign_call(uint32_t number, const uintptr_t *arguments, uintptr_t code) {
    uintptr_t target = targets[number];
    const state *it = &known[number];
    if (!hd_rt.exploring)
        return target;
    if ((it->varies || it->file || it->sort == ORDINARY) && !hd_rt_explore->input[0])
        note_input(it, number, arguments);
    if (!hd_rt_explored.births || !hd_rt_controlled())
        return target;
    uint32_t taken = hd_rt.current->taken;
    bool shares = false;
    hd_rt.wire->callee[number].calls++;
    hd_rt_settle();
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(number, it->sort == NONE && !it->counts);
    if (*it->memory && !hd_rt.ended)
        shares = hd_rt_foreign_memory(it->memory, arguments, number, it->sort != NONE, code) > 0;
    use_state(it, number, arguments, code);
    if (shares && !hd_rt.ended)
        join_steps(taken, code);
    return target;
}

/* --- what the runtime interposes ------------------------------------------------------------ */

/* Their numbers are found by name. */
static uint32_t own_number(const char *name) {
    bool wide;
    uintptr_t address = (uintptr_t)name;
    uint32_t number = 0;
    while (number < hd_rt.wire->callees && number < HEDDLE_WIRE_CALLEES &&
           hd_rt.wire->callee[number].address != address)
        number++;
    if (number < hd_rt.wire->callees)
        return number < HEDDLE_WIRE_CALLEES ? number : 0;
    number = hd_rt_foreign_number(name, address, hd_rt_got_libc(), &wide);
    if (number < HEDDLE_WIRE_CALLEES)
        hd_rt.wire->callee[number].known = HEDDLE_WIRE_STATEFUL;
    return number < HEDDLE_WIRE_CALLEES ? number : 0;
}

static bool is_used(void) {
    return hd_rt.exploring && hd_rt_explored.births && hd_rt_controlled();
}

void hd_rt_foreign_use(const char *name, const void *object, enum hd_rt_use how, uintptr_t code) {
    if (!is_used())
        return;
    use it = {.object = (uintptr_t)object, .number = own_number(name), .looks = how == HD_RT_LOOKS};
    hd_rt.wire->callee[it.number].calls++;
    take_step(&it, code);
}

void hd_rt_foreign_print(const char *name, const void *stream, uintptr_t code) {
    if (!is_used())
        return;
    use it = {.object = (uintptr_t)stream, .number = own_number(name)};
    it.quietly = !hd_rt.wire->prints && (stream == stdout || stream == stderr);
    hd_rt.wire->callee[it.number].calls++;
    take_step(&it, code);
    use_stream_file(stream, it.number, code);
}

void hd_rt_foreign_state(const char *name, enum hd_rt_kept which, enum hd_rt_use how,
                         uintptr_t code) {
    if (!is_used())
        return;
    if (which == HD_RT_STATE_files && how == HD_RT_CHANGES)
        look_for_mapped();
    hd_rt_foreign_use(name, (const void *)state_at(which), how, code);
}

void hd_rt_foreign_file(const char *name, int file, uintptr_t code) {
    if (!is_used())
        return;
    uint32_t number = own_number(name);
    hd_rt.wire->callee[number].calls++;
    use_open_file(file, number, false, code);
}

void hd_rt_foreign_remap(const char *name, const void *low, size_t size, uintptr_t code) {
    if (is_used())
        change_mapping((uintptr_t)low, size, own_number(name), code);
}

void hd_rt_foreign_renew(void) {
    static uint32_t caught;
    hd_rt_audit_begin();
    if (caught == hd_rt_explore->caught)
        return;
    caught = hd_rt_explore->caught;
    for (uint32_t i = 0; i < hd_rt.wire->callees && i < HEDDLE_WIRE_CALLEES; i++)
        if (hd_rt.wire->callee[i].known == HEDDLE_WIRE_CAUGHT)
            known[i] = parse("m", hd_rt.wire->callee[i].module);
}

void hd_rt_foreign_begin(void) {
    hd_rt_foreign_on = 1;
    hd_rt_foreign_renew();
}
