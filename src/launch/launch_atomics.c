#include "launch_atomics.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

/* __VERIFIER_atomic_begin and _end are defined by the runtime. */
static const char prefix[] = "__VERIFIER_atomic_";

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

static bool add_all(heddle_wire *wire, Elf *elf, Elf_Scn *section, hd_error *error) {
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
        return true;
    uint64_t low = lowest(elf);
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (!name || symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        if (strcmp(name, "reach_error") == 0)
            wire->error = symbol.st_value - low;
        if (strncmp(name, prefix, sizeof prefix - 1) == 0 &&
            !add_atomic(wire, symbol.st_value - low, error))
            return false;
    }
    return true;
}

bool hd_launch_atomics(heddle_wire *wire, const char *path, hd_error *error) {
    int file = wire->sv_comp ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return true;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    bool good = true;
    Elf_Scn *section = NULL;
    while (good && elf && (section = elf_nextscn(elf, section)))
        good = add_all(wire, elf, section, error);
    if (elf)
        elf_end(elf);
    close(file);
    return good;
}
