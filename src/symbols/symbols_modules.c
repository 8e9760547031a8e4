#include "symbols_modules.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "symbols_allocations.h"
#include "symbols_certain.h"
#include "symbols_hidden.h"
#include "symbols_kept.h"
#include "symbols_scopes.h"
#include "symbols_shorten.h"
#include "symbols_tls.h"
#include "symbols_types.h"
#include "symbols_units.h"

/* A variable with a fixed address. */
typedef struct variable {
    uint64_t start;
    hd_symbols_typed typed;
    const char *name;  /* in the debugging information */
    const char *scope; /* the namespaces, the class or the function that it is in, or NULL */
    const char *file;  /* of its unit */
    bool shared_name;  /* another variable has the same name */
} variable;

struct hd_symbols {
    Dwfl *dwfl;
    hd_symbols_units units;
    HD_VEC(variable) variables; /* by address, once they are read */
    bool read_variables;
    hd_symbols_scopes scopes;
    hd_arena texts;
    hd_symbols_allocations *allocations;
    hd_symbols_certain *certain;
    hd_symbols_parts parts;
    hd_names hidden;
    bool read_hidden;
    hd_vec_char key; /* what they are of */
};

static char *debug_path;

/* A system library: its variables are of no interest, and reading its debugging information, if it
 * has any, takes longer than most runs. */
bool hd_symbols_is_of_system(const char *path) {
    static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return strstr(path, "/libheddle-rt.so") != NULL;
}

static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word crc, char **found) {
    if (hd_symbols_is_of_system(name))
        return -1;
    return dwfl_standard_find_debuginfo(module, user, name, base, file, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .debuginfo_path = &debug_path,
};

enum { DEEPEST = 40 };

#define LOCAL ((uint64_t)1 << 63)

/* --- variables ------------------------------------------------------------------------------ */

/* A fixed address, or for a thread-local variable its offset in the block. */
static bool fixed_address(Dwarf_Die *die, uint64_t *address, bool *local) {
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &count) != 0 || !count)
        return false;
    *address = ops[0].number;
    if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_constx) { /* an index in a table */
        Dwarf_Attribute entry;
        Dwarf_Addr value;
        if (dwarf_getlocation_attr(&attribute, &ops[0], &entry) != 0 ||
            dwarf_formaddr(&entry, &value) != 0)
            return false;
        *address = value;
    }
    *local = count == 2 &&
             (ops[1].atom == DW_OP_GNU_push_tls_address || ops[1].atom == DW_OP_form_tls_address);
    return *local || (count == 1 && (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx));
}

/* The state of the walk over a unit. */
struct walk {
    hd_symbols *symbols;
    hd_symbols_tls tls;
    uint64_t bias;
    const char *scope;
    const char *file;
};

/* The scope of something that is defined outside of the namespace or class that declares it. */
static const char *declared_scope(struct walk *walk, const Dwarf_Die *die, size_t name) {
    const char *whole = hd_symbols_scopes_name(&walk->symbols->scopes, die);
    size_t length = whole ? strlen(whole) : 0;
    if (length <= name + 2)
        return NULL;
    return hd_arena_string(&walk->symbols->texts, whole, length - name - 2);
}

static void add_variable(struct walk *walk, Dwarf_Die *die) {
    uint64_t address;
    variable it = {.scope = walk->scope, .file = walk->file};
    bool local = false;
    if (!fixed_address(die, &address, &local)) {
        local = hd_symbols_tls_find(&walk->tls, die, &address);
        if (!local)
            return;
    }
    if (!hd_symbols_typed_init(&it.typed, die))
        return;
    Dwarf_Attribute attribute;
    it.name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    if (!it.name)
        return;
    if (dwarf_hasattr(die, DW_AT_specification))
        it.scope = declared_scope(walk, die, strlen(it.name));
    /* Thread-local variables are put past all possible addresses. */
    it.start = local ? LOCAL + address : address + walk->bias;
    hd_vec_push(&walk->symbols->variables, it);
}

/* The scope inside a namespace or a function; one without a name adds nothing. */
static const char *scope_of(struct walk *walk, Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    if (!name || !walk->scope)
        return name ? name : walk->scope;
    hd_vec_char text = {0};
    hd_text_append(&text, "%s::%s", walk->scope, name);
    const char *scope = hd_arena_string(&walk->symbols->texts, text.data, text.length);
    hd_vec_release(&text);
    return scope;
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, int depth) {
    Dwarf_Die die;
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        const char *scope = walk->scope;
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_variable(walk, &die);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_namespace:
            walk->scope = scope_of(walk, &die);
            walk_children(walk, &die, depth + 1);
            walk->scope = scope;
            break;
        case DW_TAG_lexical_block:
            walk_children(walk, &die, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int compare_addresses(const void *a, const void *b) {
    const variable *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static int compare_names(const void *a, const void *b) {
    const variable *x = *(const variable *const *)a, *y = *(const variable *const *)b;
    int order = strcmp(x->name, y->name);
    if (order == 0 && x->scope && y->scope)
        order = strcmp(x->scope, y->scope);
    return order ? order : (x->scope != NULL) - (y->scope != NULL);
}

/* The name of a variable must not depend on which one is seen first, so all variables of one name
 * are distinguished by their files. */
static void find_shared_names(hd_symbols *symbols) {
    size_t count = symbols->variables.length;
    HD_VEC(variable *) order = {0};
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&order, &symbols->variables.data[i]);
    if (count)
        qsort(order.data, count, sizeof *order.data, compare_names);
    for (size_t i = 1; i < count; i++)
        if (compare_names(&order.data[i - 1], &order.data[i]) == 0)
            order.data[i - 1]->shared_name = order.data[i]->shared_name = true;
    hd_vec_release(&order);
}

static int walk_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start,
                       void *argument) {
    (void)user;
    (void)start;
    if (hd_symbols_is_of_system(name))
        return DWARF_CB_OK;
    struct walk walk = {.symbols = argument};
    hd_symbols_tls_read(&walk.tls, module);
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &bias))) {
        walk.bias = bias;
        walk.file = dwarf_diename(unit);
        walk_children(&walk, unit, 0);
    }
    hd_vec_release(&walk.tls);
    return DWARF_CB_OK;
}

/* The variables of all units: which unit has one is not known before, and a name is given its file
 * if another unit has the same. */
static void read_variables(hd_symbols *symbols) {
    symbols->read_variables = true;
    dwfl_getmodules(symbols->dwfl, walk_module, symbols, 0);
    if (symbols->variables.length)
        qsort(symbols->variables.data, symbols->variables.length, sizeof *symbols->variables.data,
              compare_addresses);
    /* Several units may describe one variable. */
    size_t kept = 0;
    for (size_t i = 0; i < symbols->variables.length; i++)
        if (!kept || symbols->variables.data[kept - 1].start != symbols->variables.data[i].start)
            symbols->variables.data[kept++] = symbols->variables.data[i];
    symbols->variables.length = kept;
    find_shared_names(symbols);
}

/* --- modules --------------------------------------------------------------------------------- */

static int list_units(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start,
                      void *argument) {
    (void)user;
    hd_symbols *symbols = argument;
    if (hd_symbols_is_of_system(name))
        return DWARF_CB_OK;
    Dwarf_Addr bias, end = start;
    Dwarf_Die *unit = NULL;
    dwfl_module_info(module, NULL, NULL, &end, NULL, NULL, NULL, NULL);
    hd_symbols_units_add_file(&symbols->units, start, end);
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        hd_symbols_units_add(&symbols->units, unit, bias);
    return DWARF_CB_OK;
}

static void report_modules(hd_symbols *symbols, const hd_launch_run *run) {
    dwfl_report_begin(symbols->dwfl);
    for (uint32_t i = 0; i < run->wire->modules && i < HEDDLE_WIRE_MODULES; i++) {
        heddle_wire_module module = run->wire->module[i];
        module.path[sizeof module.path - 1] = '\0';
        if (module.path[0] == '/')
            dwfl_report_elf(symbols->dwfl, module.path, module.path, -1, module.base, true);
    }
    dwfl_report_end(symbols->dwfl, NULL, NULL);
}

hd_symbols *hd_symbols_create(const hd_launch_run *run) {
    hd_vec_char key = {0};
    hd_symbols_kept_key(run, &key);
    hd_symbols *symbols = hd_symbols_kept_take(&key);
    if (symbols) {
        hd_vec_release(&key);
        return symbols;
    }
    symbols = HD_NEW(hd_symbols);
    symbols->key = key;
    symbols->dwfl = dwfl_begin(&callbacks);
    if (!symbols->dwfl)
        return symbols;
    report_modules(symbols, run);
    dwfl_getmodules(symbols->dwfl, list_units, symbols, 0);
    hd_symbols_units_sort(&symbols->units);
    return symbols;
}

static void release_symbols(hd_symbols *symbols) {
    if (symbols->dwfl)
        dwfl_end(symbols->dwfl);
    hd_vec_release(&symbols->variables);
    hd_symbols_units_release(&symbols->units);
    hd_symbols_scopes_release(&symbols->scopes);
    hd_arena_release(&symbols->texts);
    hd_symbols_allocations_free(symbols->allocations);
    hd_symbols_certain_free(symbols->certain);
    hd_symbols_parts_release(&symbols->parts);
    hd_names_release(&symbols->hidden);
    hd_vec_release(&symbols->key);
    free(symbols);
}

void hd_symbols_free(hd_symbols *symbols) {
    hd_symbols *oldest = symbols ? hd_symbols_kept_give(symbols, &symbols->key) : NULL;
    if (oldest)
        release_symbols(oldest);
}

const hd_names *hd_symbols_hides(hd_symbols *symbols, const hd_launch_run *run) {
    for (uint32_t i = 0; !symbols->read_hidden && i < run->wire->modules && i < HEDDLE_WIRE_MODULES;
         i++) {
        heddle_wire_module module = run->wire->module[i];
        module.path[sizeof module.path - 1] = '\0';
        hd_symbols_hidden_words(module.path, &symbols->hidden);
    }
    symbols->read_hidden = true;
    return &symbols->hidden;
}

/* --- code ------------------------------------------------------------------------------------ */

bool hd_symbols_line(hd_symbols *symbols, uint64_t code, hd_vec_char *to) {
    return hd_symbols_units_line(&symbols->units, code, to);
}

bool hd_symbols_find_place(hd_symbols *symbols, uint64_t code, hd_symbols_place *to) {
    const hd_symbols_code_line *it = hd_symbols_units_find(&symbols->units, code);
    if (it)
        *to = (hd_symbols_place){it->file, it->folder, it->number, it->column};
    return it != NULL;
}

hd_symbols_certain **hd_symbols_certain_of(hd_symbols *symbols) {
    return &symbols->certain;
}

hd_symbols_allocations **hd_symbols_allocations_of(hd_symbols *symbols) {
    return &symbols->allocations;
}

hd_symbols_parts *hd_symbols_parts_of(hd_symbols *symbols) {
    return &symbols->parts;
}

Dwarf_Die *hd_symbols_entry(hd_symbols *symbols, uint64_t code) {
    return hd_symbols_units_function(&symbols->units, code);
}

const char *hd_symbols_qualified(hd_symbols *symbols, const Dwarf_Die *die) {
    return hd_symbols_scopes_name(&symbols->scopes, die);
}

Dwfl_Module *hd_symbols_module(hd_symbols *symbols, uint64_t code) {
    return symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, code - 1) : NULL;
}

bool hd_symbols_function(hd_symbols *symbols, uint64_t code, hd_vec_char *to) {
    const Dwarf_Die *known = hd_symbols_entry(symbols, code);
    const char *name = known ? hd_symbols_scopes_name(&symbols->scopes, known) : NULL;
    Dwfl_Module *module = name ? NULL : hd_symbols_module(symbols, code);
    if (module)
        name = dwfl_module_addrname(module, code - 1);
    if (!name)
        return false;
    hd_symbols_demangle(name, to);
    return true;
}

/* A name that is looked for, and its last part, which the symbol has whatever its scopes are. */
struct wanted {
    hd_symbols *symbols;
    const char *name;
    size_t length;
    const char *last;
    size_t last_length;
    bool found;
};

static bool is_wanted(const struct wanted *wanted, const char *symbol, uint64_t address) {
    hd_vec_char text = {0};
    if (!memmem(symbol, strlen(symbol), wanted->last, wanted->last_length))
        return false;
    bool same = hd_symbols_function(wanted->symbols, address + 1, &text) &&
                text.length == wanted->length && memcmp(text.data, wanted->name, text.length) == 0;
    hd_vec_release(&text);
    return same;
}

static int find_function(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start,
                         void *argument) {
    (void)user;
    (void)start;
    struct wanted *wanted = argument;
    int count = hd_symbols_is_of_system(name) ? 0 : dwfl_module_getsymtab(module);
    for (int i = 1; i < count && !wanted->found; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *text = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        wanted->found = text && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
                        symbol.st_shndx != SHN_UNDEF && is_wanted(wanted, text, address);
    }
    return wanted->found ? DWARF_CB_ABORT : DWARF_CB_OK;
}

bool hd_symbols_has_function(hd_symbols *symbols, const char *name, size_t length) {
    struct wanted wanted = {.symbols = symbols, .name = name, .length = length};
    size_t begin = length;
    while (begin && (isalnum((unsigned char)name[begin - 1]) || name[begin - 1] == '_'))
        begin--;
    wanted.last = name + begin;
    wanted.last_length = length - begin;
    if (symbols->dwfl)
        dwfl_getmodules(symbols->dwfl, find_function, &wanted, 0);
    return wanted.found;
}

/* --- variables by address -------------------------------------------------------------------- */

static variable *find_variable(hd_symbols *symbols, uint64_t address) {
    if (address < LOCAL && !hd_symbols_units_covers(&symbols->units, address))
        return NULL;
    if (!symbols->read_variables && symbols->dwfl)
        read_variables(symbols);
    size_t low;
    hd_vec_upper(low, &symbols->variables, start, address);
    if (!low)
        return NULL;
    variable *it = &symbols->variables.data[low - 1];
    return address - it->start < it->typed.size ? it : NULL;
}

static void print_name(const variable *it, hd_vec_char *to) {
    if (it->scope) {
        hd_text_append_text(to, it->scope);
        hd_text_append_text(to, "::");
    }
    hd_text_append_text(to, it->name);
    if (it->shared_name && it->file) {
        hd_text_append_text(to, "@");
        hd_text_append_text(to, it->file);
    }
}

bool hd_symbols_array(hd_symbols *symbols, uint64_t address, hd_trace_array *array,
                      hd_vec_char *to) {
    variable *it = find_variable(symbols, address);
    if (!it)
        return false;
    const hd_trace_array *known = hd_symbols_typed_array(&it->typed);
    if (!known)
        return false;
    *array = *known;
    array->start = it->start;
    print_name(it, to);
    return true;
}

static bool print_variable(hd_symbols *symbols, uint64_t address, bool whole, hd_vec_char *to) {
    variable *it = find_variable(symbols, address);
    if (!it)
        return false;
    print_name(it, to);
    hd_symbols_print_part(&symbols->parts, &it->typed, address - it->start, whole, to);
    return true;
}

bool hd_symbols_local(hd_symbols *symbols, uint64_t offset, hd_vec_char *to) {
    return print_variable(symbols, LOCAL + offset, false, to);
}

bool hd_symbols_variable(hd_symbols *symbols, uint64_t address, bool whole, hd_vec_char *to) {
    if (print_variable(symbols, address, whole, to))
        return true;
    Dwfl_Module *module = symbols->dwfl ? dwfl_addrmodule(symbols->dwfl, address) : NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name =
        module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    /* On aarch64, $d and $x mark where data and code begin; they are not names. */
    if (!name || (name[0] == '$' && GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE))
        return false;
    hd_text_append(to, "%s", name);
    if (offset)
        hd_text_append(to, "+%llu", (unsigned long long)offset);
    return true;
}
