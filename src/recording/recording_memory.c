#include "recording_memory.h"

#include <stdlib.h>

#include "symbols/symbols.h"

typedef struct block {
    uint64_t start, size;
    uint64_t code;
    uint32_t thread;
    uint32_t count; /* of this thread and code, from 1 on */
    size_t number;  /* of all blocks: in a free run, the last of several at one address counts */
} block;

struct hd_recording_memory {
    const hd_launch_run *run;
    hd_symbols *symbols;
    hd_symbols_locals *locals;
    hd_packed_granules *granules;
    HD_VEC(block) blocks; /* sorted once all are known */
    bool sorted;          /* they are sorted */
    hd_map block_counts;  /* (thread, code) */
    const block *named;   /* the last that was, and its name */
    hd_vec_char name;
    uint64_t line_code; /* the last code of an allocation, and its line */
    hd_vec_char line;
    hd_vec_char which;
};

hd_recording_memory *hd_recording_memory_create(const hd_launch_run *run, hd_symbols *symbols) {
    hd_recording_memory *memory = HD_NEW(hd_recording_memory);
    memory->run = run;
    memory->symbols = symbols;
    memory->locals = hd_symbols_locals_create(run, symbols);
    memory->granules = hd_packed_granules_create();
    return memory;
}

void hd_recording_memory_free(hd_recording_memory *memory) {
    if (!memory)
        return;
    hd_packed_granules_free(memory->granules);
    hd_symbols_locals_free(memory->locals);
    hd_vec_release(&memory->blocks);
    hd_vec_release(&memory->name);
    hd_vec_release(&memory->line);
    hd_vec_release(&memory->which);
    hd_map_release(&memory->block_counts);
    free(memory);
}

void hd_recording_memory_note_access(hd_recording_memory *memory, uint64_t address, uint64_t size) {
    hd_packed_granules_add(memory->granules, address);
    hd_packed_granules_add(memory->granules, address + size);
}

hd_packed_granules *hd_recording_memory_granules(hd_recording_memory *memory) {
    return memory->granules;
}

void hd_recording_memory_note(hd_recording_memory *memory, const heddle_wire_block *it) {
    bool added;
    uint64_t key = it->code * UINT64_C(0x9e3779b97f4a7c15) + it->thread;
    uint32_t *count = hd_map_at(&memory->block_counts, key, &added);
    ++*count;
    block fresh = {.start = it->address,
                   .size = it->size ? it->size : 1,
                   .code = it->code,
                   .thread = it->thread,
                   .count = *count,
                   .number = memory->blocks.length};
    hd_vec_push(&memory->blocks, fresh);
    if (!memory->sorted)
        return;
    size_t at = memory->blocks.length - 1;
    for (; at && memory->blocks.data[at - 1].start > fresh.start; at--)
        memory->blocks.data[at] = memory->blocks.data[at - 1];
    memory->blocks.data[at] = fresh;
    memory->named = NULL;
}

void hd_recording_memory_note_block(hd_recording_memory *memory, const hd_packed_record *record) {
    hd_recording_memory_note(memory, &(heddle_wire_block){.address = record->address,
                                                          .size = record->size,
                                                          .code = record->code,
                                                          .thread = record->thread});
}

static int compare_blocks(const void *a, const void *b) {
    const block *x = a, *y = b;
    if (x->start != y->start)
        return x->start > y->start ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

void hd_recording_memory_noted(hd_recording_memory *memory) {
    hd_packed_granules_number(memory->granules);
    memory->named = NULL;
    memory->sorted = true;
    if (memory->blocks.length)
        qsort(memory->blocks.data, memory->blocks.length, sizeof *memory->blocks.data,
              compare_blocks);
}

void hd_recording_memory_forget_stacks(hd_recording_memory *memory) {
    hd_symbols_locals_forget(memory->locals);
}

void hd_recording_memory_forget(hd_recording_memory *memory) {
    hd_vec_clear(&memory->blocks);
    hd_map_clear(&memory->block_counts);
    memory->named = NULL;
}

/* --- names ---------------------------------------------------------------------------------- */

/* Is it the last block that begins there or before? */
static bool begins_before(const hd_recording_memory *memory, const block *it, uint64_t address) {
    const block *end = memory->blocks.data + memory->blocks.length;
    return it < end && it->start <= address && (it + 1 == end || it[1].start > address);
}

/* Mostly it is the block that was named last, or the next one. */
static const block *find_block(const hd_recording_memory *memory, uint64_t address) {
    for (const block *it = memory->named; it && it <= memory->named + 1; it++)
        if (begins_before(memory, it, address))
            return address - it->start < it->size ? it : NULL;
    size_t low;
    hd_vec_upper(low, &memory->blocks, start, address);
    if (!low)
        return NULL;
    const block *it = &memory->blocks.data[low - 1];
    return address - it->start < it->size ? it : NULL;
}

uint64_t hd_recording_memory_freed(hd_recording_memory *memory, uint64_t address) {
    const block *it = find_block(memory, address);
    if (!it || it->start != address)
        return 0;
    uint64_t size = it->size;
    size_t at = (size_t)(it - memory->blocks.data);
    memory->blocks.length--;
    memmove(memory->blocks.data + at, memory->blocks.data + at + 1,
            (memory->blocks.length - at) * sizeof *memory->blocks.data);
    memory->named = NULL;
    return size;
}

static void name_line(hd_recording_memory *memory, uint64_t code) {
    if (memory->line.length && memory->line_code == code)
        return;
    hd_vec_clear(&memory->line);
    memory->line_code = code;
    if (!hd_symbols_line(memory->symbols, code, &memory->line) &&
        !hd_symbols_function(memory->symbols, code, &memory->line))
        hd_text_append(&memory->line, "heap");
    hd_text_append(&memory->line, "#");
}

/* The first block of the main thread at its place needs no number. */
static void name_which(hd_recording_memory *memory, const block *it) {
    hd_vec_clear(&memory->which);
    hd_text_append_text(&memory->which, "");
    if (!it->thread && it->count == 1)
        return;
    hd_text_append_text(&memory->which, "#");
    if (it->thread) {
        hd_launch_thread_name(memory->run, it->thread, &memory->which);
        hd_text_append_text(&memory->which, ":");
    }
    hd_text_append_number(&memory->which, it->count);
}

/* By what the source calls it, else by its place; `member`: its parts have names. */
static bool name_block(hd_recording_memory *memory, uint64_t address, bool whole, bool *member,
                       hd_vec_char *to) {
    const block *it = find_block(memory, address);
    if (!it)
        return false;
    if (memory->named != it) {
        memory->named = it;
        name_which(memory, it);
        hd_vec_clear(&memory->name);
    }
    *member = hd_symbols_block(memory->symbols, it->code, it->size, memory->which.data,
                               address - it->start, whole, to);
    if (*member)
        return true;
    if (!memory->name.length) {
        name_line(memory, it->code);
        hd_text_append_text(&memory->name, memory->line.data);
        hd_launch_thread_name(memory->run, it->thread, &memory->name);
        hd_text_append_text(&memory->name, ":");
        hd_text_append_number(&memory->name, it->count);
    }
    hd_text_append_text(to, memory->name.data);
    if (address != it->start) {
        hd_text_append_text(to, "+");
        hd_text_append_number(to, address - it->start);
    }
    return true;
}

/* The program's own thread-local variables, followed by those of the C library. */
static bool name_local(const hd_recording_memory *memory, uint64_t address, hd_vec_char *to) {
    enum { NEAR = 4096 };
    const heddle_wire *wire = memory->run->wire;
    for (uint32_t i = 0; i < wire->threads && i < HEDDLE_WIRE_THREADS; i++) {
        uint64_t pointer = wire->thread[i].tls, start = pointer + (uint64_t)wire->tls;
        if (!pointer ||
            (address - start >= wire->tls_size && address - pointer + NEAR >= NEAR + NEAR))
            continue;
        bool known = address - start < wire->tls_size &&
                     hd_symbols_local(memory->symbols, address - start, to);
        if (!known)
            hd_text_append(to, "thread-local %lld", (long long)(address - pointer));
        hd_text_append(to, " of ");
        hd_launch_thread_name(memory->run, i, to);
        return true;
    }
    return false;
}

static bool name_stack(const hd_recording_memory *memory, uint64_t address, bool whole,
                       hd_vec_char *to) {
    if (hd_symbols_locals_name(memory->locals, address, whole, to))
        return true;
    const heddle_wire *wire = memory->run->wire;
    for (uint32_t i = 0; i < wire->threads && i < HEDDLE_WIRE_THREADS; i++) {
        const heddle_wire_thread *thread = &wire->thread[i];
        if (address - thread->stack >= thread->stack_size)
            continue;
        hd_text_append(to, "stack of ");
        hd_launch_thread_name(memory->run, i, to);
        hd_text_append(to, " -%llu",
                       (unsigned long long)(thread->stack + thread->stack_size - address));
        return true;
    }
    return false;
}

/* Pipes, sockets and the like, in the order of their first use. */
static bool name_file(const hd_recording_memory *memory, uint64_t address, hd_vec_char *to) {
    uint64_t number = (address - memory->run->wire->files) / sizeof(uint64_t);
    if (address < memory->run->wire->files || number >= HEDDLE_WIRE_FILES)
        return false;
    hd_text_append(to, number ? "file %llu" : "files", (unsigned long long)number);
    return true;
}

/* Descriptors of files.  A number that was used before has a count. */
static bool name_descriptor(hd_recording_memory *memory, uint64_t address, hd_vec_char *to) {
    const heddle_wire *wire = memory->run->wire;
    uint64_t which = (address - wire->descriptor_words) / sizeof(uint64_t);
    if (!wire->descriptor_words || address < wire->descriptor_words ||
        which >= (uint64_t)HEDDLE_WIRE_DESCRIPTORS * HEDDLE_WIRE_DESCRIPTOR_TIMES)
        return false;
    unsigned long long number = which % HEDDLE_WIRE_DESCRIPTORS;
    unsigned long long times = which / HEDDLE_WIRE_DESCRIPTORS;
    const heddle_wire_opened *opened = &wire->opened[which % HEDDLE_WIRE_OPENED];
    hd_text_append(to, times ? "descriptor %llu#%llu" : "descriptor %llu", number, times + 1);
    hd_vec_char line = {0};
    if (opened->which == which + 1 && opened->code &&
        hd_symbols_line(memory->symbols, opened->code, &line))
        hd_text_append(to, " opened at %s", line.data);
    hd_vec_release(&line);
    return true;
}

/* Handles of threads, and memory of the C library's own. */
static bool name_handle(const hd_recording_memory *memory, uint64_t address, hd_vec_char *to) {
    static const char *const buffers[] = {
#define BUFFER(name, words) words,
#include "heddle/buffer.def"
#undef BUFFER
    };
    const heddle_wire *wire = memory->run->wire;
    uint64_t id = (address - wire->thread_words) / sizeof(uint64_t);
    uint64_t buffer = id - HEDDLE_WIRE_THREADS, state = id - HEDDLE_WIRE_THREAD_STATES;
    if (!wire->thread_words || address < wire->thread_words)
        return false;
    if (id < HEDDLE_WIRE_THREADS) {
        hd_text_append(to, "handle of thread ");
        hd_launch_thread_name(memory->run, (uint32_t)id, to);
    } else if (buffer < sizeof buffers / sizeof *buffers)
        hd_text_append(to, "%s", buffers[buffer]);
    else if (state < HEDDLE_WIRE_THREADS) {
        hd_text_append(to, "whether it is detached: thread ");
        hd_launch_thread_name(memory->run, (uint32_t)state, to);
    } else
        return false;
    return true;
}

/* Words that stand for objects that annotations release and acquire. */
static bool name_order(hd_recording_memory *memory, uint64_t address, hd_vec_char *to) {
    const heddle_wire *wire = memory->run->wire;
    uint64_t number = (address - wire->order_words) / sizeof(uint64_t);
    if (!wire->order_words || address < wire->order_words || number >= HEDDLE_WIRE_ORDERS)
        return false;
    hd_text_append(to, "order of ");
    if (wire->order_object[number] - wire->order_words >=
        HEDDLE_WIRE_ORDERS * sizeof(uint64_t)) /* not one of them, which would not end */
        hd_recording_memory_name(memory, wire->order_object[number], true, to);
    return true;
}

/* Where a member that the compiler made for the table of virtual functions is named: from the dot
 * on, up to what follows the name of its class. */
static char *find_member(char *name, char **rest) {
    char *at = name;
    while ((at = strstr(at, "_vptr")) && at[5] != '.' && at[5] != '$')
        at++;
    if (at && at > name && at[-1] == '.')
        at--;
    else if (at && at > name + 1 && at[-1] == '>')
        at -= 2;
    unsigned depth = 0;
    for (*rest = at; at && **rest && (depth || **rest != ' '); ++*rest)
        depth += (**rest == '<') - (unsigned)(**rest == '>');
    return at;
}

/* The pointer to the table of virtual functions, of an object whose name begins there; that of a
 * block may have no members. */
static void name_table(hd_vec_char *to, size_t from, bool members, bool noted) {
    char *rest;
    char *member = to->length > from && members ? find_member(to->data + from, &rest) : NULL;
    if (!member && !noted)
        return;
    hd_vec_char object = {0};
    if (member)
        hd_text_append(&object, "%.*s%s", (int)(member - to->data - (ptrdiff_t)from),
                       to->data + from, rest);
    else
        hd_text_append_text(&object, to->data + from);
    to->length = from;
    hd_text_append(to, "virtual table pointer of %s", object.data);
    hd_vec_release(&object);
}

/* Did an object get one there?  On a stack other variables may have been there since. */
static bool has_table(const hd_recording_memory *memory, uint64_t address) {
    const heddle_wire *wire = memory->run->wire;
    if (!address || wire->vtable[heddle_wire_vtable_place(address)] != address)
        return false;
    for (uint32_t i = 0; i < wire->threads && i < HEDDLE_WIRE_THREADS; i++)
        if (address - wire->thread[i].stack < wire->thread[i].stack_size)
            return false;
    return true;
}

/* Nothing is on the first page: it is accessed through a pointer that is NULL. */
static void name_address(uint64_t address, hd_vec_char *to) {
    if (!address)
        hd_text_append(to, "address 0 (NULL)");
    else if (address < HEDDLE_WIRE_NULL_END)
        hd_text_append(to, "address 0x%llx (NULL + %llu)", (unsigned long long)address,
                       (unsigned long long)address);
    else
        hd_text_append(to, "0x%llx", (unsigned long long)address);
}

// NOLINTNEXTLINE(misc-no-recursion): one level
void hd_recording_memory_name(hd_recording_memory *memory, uint64_t address, bool whole,
                              hd_vec_char *to) {
    size_t before = to->length;
    bool members = true;
    if (address == HEDDLE_WIRE_FENCED)
        hd_text_append(to, "memory");
    else if (address == HEDDLE_WIRE_SECTIONS)
        hd_text_append(to, "atomic sections");
    else if (!name_order(memory, address, to) && !name_descriptor(memory, address, to) &&
             !name_handle(memory, address, to) &&
             !name_block(memory, address, whole, &members, to) && !name_file(memory, address, to) &&
             !hd_symbols_variable(memory->symbols, address, whole, to) &&
             !name_local(memory, address, to) && !name_stack(memory, address, whole, to))
        name_address(address, to);
    name_table(to, before, members, has_table(memory, address));
    /* Characters that are not allowed in a name but occur in C++. */
    for (size_t i = before; i < to->length; i++)
        if (to->data[i] == '|' || to->data[i] == '=' || to->data[i] == '\n' || to->data[i] == '\r')
            to->data[i] = '~';
}
