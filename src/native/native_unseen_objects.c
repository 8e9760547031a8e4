/*
 * Uninstrumented objects in instrumented modules, found by what is in their files.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"
#include "native_unseen.h"

typedef struct span {
    uint64_t low, high;
} span;

/* A module's file. */
typedef struct file {
    const char *name;
    Elf *elf;
    Dwarf *dwarf;
    HD_VEC(span) covered; /* by compilation units */
    hd_native_unseen *unseen;
} file;

static void add_function(hd_native_blind *blind, const char *name) {
    hd_vec_push(&blind->functions, hd_mem_string(name, strlen(name)));
}

static hd_native_blind *add_blind(hd_native_unseen *unseen, const char *name) {
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    hd_vec_push(&unseen->blind, (hd_native_blind){.name = hd_mem_string(name, strlen(name))});
    return hd_vec_last(&unseen->blind);
}

/* --- symbols -------------------------------------------------------------------------------- */

typedef bool visitor(file *it, const char *name, const GElf_Sym *symbol, void *context);

/* True if a visit returned true. */
static bool visit_symbols(file *it, uint32_t type, visitor *visit, void *context) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(it->elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && i < (int)(header.sh_size / header.sh_entsize); i++) {
            GElf_Sym symbol;
            const char *name = gelf_getsym(data, i, &symbol)
                                   ? elf_strptr(it->elf, header.sh_link, symbol.st_name)
                                   : NULL;
            if (name && visit(it, name, &symbol, context))
                return true;
        }
    }
    return false;
}

static bool is_instrumentation(file *it, const char *name, const GElf_Sym *symbol, void *unused) {
    (void)it;
    (void)unused;
    return symbol->st_shndx == SHN_UNDEF && strncmp(name, "__tsan_", 7) == 0 &&
           strncmp(name, "__tsan_default_", 15) != 0; /* which the program may have */
}

/* Symbols that compilers and the C library link into every program. */
static bool is_support(const char *name, const GElf_Sym *symbol) {
    static const char *const names[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "deregister_tm_clones",
                                        "register_tm_clones",
                                        "frame_dummy",
                                        "_dl_relocate_static_pie",
                                        "call_weak_fn",
                                        "atexit",
                                        "at_quick_exit",
                                        "stat",
                                        "fstat",
                                        "lstat",
                                        "mknod",
                                        "pthread_atfork"};
    bool hidden = GELF_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN ||
                  GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    if (strncmp(name, "tsan.", 5) == 0 || strncmp(name, "_sub_", 5) == 0)
        return true; /* the instrumentation's own constructors */
    if (strncmp(name, "_ZTW", 4) == 0)
        return true; /* clang's way to a thread_local variable: it only calls its initialisation */
    return hidden && strncmp(name, "__", 2) == 0;
}

static bool is_covered(const file *it, uint64_t address) {
    for (size_t i = 0; i < it->covered.length; i++)
        if (address >= it->covered.data[i].low && address < it->covered.data[i].high)
            return true;
    return false;
}

static bool see_function(file *it, const char *name, const GElf_Sym *symbol, void *context) {
    hd_native_blind **blind = context;
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        !symbol->st_size || is_covered(it, symbol->st_value) || is_support(name, symbol))
        return false;
    if (!*blind)
        *blind = add_blind(it->unseen, it->name);
    add_function(*blind, name);
    return false;
}

/* --- compilation units ---------------------------------------------------------------------- */

static bool cover(file *it, Dwarf_Die *unit) {
    ptrdiff_t at = 0;
    Dwarf_Addr base, low, high;
    bool code = false;
    while ((at = dwarf_ranges(unit, at, &base, &low, &high)) > 0)
        if (low < high) {
            hd_vec_push(&it->covered, (span){low, high});
            code = true;
        }
    return code;
}

static int add_subprogram(Dwarf_Die *die, void *blind) {
    Dwarf_Addr low;
    const char *name = dwarf_diename(die);
    if (name && dwarf_lowpc(die, &low) == 0)
        add_function(blind, name);
    return DWARF_CB_OK;
}

static void see_unit(file *it, Dwarf_Die *unit) {
    Dwarf_Attribute attribute;
    const char *made = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
    const char *name = dwarf_diename(unit);
    it->unseen->by_clang |= made && strstr(made, "clang");
    if (!cover(it, unit))
        return;
    if (made && strstr(made, "-fsanitize=thread")) {
        GElf_Ehdr header;
        bool x86 = gelf_getehdr(it->elf, &header) && header.e_machine == EM_X86_64;
        hd_native_unseen_values(it->unseen, unit, made, x86);
        return;
    }
    hd_native_blind *blind = add_blind(it->unseen, name ? name : it->name);
    dwarf_getfuncs(unit, add_subprogram, blind, 0);
    if (!blind->functions.length)
        add_function(blind, "(assembly)");
}

static bool see_units(file *it) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, other;
    uint8_t type;
    Dwarf_Half version;
    bool any = false;
    while (it->dwarf && dwarf_get_units(it->dwarf, unit, &unit, &version, &type, &die, &other) == 0)
        if (dwarf_tag(&die) == DW_TAG_compile_unit) {
            see_unit(it, &die);
            any = true;
        }
    return any;
}

/* --- functions that are not announced ------------------------------------------------------- */

typedef struct sought {
    const char *name;
    size_t length;
    bool found;
} sought;

static int compare_name(Dwarf_Die *die, void *context) {
    sought *it = context;
    const char *name = dwarf_diename(die);
    it->found |= name && strlen(name) == it->length && memcmp(name, it->name, it->length) == 0;
    return it->found ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* Functions of headers that nothing calls are not in the program. */
static bool is_there(file *it, const char *name, size_t length) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, other;
    uint8_t type;
    Dwarf_Half version;
    sought one = {name, length, length == 1 && *name == '?'};
    while (!one.found && it->dwarf &&
           dwarf_get_units(it->dwarf, unit, &unit, &version, &type, &die, &other) == 0)
        if (dwarf_tag(&die) == DW_TAG_compile_unit)
            dwarf_getfuncs(&die, compare_name, &one, 0);
    return one.found;
}

static bool is_listed(const hd_native_names *names, const char *text, size_t length) {
    for (size_t i = 0; i < names->length; i++)
        if (strlen(names->data[i]) == length && memcmp(names->data[i], text, length) == 0)
            return true;
    return false;
}

/* "NAME FILE:LINE|" and so on. */
static void see_blind(file *it, const char *text, size_t size) {
    for (const char *end; (end = memchr(text, '|', size));
         size -= (size_t)(end + 1 - text), text = end + 1) {
        size_t length = (size_t)(end - text);
        const char *space = memchr(text, ' ', length);
        if (space && is_there(it, text, (size_t)(space - text)) &&
            !is_listed(&it->unseen->functions, text, length))
            hd_vec_push(&it->unseen->functions, hd_mem_string(text, length));
    }
}

static void see_blind_section(file *it) {
    Elf_Scn *section = NULL;
    size_t names;
    if (elf_getshdrstrndx(it->elf, &names) != 0)
        return;
    while ((section = elf_nextscn(it->elf, section))) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(it->elf, names, header.sh_name) : NULL;
        Elf_Data *data =
            name && strcmp(name, HD_LAUNCH_BLIND_SECTION) == 0 ? elf_getdata(section, NULL) : NULL;
        if (data && data->d_buf)
            see_blind(it, data->d_buf, data->d_size);
    }
}

/* --- modules -------------------------------------------------------------------------------- */

static void see_file(file *it) {
    hd_native_blind *rest = NULL;
    if (!visit_symbols(it, SHT_DYNSYM, is_instrumentation, NULL))
        return;
    it->dwarf = dwarf_begin_elf(it->elf, DWARF_C_READ, NULL);
    if (!see_units(it))
        add_blind(it->unseen, it->name);
    else
        visit_symbols(it, SHT_SYMTAB, see_function, &rest);
    see_blind_section(it);
    if (it->dwarf)
        dwarf_end(it->dwarf);
    hd_vec_release(&it->covered);
}

void hd_native_unseen_scan(hd_native_unseen *unseen, const heddle_wire *wire) {
    elf_version(EV_CURRENT);
    uint32_t count = wire->modules < HEDDLE_WIRE_MODULES ? wire->modules : HEDDLE_WIRE_MODULES;
    for (; unseen->modules < count; unseen->modules++) {
        char path[HEDDLE_WIRE_PATH];
        memcpy(path, wire->module[unseen->modules].path, sizeof path);
        path[sizeof path - 1] = '\0';
        int number = open(path, O_RDONLY | O_CLOEXEC);
        if (number < 0)
            continue;
        file it = {.name = path, .unseen = unseen, .elf = elf_begin(number, ELF_C_READ, NULL)};
        if (it.elf) {
            see_file(&it);
            elf_end(it.elf);
        }
        close(number);
    }
}
