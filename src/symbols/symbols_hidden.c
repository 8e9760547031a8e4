#include "symbols_hidden.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"
#include "symbols_announced.h"
#include "symbols_modules.h"

typedef struct span {
    uint64_t low, high;
} span;

/* A module's file. */
typedef struct file {
    const char *name;
    Elf *elf;
    Dwarf *dwarf;
    HD_VEC(span) covered; /* by compilation units */
    hd_symbols_announced announced;
    bool bare; /* there is an instrumented function of no unit */
    const hd_symbols_hidden *to;
} file;

/* --- symbols -------------------------------------------------------------------------------- */

typedef bool visitor(file *it, const char *name, const GElf_Sym *symbol);

/* True if a visit returned true. */
static bool visit_symbols(file *it, uint32_t type, visitor *visit) {
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
            if (name && visit(it, name, &symbol))
                return true;
        }
    }
    return false;
}

static bool is_instrumentation(file *it, const char *name, const GElf_Sym *symbol) {
    (void)it;
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

/* One of no unit was linked in without instrumentation, or has no debugging information. */
static bool see_function(file *it, const char *name, const GElf_Sym *symbol) {
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        !symbol->st_size || is_covered(it, symbol->st_value) || is_support(name, symbol))
        return false;
    if (hd_symbols_announced_calls(&it->announced, symbol->st_value, symbol->st_size))
        it->bare = true;
    else
        it->to->loose(it->to->context, it->name, name);
    return false;
}

static void see_functions(file *it) {
    hd_symbols_announced_init(&it->announced, it->elf);
    visit_symbols(it, SHT_SYMTAB, see_function);
    hd_symbols_announced_release(&it->announced);
    if (it->bare && it->to->bare)
        it->to->bare(it->to->context, it->name);
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

static bool has_part(const char *word, size_t length, const char *part) {
    return memmem(word, length, part, strlen(part)) != NULL;
}

/* The last word counts, as for the compiler. */
bool hd_symbols_is_instrumented(const char *made) {
    static const char turns_on[] = "-fsanitize=", turns_off[] = "-fno-sanitize=";
    bool is = false;
    for (const char *word = made; word && *word;) {
        size_t length = strcspn(word, " ");
        if (strncmp(word, turns_on, strlen(turns_on)) == 0)
            is |= has_part(word, length, "thread");
        else if (strncmp(word, turns_off, strlen(turns_off)) == 0)
            is &= !has_part(word, length, "thread") && !has_part(word, length, "=all");
        word += length + strspn(word + length, " ");
    }
    return is;
}

/* The next unit of code, after `unit`, which is NULL at first. */
static bool next_unit(file *it, Dwarf_CU **unit, Dwarf_Die *die) {
    Dwarf_Die other;
    uint8_t type;
    Dwarf_Half version;
    while (it->dwarf && dwarf_get_units(it->dwarf, *unit, unit, &version, &type, die, &other) == 0)
        if (dwarf_tag(die) == DW_TAG_compile_unit)
            return true;
    return false;
}

static bool see_units(file *it, bool instrumented) {
    GElf_Ehdr header;
    bool x86 = gelf_getehdr(it->elf, &header) && header.e_machine == EM_X86_64;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    bool any = false;
    while (next_unit(it, &unit, &die)) {
        Dwarf_Attribute attribute;
        const char *made = dwarf_formstring(dwarf_attr(&die, DW_AT_producer, &attribute));
        any = true;
        if (cover(it, &die))
            it->to->unit(it->to->context, &die, made,
                         instrumented && hd_symbols_is_instrumented(made), x86);
    }
    return any;
}

/* --- functions that are not announced ------------------------------------------------------- */

/* What the sections say, "NAME FILE:LINE" each once; and whether the name is in the program. */
typedef struct listed {
    hd_names texts, names;
    hd_bits there; /* by number of a name */
} listed;

static size_t name_length(const char *text) {
    return strcspn(text, " ");
}

/* "NAME FILE:LINE|" and so on. */
static void read_list(listed *list, const char *text, size_t size) {
    for (const char *end; (end = memchr(text, '|', size));
         size -= (size_t)(end + 1 - text), text = end + 1) {
        size_t length = (size_t)(end - text);
        const char *space = memchr(text, ' ', length);
        if (space && !memchr(text, 0, length)) {
            hd_names_add(&list->texts, text, length);
            hd_names_add(&list->names, text, (size_t)(space - text));
        }
    }
}

static void read_sections(file *it, listed *list) {
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
            read_list(list, data->d_buf, data->d_size);
    }
}

static int see_name(Dwarf_Die *die, void *context) {
    listed *list = context;
    const char *name = dwarf_diename(die);
    uint32_t id = name ? hd_names_find(&list->names, name, strlen(name)) : HD_NAMES_NONE;
    if (id != HD_NAMES_NONE)
        hd_bits_set(&list->there, id);
    return DWARF_CB_OK;
}

/* Functions of headers that nothing calls are not in the program. */
static void see_list(file *it) {
    listed list = {0};
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    read_sections(it, &list);
    hd_bits_init(&list.there, list.names.length);
    while (list.names.length && next_unit(it, &unit, &die))
        dwarf_getfuncs(&die, see_name, &list, 0);
    for (uint32_t i = 0; i < list.texts.length; i++) {
        const char *text = hd_names_text(&list.texts, i);
        uint32_t name = hd_names_find(&list.names, text, name_length(text));
        bool of_file = strncmp(text, "? ", 2) == 0 || *text == '-'; /* assembly; an option */
        if (of_file || hd_bits_has(&list.there, name))
            it->to->function(it->to->context, text, strlen(text));
    }
    hd_bits_release(&list.there);
    hd_names_release(&list.texts);
    hd_names_release(&list.names);
}

/* --- the file ------------------------------------------------------------------------------- */

/* An executable: nothing calls its functions by name, so their calls are no steps. */
static bool is_program(Elf *elf) {
    GElf_Ehdr head;
    GElf_Shdr header;
    if (!gelf_getehdr(elf, &head))
        return false;
    if (head.e_type == ET_EXEC)
        return true;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && i < (int)(header.sh_size / header.sh_entsize); i++) {
            GElf_Dyn entry;
            if (gelf_getdyn(data, i, &entry) && entry.d_tag == DT_FLAGS_1)
                return entry.d_un.d_val & DF_1_PIE;
        }
    }
    return false;
}

static void see_file(file *it) {
    bool instrumented = visit_symbols(it, SHT_DYNSYM, is_instrumentation);
    if (!instrumented && !it->to->all && !is_program(it->elf))
        return;
    it->dwarf = dwarf_begin_elf(it->elf, DWARF_C_READ, NULL);
    if (!see_units(it, instrumented))
        it->to->mute(it->to->context, it->name, instrumented);
    else if (instrumented)
        see_functions(it);
    see_list(it);
    if (it->dwarf)
        dwarf_end(it->dwarf);
    hd_vec_release(&it->covered);
}

void hd_symbols_hidden_find(const char *path, const hd_symbols_hidden *to) {
    elf_version(EV_CURRENT);
    int number = open(path, O_RDONLY | O_CLOEXEC);
    if (number < 0) {
        if (*path == '/' && !hd_symbols_is_of_system(path))
            to->mute(to->context, path, true);
        return;
    }
    file it = {.name = path, .to = to, .elf = elf_begin(number, ELF_C_READ, NULL)};
    if (it.elf) {
        see_file(&it);
        elf_end(it.elf);
    }
    close(number);
}

/* --- words ---------------------------------------------------------------------------------- */

static void add_word(hd_names *words, char what, const char *path) {
    const char *slash = strrchr(path, '/');
    hd_vec_char text = {0};
    hd_text_append(&text, "%c %s", what, slash ? slash + 1 : path);
    hd_names_add(words, text.data, text.length);
    hd_vec_release(&text);
}

static void word_of_unit(void *words, Dwarf_Die *unit, const char *made, bool instrumented,
                         bool x86) {
    (void)made;
    (void)x86;
    const char *name = dwarf_diename(unit);
    if (!instrumented)
        add_word(words, '*', name && *name ? name : "?");
}

static void word_of_mute(void *words, const char *module, bool instrumented) {
    (void)instrumented;
    add_word(words, '?', module);
}

static void word_of_loose(void *words, const char *module, const char *function) {
    (void)function;
    add_word(words, '*', module);
}

static void word_of_function(void *words, const char *text, size_t length) {
    hd_names_add(words, text, length);
}

void hd_symbols_hidden_words(const char *path, hd_names *words) {
    hd_symbols_hidden_find(path, &(hd_symbols_hidden){.context = words,
                                                      .unit = word_of_unit,
                                                      .mute = word_of_mute,
                                                      .loose = word_of_loose,
                                                      .function = word_of_function});
}
