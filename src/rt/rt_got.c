/*
 * The addresses of functions that instrumented modules have: in their global offset tables, for
 * calls, and in their data, for pointers and tables of virtual functions.  Where one is of a
 * function in a module without instrumentation, the address of a stub takes its place; the stub
 * asks rt_foreign.c, and goes on to the function as the caller did (rt_arch.S).
 *
 * That is done when all modules have been relocated and nothing of the program has run; the tool
 * asks the loader to bind all calls at once (LD_BIND_NOW), so that every address is there.  The
 * price: a program that compares the address of such a function with what a library without
 * instrumentation has for it finds another.
 *
 * A module is instrumented if it refers to a function of the instrumentation's.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_counter.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_foreign_table.h"
#include "rt_real.h"
#include "rt_string.h"

#if defined __x86_64__
enum {
    SLOT = R_X86_64_GLOB_DAT,
    JUMP = R_X86_64_JUMP_SLOT,
    POINTER = R_X86_64_64,
    COPY = R_X86_64_COPY
};
#else
enum {
    SLOT = R_AARCH64_GLOB_DAT,
    JUMP = R_AARCH64_JUMP_SLOT,
    POINTER = R_AARCH64_ABS64,
    COPY = R_AARCH64_COPY
};
#endif

#define PAGE ((uintptr_t)4096)

typedef struct table {
    const ElfW(Rela) * entry;
    size_t count;
} table;

typedef struct module {
    uintptr_t base;
    const ElfW(Phdr) * headers;
    int header_count;
    const ElfW(Sym) * symbols;
    const char *names;
    table tables[2];
    uint32_t number; /* in the list of the wire */
    bool instrumented, ours, patched, strange;
    bool gone; /* while those are looked for that are */
} module;

static module modules[HEDDLE_WIRE_MODULES];
static uint32_t module_count, strange_count;

static char *stubs; /* a page of addresses, then the stubs */

extern const char __ehdr_start[] __attribute__((visibility("hidden"))); /* of the runtime */

/* --- modules -------------------------------------------------------------------------------- */

static void read_dynamic(module *it, const ElfW(Dyn) * entry) {
    for (; entry->d_tag != DT_NULL; entry++) {
        uintptr_t at = entry->d_un.d_ptr, value = entry->d_un.d_val;
        if (at < it->base)
            at += it->base;
        switch (entry->d_tag) {
        case DT_SYMTAB:
            it->symbols = (const ElfW(Sym) *)at;
            break;
        case DT_STRTAB:
            it->names = (const char *)at;
            break;
        case DT_RELA:
            it->tables[0].entry = (const ElfW(Rela) *)at;
            break;
        case DT_RELASZ:
            it->tables[0].count = value / sizeof(ElfW(Rela));
            break;
        case DT_JMPREL:
            it->tables[1].entry = (const ElfW(Rela) *)at;
            break;
        case DT_PLTRELSZ:
            it->tables[1].count = value / sizeof(ElfW(Rela));
            break;
        default:
            break;
        }
    }
}

static const char *name_of(const module *it, const ElfW(Rela) * entry) {
    uint32_t symbol = (uint32_t)ELF64_R_SYM(entry->r_info);
    return symbol ? it->names + it->symbols[symbol].st_name : "";
}

static bool is_instrumented(const module *it) {
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < it->tables[t].count; i++) {
            const char *name = name_of(it, &it->tables[t].entry[i]);
            if (hd_rt_starts(name, "__tsan_", 7) && !hd_rt_starts(name, "__tsan_default_", 15))
                return true;
        }
    return false;
}

static uint32_t number_of(uintptr_t base) {
    uint32_t number = 0;
    while (number < hd_rt.wire->modules && hd_rt.wire->module[number].base != base)
        number++;
    return number;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (uint32_t i = 0; i < module_count; i++)
        if (modules[i].base == info->dlpi_addr && modules[i].headers == info->dlpi_phdr)
            return 0;
    if (module_count == HEDDLE_WIRE_MODULES) {
        hd_rt.wire->modules_lost = 1;
        return 1;
    }
    module *it = &modules[module_count++];
    hd_rt_zero(it, sizeof *it);
    it->base = info->dlpi_addr;
    it->headers = info->dlpi_phdr;
    it->header_count = info->dlpi_phnum;
    it->number = number_of(info->dlpi_addr);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_dynamic(it, (const ElfW(Dyn) *)(it->base + info->dlpi_phdr[i].p_vaddr));
    it->ours = it->base == (uintptr_t)__ehdr_start;
    if (it->symbols && it->names)
        it->instrumented = !it->ours && is_instrumented(it);
    else
        it->tables[0].count = it->tables[1].count = 0;
    return 0;
}

static bool lies_in(const module *it, uintptr_t address, uint32_t flags) {
    for (int i = 0; i < it->header_count; i++) {
        const ElfW(Phdr) *header = &it->headers[i];
        if (header->p_type == PT_LOAD && (header->p_flags & flags) == flags &&
            address - it->base - header->p_vaddr < header->p_memsz)
            return true;
    }
    return false;
}

/* The uninstrumented module that has such a function; NULL: there is none. */
static module *foreign_of(uintptr_t address) {
    for (uint32_t i = 0; address && i < module_count; i++)
        if (lies_in(&modules[i], address, PF_X))
            return modules[i].instrumented || modules[i].ours ? NULL : &modules[i];
    return NULL;
}

bool hd_rt_got_foreign(uintptr_t base) {
    for (uint32_t i = 0; i < module_count; i++)
        if (modules[i].base == base && modules[i].symbols)
            return !modules[i].instrumented && !modules[i].ours;
    return false;
}

bool hd_rt_got_known(uintptr_t code) {
    return foreign_of(code) != NULL;
}

uint32_t hd_rt_got_inside(uintptr_t code) {
    for (uint32_t i = 0; strange_count && i < module_count; i++)
        if (modules[i].strange && lies_in(&modules[i], code, PF_X))
            return modules[i].number;
    return HEDDLE_WIRE_MODULES;
}

/* --- stubs ---------------------------------------------------------------------------------- */

static void protect(uintptr_t at, size_t size, int how) {
    uintptr_t low = at & ~(PAGE - 1), high = (at + size + PAGE - 1) & ~(PAGE - 1);
    hd_rt_syscall(SYS_mprotect, (long)low, (long)(high - low), how, 0, 0, 0);
}

static bool make_room(void) {
    size_t size = PAGE + (size_t)HEDDLE_WIRE_CALLEES * HD_RT_ARCH_STUB;
    long at = hd_rt_syscall(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at <= 0)
        return false;
    stubs = (char *)at;
    ((uintptr_t *)stubs)[0] = (uintptr_t)hd_rt_arch_foreign;
    ((uintptr_t *)stubs)[1] = (uintptr_t)hd_rt_arch_foreign_wide;
    protect((uintptr_t)stubs, size, PROT_READ | PROT_EXEC);
    return true;
}

/* Writable only as long as it is written: one is made as often as the program asks for it. */
static void *stub_of(uint32_t number, bool wide) {
    uint32_t *code = (uint32_t *)(stubs + PAGE + (size_t)number * HD_RT_ARCH_STUB);
    if (*code)
        return code;
    protect((uintptr_t)code, HD_RT_ARCH_STUB, PROT_READ | PROT_WRITE);
    hd_rt_arch_stub(code, number, (const uintptr_t *)stubs + wide);
    protect((uintptr_t)code, HD_RT_ARCH_STUB, PROT_READ | PROT_EXEC);
    return code;
}

static void call_strange(module *in) {
    strange_count += !in->strange;
    in->strange = true;
}

/* Data that the program finds by name may be a table of functions, and calls through it are not
 * seen: in a module that the table does not have it is as a function that is not known. */
static void note_data(module *in, const char *name, uintptr_t address) {
    bool wide;
    if (hd_rt_foreign_listed(in->number))
        return;
    uint32_t number = hd_rt_foreign_number(name, address, in->number, &wide);
    if (number >= HEDDLE_WIRE_CALLEES)
        return;
    hd_rt.wire->callee[number].calls += !hd_rt.wire->callee[number].calls;
    call_strange(in);
}

static void find_data(const char *name, uintptr_t address) {
    for (uint32_t i = 0; address && *name && i < module_count; i++)
        if (lies_in(&modules[i], address, 0) && !lies_in(&modules[i], address, PF_X) &&
            !modules[i].instrumented && !modules[i].ours)
            note_data(&modules[i], name, address);
}

/* Data that was copied into the program, which uses it in its place there. */
static void find_copied(const char *name) {
    for (uint32_t i = 0; i < module_count; i++) {
        module *it = &modules[i];
        if (it->instrumented || it->ours || hd_rt_foreign_listed(it->number))
            continue;
        void *handle =
            hd_rt_real.dlopen(hd_rt.wire->module[it->number].path, RTLD_LAZY | RTLD_NOLOAD);
        uintptr_t address = handle ? (uintptr_t)hd_rt_real.dlsym(handle, name) : 0;
        if (address && lies_in(it, address, 0))
            note_data(it, name, address);
    }
}

static void *stub_for(const char *name, void *function) {
    bool wide;
    module *in = foreign_of((uintptr_t)function);
    if (!in)
        find_data(name, (uintptr_t)function);
    if (!in || !*name || (!stubs && !make_room()))
        return function;
    uint32_t number = hd_rt_foreign_number(name, (uintptr_t)function, in->number, &wide);
    if (number >= HEDDLE_WIRE_CALLEES)
        return function;
    if (hd_rt.wire->callee[number].known == HEDDLE_WIRE_UNKNOWN && wide)
        call_strange(in);
    return stub_of(number, wide);
}

/* Explored, every call of a library is looked at; else those that access the program's memory. */
static bool is_explored(void) {
    return hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS;
}

static void *recorded_stub_for(const char *name, void *function) {
    const module *in = foreign_of((uintptr_t)function);
    return in && hd_rt_foreign_accesses(name, in->number) ? stub_for(name, function) : function;
}

/* Second names of functions that the runtime interposes, which it uses itself or cannot have. */
static void *own_function(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } own[] = {{"__close", (void *)close},
               {"__libc_malloc", (void *)malloc},
               {"__libc_calloc", (void *)calloc},
               {"__libc_realloc", (void *)realloc},
               {"__libc_memalign", (void *)memalign},
               {"__libc_free", (void *)free}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (hd_rt_begins(name, own[i].name) && hd_rt_begins(own[i].name, name))
            return own[i].function;
    return NULL;
}

void *hd_rt_got_stub(const char *name, void *function) {
    if (!hd_rt.wire)
        return function;
    void *own = name[0] == '_' ? own_function(name) : NULL;
    if (own)
        return own;
    return is_explored() ? stub_for(name, function) : recorded_stub_for(name, function);
}

/* --- what others want to know --------------------------------------------------------------- */

uintptr_t hd_rt_got_streams[HD_RT_STREAMS];

static void find_streams(void) {
    static const char *const names[HD_RT_STREAMS] = {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"};
    for (int i = 0; i < HD_RT_STREAMS; i++)
        hd_rt_got_streams[i] = (uintptr_t)hd_rt_real.dlsym(RTLD_DEFAULT, names[i]);
}

uint32_t hd_rt_got_libc(void) {
    static uint32_t number = HEDDLE_WIRE_MODULES;
    for (uint32_t i = 0; number == HEDDLE_WIRE_MODULES && i < module_count; i++)
        if (lies_in(&modules[i], (uintptr_t)hd_rt_real.exit, PF_X))
            number = modules[i].number;
    return number;
}

/* Variables that programs read and never write, or that are streams (rt_foreign.c). */
static struct {
    const char *name;
    uintptr_t size, low;
} constant[] = {{"stdin", 8, 0},
                {"stdout", 8, 0},
                {"stderr", 8, 0},
                {"__libc_single_threaded", 1, 0},
                {"__stack_chk_guard", 8, 0},
                {"_ZSt3cin", 280, 0},
                {"_ZSt4cout", 272, 0},
                {"_ZSt4cerr", 272, 0},
                {"_ZSt4clog", 272, 0},
                {"_ZSt4wcin", 280, 0},
                {"_ZSt5wcout", 272, 0},
                {"_ZSt5wcerr", 272, 0},
                {"_ZSt5wclog", 272, 0}};

static void find_constant(void) {
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
        constant[i].low = (uintptr_t)hd_rt_real.dlsym(RTLD_DEFAULT, constant[i].name);
}

static void find_variables(void) {
    find_streams();
    find_constant();
    hd_rt_globals_find();
}

bool hd_rt_got_standard(uintptr_t address) {
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
        if (constant[i].low && address >= constant[i].low &&
            address < constant[i].low + constant[i].size)
            return true;
    return false;
}

bool hd_rt_got_private(uintptr_t address) {
    const module *in = NULL;
    for (uint32_t i = 0; i < module_count && !in; i++)
        if (!modules[i].instrumented && !modules[i].ours && !modules[i].strange &&
            lies_in(&modules[i], address, PF_W))
            in = &modules[i];
    for (size_t i = 0; in && i < sizeof constant / sizeof *constant; i++)
        if (address + 7 >= constant[i].low && address < constant[i].low + constant[i].size)
            return false;
    return in && !hd_rt_global_at(address);
}

bool hd_rt_got_constant(uintptr_t address) {
    for (uint32_t i = 0; i < module_count; i++)
        if (lies_in(&modules[i], address, PF_R))
            return !lies_in(&modules[i], address, PF_W);
    return false;
}

/* --- patching ------------------------------------------------------------------------------- */

static bool is_function(const module *it, const ElfW(Rela) * entry) {
    uint32_t type = (uint32_t)ELF64_R_TYPE(entry->r_info);
    uint32_t symbol = (uint32_t)ELF64_R_SYM(entry->r_info);
    unsigned sort = symbol ? ELF64_ST_TYPE(it->symbols[symbol].st_info) : STT_OBJECT;
    return (type == SLOT || type == JUMP || (type == POINTER && !entry->r_addend)) &&
           sort != STT_OBJECT && sort != STT_TLS;
}

static bool is_data(const module *it, const ElfW(Rela) * entry) {
    uint32_t type = (uint32_t)ELF64_R_TYPE(entry->r_info);
    uint32_t symbol = (uint32_t)ELF64_R_SYM(entry->r_info);
    return symbol && (type == SLOT || type == POINTER) &&
           ELF64_ST_TYPE(it->symbols[symbol].st_info) == STT_OBJECT;
}

static void patch_table(module *it, const table *all) {
    for (size_t i = 0; i < all->count; i++) {
        const ElfW(Rela) *entry = &all->entry[i];
        void **slot = (void **)(it->base + entry->r_offset);
        if (is_function(it, entry)) {
            void *stub = hd_rt_got_stub(name_of(it, entry), *slot);
            if (stub != *slot)
                *slot = stub;
        } else if (!is_explored())
            continue;
        else if (is_data(it, entry))
            find_data(name_of(it, entry), (uintptr_t)*slot);
        else if (ELF64_R_TYPE(entry->r_info) == COPY)
            find_copied(name_of(it, entry));
    }
}

/* What is read-only since it was relocated, as the loader rounds it. */
static void protect_relocated(const module *it, int how) {
    for (int i = 0; i < it->header_count; i++) {
        const ElfW(Phdr) *header = &it->headers[i];
        uintptr_t low = it->base + header->p_vaddr;
        uintptr_t high = (low + header->p_memsz) & ~(PAGE - 1);
        low &= ~(PAGE - 1);
        if (header->p_type == PT_GNU_RELRO && low < high)
            protect(low, high - low, how);
    }
}

/* A loop of such a program may wait for time to pass. */
static void look_for_counters(const module *it) {
    heddle_wire_explore *explore =
        (heddle_wire_explore *)((char *)hd_rt.wire + hd_rt.wire->explore);
    for (int i = 0; i < it->header_count && !explore->counters; i++) {
        const ElfW(Phdr) *header = &it->headers[i];
        if (header->p_type == PT_LOAD && (header->p_flags & (PF_R | PF_X)) == (PF_R | PF_X))
            explore->counters =
                hd_rt_counter_in((const void *)(it->base + header->p_vaddr), header->p_filesz);
    }
}

void hd_rt_got_patch(void) {
    dl_iterate_phdr(add_module, NULL);
    find_variables();
    for (uint32_t i = 0; i < module_count; i++) {
        module *it = &modules[i];
        if (!it->instrumented || it->patched)
            continue;
        it->patched = true;
        if (is_explored())
            look_for_counters(it);
        protect_relocated(it, PROT_READ | PROT_WRITE);
        patch_table(it, &it->tables[0]);
        patch_table(it, &it->tables[1]);
        protect_relocated(it, PROT_READ);
    }
}

/* --- modules that go away -------------------------------------------------------------------- */

static int keep_module(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (uint32_t i = 0; i < module_count; i++)
        if (modules[i].base == info->dlpi_addr && modules[i].headers == info->dlpi_phdr)
            modules[i].gone = false;
    return 0;
}

void hd_rt_got_closed(void) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < module_count; i++)
        modules[i].gone = true;
    dl_iterate_phdr(keep_module, NULL);
    for (uint32_t i = 0; i < module_count; i++)
        if (!modules[i].gone)
            modules[kept++] = modules[i];
        else if (modules[i].strange)
            strange_count--;
    if (kept == module_count)
        return;
    module_count = kept;
    find_variables();
    hd_rt_plain_forget();
}
