#include "launch_atomics.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* __VERIFIER_atomic_begin and _end are defined by the runtime. */
static const char prefix[] = "__VERIFIER_atomic_";

static const char runtime[] = "libheddle-rt";

/* The lowest address that is loaded: code addresses are offsets from there. */
static uint64_t lowest(Elf *elf) {
    uint64_t low = UINT64_MAX;
    size_t count = 0;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD && header.p_vaddr < low)
            low = header.p_vaddr;
    }
    return low;
}

static bool add_atomic(heddle_wire *wire, uint64_t offset, hd_error *error) {
    for (uint32_t i = 0; i < wire->atomics; i++)
        if (wire->atomic[i] == offset)
            return true;
    if (wire->atomics == HEDDLE_WIRE_ATOMICS)
        return hd_error_set(error, "more than %d functions named %s...", HEDDLE_WIRE_ATOMICS,
                            prefix);
    wire->atomic[wire->atomics++] = offset;
    return true;
}

/* Without what C++ puts before it. */
static const char *plain_name(const char *name) {
    return strncmp(name, "_Z", 2) == 0 ? name + 2 + strspn(name + 2, "0123456789") : name;
}

/* Which of the functions that are an error to reach; -1: none of them. */
static int error_of(const char *name) {
    return strcmp(name, "reach_error") == 0 ? 0 : strcmp(name, "__VERIFIER_error") == 0 ? 1 : -1;
}

static bool add_all(heddle_wire *wire, Elf *elf, Elf_Scn *section, hd_error *error) {
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
        return true;
    uint64_t low = lowest(elf);
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        int error_number = name ? error_of(name) : -1;
        wire->errors |= error_number >= 0;
        if (!name || symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        if (error_number >= 0)
            wire->error[error_number] = symbol.st_value - low;
        if (strncmp(plain_name(name), prefix, sizeof prefix - 1) == 0 &&
            !add_atomic(wire, symbol.st_value - low, error))
            return false;
    }
    return true;
}

/* Was it built with `heddle cc`?  Otherwise it may start such a program. */
static bool has_runtime(Elf *elf) {
    GElf_Shdr header;
    GElf_Dyn entry;
    Elf_Scn *section = NULL;
    while (elf && (section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
            const char *name =
                entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;
            if (name && strncmp(name, runtime, sizeof runtime - 1) == 0)
                return true;
        }
    }
    return false;
}

/* Those of one file; *found if the runtime is in it. */
static bool add_file(heddle_wire *wire, const char *path, bool *found, hd_error *error) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    bool good = true;
    Elf_Scn *section = NULL;
    while (good && elf && (section = elf_nextscn(elf, section)))
        good = add_all(wire, elf, section, error);
    *found = has_runtime(elf);
    if (elf)
        elf_end(elf);
    close(file);
    return good;
}

bool hd_launch_atomics(heddle_wire *wire, char *const *words, hd_error *error) {
    bool found = false;
    for (; *words && !found; words++)
        if (!add_file(wire, *words, &found, error))
            return false;
    return true;
}
