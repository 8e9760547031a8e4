/*
 * First forwards from the function's beginning: at each instruction, which registers have an
 * address in the function's frame, by its distance from where the stack pointer was.  Then
 * backwards: what may be read before it is written.
 *
 * An address in the frame is made from the stack pointer, so all accesses to the frame are known
 * unless an address goes where it is not followed: into memory, into an unknown function, into a
 * computation.  Then no word of the frame counts as dead.  Functions whose arguments are known
 * (`calls`) are those that the compiler calls for atomics.
 *
 * Ways that the code does not show: exceptions lead from calls to other places, for which the
 * asker looks; setjmp returns twice, and a function that calls it is not looked at.
 */
#include "symbols_dead.h"

#include <assert.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "symbols_code.h"

enum { MOST = 4096 }; /* instructions of a function */

/* --- functions that are called -------------------------------------------------------------- */

enum callee {
    ANY,     /* reads what it can get hold of, and the words of the frame that may be arguments */
    QUIET,   /* reads nothing that its arguments point to, and has none on the stack */
    COMPARE, /* the second argument points to a value that it reads, and writes or not */
    LAST,    /* does not come back, and what the function has is of no interest to it */
    TWICE    /* may return twice */
};

static enum callee callee_of(const char *name, uint32_t *size) {
    static const char *const quiet[] = {"__tsan_func_entry",    "__tsan_func_exit",
                                        "sched_yield",          "pthread_mutex_lock",
                                        "pthread_mutex_unlock", "pthread_mutex_trylock"};
    static const char *const last[] = {"__assert_fail", "abort", "_exit", "exit",
                                       "__stack_chk_fail"};
    static const char *const twice[] = {"setjmp", "vfork", "getcontext"};
    unsigned bits;
    int length = 0;
    if (!name)
        return ANY;
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        if (strstr(name, twice[i]))
            return TWICE;
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (strcmp(name, quiet[i]) == 0)
            return QUIET;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        if (strcmp(name, last[i]) == 0)
            return LAST;
    if (sscanf(name, "__tsan_read%u%n", &bits, &length) == 1 && !name[length])
        return QUIET;
    if (sscanf(name, "__tsan_write%u%n", &bits, &length) == 1 && !name[length])
        return QUIET;
    if (sscanf(name, "__tsan_atomic%u_%n", &bits, &length) != 1 || !length)
        return ANY;
    *size = bits / 8;
    if (strcmp(name + length, "compare_exchange_strong") == 0 ||
        strcmp(name + length, "compare_exchange_weak") == 0)
        return COMPARE;
    return QUIET;
}

/* --- a function ----------------------------------------------------------------------------- */

/* What is known of a register. */
enum kind {
    UNKNOWN,  /* no address in the frame */
    IN_FRAME, /* its distance from the stack pointer at the beginning */
    MIXED,    /* perhaps one in the frame, not known which */
    NUMBER,
    LOADED /* what is at this address of the program's data */
};

typedef struct value {
    enum kind kind;
    int64_t number;
} value;

typedef struct live {
    uint32_t registers;
    uint64_t words[HD_SYMBOLS_DEAD_WORDS / 64];
} live;

typedef struct place {
    hd_symbols_instruction it;
    uint64_t address;
    value before[HD_SYMBOLS_REGISTERS];
    live in;          /* what is live before it */
    uint32_t on, off; /* places that may come next, + 1; 0: none */
    uint8_t callee;
    uint32_t size; /* of what a callee compares */
    bool seen;
} place;

typedef struct function {
    hd_symbols_decoder *decoder;
    const hd_symbols_arch *arch;
    Dwfl_Module *module;
    Elf *elf;
    GElf_Addr bias;
    Elf_Data *code; /* of the section that was used last */
    uint64_t low, high;
    HD_VEC(place) places;
    hd_map at; /* address -> place + 1 */
    HD_VEC(uint32_t) todo;
    int64_t stack; /* where the stack pointer is at the call that is asked about */
    bool escapes;  /* an address in the frame does, or an access to the frame is not followed */
    bool returns_twice;
} function;

static bool find_section(function *f, uint64_t address) {
    for (Elf_Scn *section = elf_nextscn(f->elf, NULL); section;
         section = elf_nextscn(f->elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR) || address < header.sh_addr + f->bias ||
            address >= header.sh_addr + f->bias + header.sh_size)
            continue;
        f->code = elf_getdata(section, NULL);
        f->low = header.sh_addr + f->bias;
        f->high = f->low + (f->code ? f->code->d_size : 0);
        return address < f->high;
    }
    return false;
}

static bool decode(function *f, uint64_t address, hd_symbols_instruction *to) {
    if ((address < f->low || address >= f->high) && !find_section(f, address))
        return false;
    return hd_symbols_decode(f->decoder, (const unsigned char *)f->code->d_buf + (address - f->low),
                             f->high - address, address, to);
}

/* The name of the function whose address the loader puts there; NULL if it puts none. */
static const char *name_loaded(const function *f, uint64_t address) {
    for (Elf_Scn *section = elf_nextscn(f->elf, NULL); section;
         section = elf_nextscn(f->elf, section)) {
        GElf_Shdr header, symbols;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        Elf_Scn *names = elf_getscn(f->elf, header.sh_link);
        if (!data || !names || !gelf_getshdr(names, &symbols))
            continue;
        for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
            GElf_Rela rela;
            GElf_Sym symbol;
            if (gelf_getrela(data, (int)i, &rela) && rela.r_offset + f->bias == address &&
                gelf_getsym(elf_getdata(names, NULL), (int)GELF_R_SYM(rela.r_info), &symbol))
                return elf_strptr(f->elf, symbols.sh_link, symbol.st_name);
        }
    }
    return NULL;
}

/* --- forwards ------------------------------------------------------------------------------- */

static const value nothing = {UNKNOWN, 0};

static bool is_same(value a, value b) {
    return a.kind == b.kind && (a.kind == UNKNOWN || a.kind == MIXED || a.number == b.number);
}

static bool may_be_in_frame(value it) {
    return it.kind == IN_FRAME || it.kind == MIXED;
}

/* What holds on both ways. */
static value meet(value a, value b) {
    if (is_same(a, b))
        return a;
    return may_be_in_frame(a) || may_be_in_frame(b) ? (value){MIXED, 0} : nothing;
}

/* Comes to an address with these values; 0 if there is no code that is known. */
static uint32_t come_to(function *f, uint64_t address, const value *values) {
    bool added, news = false;
    if (f->places.length == MOST)
        return 0;
    uint32_t *number = hd_map_at(&f->at, address, &added);
    if (added) {
        place it = {.address = address};
        if (!decode(f, address, &it.it))
            return 0; /* the key stays, for nothing */
        hd_vec_push(&f->places, it);
        *number = (uint32_t)f->places.length;
    }
    if (!*number)
        return 0;
    place *to = &f->places.data[*number - 1];
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++) {
        value before = to->before[i];
        to->before[i] = to->seen ? meet(before, values[i]) : values[i];
        news |= !is_same(before, to->before[i]);
    }
    if (!to->seen || news)
        hd_vec_push(&f->todo, *number - 1);
    to->seen = true;
    return *number;
}

static value value_of(const value *values, uint8_t number) {
    return number < HD_SYMBOLS_REGISTERS ? values[number] : nothing;
}

/* The value that the instruction gives to it->to. */
static value move(const hd_symbols_instruction *it, const value *values) {
    value from = value_of(values, it->from);
    const hd_symbols_memory *memory = &it->memory[0];
    value base = value_of(values, memory->base);
    switch (it->move) {
    case HD_SYMBOLS_SUM:
        if (from.kind == UNKNOWN || from.kind == LOADED)
            return it->number ? nothing : from;
        return (value){from.kind, from.number + it->number};
    case HD_SYMBOLS_NUMBER:
        return (value){NUMBER, it->number};
    case HD_SYMBOLS_LOAD:
        if (memory->fixed)
            return (value){LOADED, memory->offset};
        if (base.kind == NUMBER && memory->index == HD_SYMBOLS_NO_REGISTER)
            return (value){LOADED, base.number + memory->offset};
        return nothing;
    default:
        return nothing;
    }
}

/* Does an address in the frame go where it is not followed? */
static bool escapes(const function *f, const place *p) {
    const hd_symbols_instruction *it = &p->it;
    value stack = p->before[f->arch->stack];
    for (uint8_t i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        if (it->uses >> i & 1 && may_be_in_frame(p->before[i]))
            return true;
    for (unsigned i = 0; i < it->memories; i++) {
        value base = value_of(p->before, it->memory[i].base);
        if (may_be_in_frame(value_of(p->before, it->memory[i].index)) || base.kind == MIXED ||
            (base.kind == IN_FRAME && it->memory[i].index != HD_SYMBOLS_NO_REGISTER))
            return true;
    }
    if (it->flow == HD_SYMBOLS_TAIL || it->flow == HD_SYMBOLS_AWAY)
        return it->flow == HD_SYMBOLS_AWAY || stack.kind != IN_FRAME || stack.number != 0;
    if (it->flow != HD_SYMBOLS_CALL || p->callee == QUIET || p->callee == LAST)
        return false;
    for (unsigned i = 0; i < sizeof f->arch->argument; i++) {
        value argument = value_of(p->before, f->arch->argument[i]);
        if (may_be_in_frame(argument) &&
            !(p->callee == COMPARE && i == 1 && argument.kind == IN_FRAME))
            return true;
    }
    return false;
}

/* Which function a call is one of. */
static void find_callee(const function *f, place *p) {
    const char *name = NULL;
    value by = value_of(p->before, p->it.by);
    if (p->it.target)
        name = dwfl_module_addrname(f->module, p->it.target);
    else if (p->it.through)
        name = name_loaded(f, p->it.through);
    else if (by.kind == LOADED)
        name = name_loaded(f, (uint64_t)by.number);
    p->callee = (uint8_t)callee_of(name, &p->size);
}

static void pass(function *f, uint32_t number) {
    value after[HD_SYMBOLS_REGISTERS];
    place *p = &f->places.data[number];
    const hd_symbols_instruction it = p->it;
    if (it.flow == HD_SYMBOLS_CALL)
        find_callee(f, p);
    f->returns_twice |= p->callee == TWICE;
    f->escapes |= escapes(f, p);
    memcpy(after, p->before, sizeof after);
    value moved = value_of(after, it.moved), made = move(&it, after);
    for (uint8_t i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        if (it.changed >> i & 1 || (it.flow == HD_SYMBOLS_CALL && f->arch->lost >> i & 1))
            after[i] = nothing;
    if (it.move)
        after[it.to] = made;
    if (it.moved != HD_SYMBOLS_NO_REGISTER)
        after[it.moved] =
            may_be_in_frame(moved) ? (value){moved.kind, moved.number + it.by_how_much} : nothing;
    bool ends = it.flow == HD_SYMBOLS_RETURN || it.flow == HD_SYMBOLS_END ||
                it.flow == HD_SYMBOLS_TAIL || it.flow == HD_SYMBOLS_AWAY ||
                (it.flow == HD_SYMBOLS_CALL && p->callee == LAST);
    uint32_t on = 0, off = 0;
    if (it.flow == HD_SYMBOLS_JUMP || it.flow == HD_SYMBOLS_BRANCH)
        off = come_to(f, it.target, after);
    if (!ends && it.flow != HD_SYMBOLS_JUMP)
        on = come_to(f, it.next, after);
    p = &f->places.data[number];
    p->on = on;
    p->off = off;
    f->escapes |= !ends && ((it.flow != HD_SYMBOLS_JUMP && !on) ||
                            ((it.flow == HD_SYMBOLS_JUMP || it.flow == HD_SYMBOLS_BRANCH) && !off));
}

/* --- backwards ------------------------------------------------------------------------------ */

static const live all = {UINT32_MAX, {UINT64_MAX, UINT64_MAX}};

static void set_word(live *to, size_t word, bool on) {
    uint64_t it = UINT64_C(1) << word % 64;
    if (on)
        to->words[word / 64] |= it;
    else
        to->words[word / 64] &= ~it;
}

/* The words that an access touches are live, or are not if it covers them. */
static void touch(live *to, int64_t from, uint32_t size, bool writes) {
    for (size_t i = 0; i < HD_SYMBOLS_DEAD_WORDS; i++) {
        int64_t low = 4 * (int64_t)i;
        if (writes ? low >= from && low + 4 <= from + size : low < from + size && low + 4 > from)
            set_word(to, i, !writes);
    }
}

static void touch_memory(const function *f, const place *p, live *to, bool writes) {
    for (unsigned i = 0; i < p->it.memories; i++) {
        const hd_symbols_memory *memory = &p->it.memory[i];
        value base = value_of(p->before, memory->base);
        if ((writes ? memory->writes : memory->reads) && base.kind == IN_FRAME && !memory->fixed)
            touch(to, base.number + memory->offset - f->stack, memory->size, writes);
    }
}

static uint32_t registers_read(const hd_symbols_instruction *it) {
    uint32_t read = it->uses;
    for (unsigned i = 0; i < it->memories; i++) {
        read |= it->memory[i].base < HD_SYMBOLS_REGISTERS ? UINT32_C(1) << it->memory[i].base : 0;
        read |= it->memory[i].index < HD_SYMBOLS_REGISTERS ? UINT32_C(1) << it->memory[i].index : 0;
    }
    if (it->move == HD_SYMBOLS_SUM)
        read |= UINT32_C(1) << it->from;
    return read;
}

static void join(live *to, const live *from) {
    to->registers |= from->registers;
    for (size_t i = 0; i < HD_SYMBOLS_DEAD_WORDS / 64; i++)
        to->words[i] |= from->words[i];
}

/* What is live before an instruction, by what is live after it. */
static live look_back(const function *f, const place *p) {
    const hd_symbols_instruction *it = &p->it;
    live in = {0};
    if (it->flow == HD_SYMBOLS_END || (it->flow == HD_SYMBOLS_CALL && p->callee == LAST))
        return in;
    if (it->flow == HD_SYMBOLS_RETURN || it->flow == HD_SYMBOLS_TAIL) { /* the frame ends */
        in.registers = UINT32_MAX;
        return in;
    }
    bool jumps = it->flow == HD_SYMBOLS_JUMP || it->flow == HD_SYMBOLS_BRANCH;
    if (it->flow == HD_SYMBOLS_AWAY || (jumps && !p->off) ||
        (it->flow != HD_SYMBOLS_JUMP && !p->on))
        return all;
    if (p->on)
        join(&in, &f->places.data[p->on - 1].in);
    if (p->off)
        join(&in, &f->places.data[p->off - 1].in);
    if (it->flow == HD_SYMBOLS_CALL && p->callee != QUIET && p->callee != COMPARE)
        memcpy(in.words, all.words, sizeof in.words);
    value compared = value_of(p->before, f->arch->argument[1]);
    if (it->flow == HD_SYMBOLS_CALL && p->callee == COMPARE && compared.kind == IN_FRAME)
        touch(&in, compared.number - f->stack, p->size, false);
    in.registers &= ~it->written;
    touch_memory(f, p, &in, true);
    in.registers |= registers_read(it);
    touch_memory(f, p, &in, false);
    return in;
}

static void find_live(function *f) {
    for (bool more = true; more;) {
        more = false;
        for (size_t i = f->places.length; i-- > 0;) {
            place *p = &f->places.data[i];
            live in = look_back(f, p);
            if (memcmp(&in, &p->in, sizeof in) != 0) {
                p->in = in;
                more = true;
            }
        }
    }
}

/* --- the question --------------------------------------------------------------------------- */

static void answer(const function *f, const place *p, hd_symbols_dead *dead) {
    for (unsigned i = 0; i < sizeof f->arch->kept; i++)
        if (f->arch->kept[i] != HD_SYMBOLS_NO_REGISTER &&
            !(p->in.registers >> f->arch->kept[i] & 1))
            dead->registers |= UINT32_C(1) << i;
    for (size_t i = 0; i < HD_SYMBOLS_DEAD_WORDS && !f->escapes; i++)
        if (!(p->in.words[i / 64] >> i % 64 & 1) && f->stack + 4 * (int64_t)i + 4 <= 0)
            dead->words[i / 64] |= UINT64_C(1) << i % 64;
}

static bool analyse(function *f, uint64_t start, uint64_t code, hd_symbols_dead *dead) {
    value values[HD_SYMBOLS_REGISTERS] = {{UNKNOWN, 0}};
    values[f->arch->stack] = (value){IN_FRAME, 0};
    come_to(f, start, values);
    while (f->todo.length)
        pass(f, hd_vec_pop(&f->todo));
    const uint32_t *at = hd_map_find(&f->at, code);
    if (!at || !*at || f->returns_twice || f->places.length == MOST)
        return false;
    value stack = f->places.data[*at - 1].before[f->arch->stack];
    f->escapes |= stack.kind != IN_FRAME;
    f->stack = stack.number;
    find_live(f);
    answer(f, &f->places.data[*at - 1], dead);
    return true;
}

bool hd_symbols_dead_in(Dwfl_Module *module, uint64_t code, hd_symbols_dead *dead) {
    function f = {.module = module};
    GElf_Ehdr header;
    GElf_Sym symbol;
    GElf_Off offset;
    *dead = (hd_symbols_dead){0};
    f.elf = f.module ? dwfl_module_getelf(f.module, &f.bias) : NULL;
    if (!f.elf || !gelf_getehdr(f.elf, &header))
        return false;
    const char *name = dwfl_module_addrinfo(f.module, code - 1, &offset, &symbol, NULL, NULL, NULL);
    if (!name || strstr(name, ".cold") || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
        return false; /* not the beginning of a function */
    f.decoder = hd_symbols_decoder_create(header.e_machine);
    if (!f.decoder)
        return false;
    f.arch = hd_symbols_decoder_arch(f.decoder);
    bool known = analyse(&f, code - 1 - offset, code, dead);
    hd_symbols_decoder_free(f.decoder);
    hd_vec_release(&f.places);
    hd_vec_release(&f.todo);
    hd_map_release(&f.at);
    return known;
}

bool hd_symbols_dead_at(hd_symbols *symbols, uint64_t code, hd_symbols_dead *dead) {
    return hd_symbols_dead_in(hd_symbols_module(symbols, code), code, dead);
}
