#include "symbols_image.h"

#include <string.h>

bool hd_symbols_image_init(hd_symbols_image *image, Dwfl_Module *module) {
    GElf_Ehdr header;
    *image = (hd_symbols_image){.module = module};
    image->elf = module ? dwfl_module_getelf(module, &image->bias) : NULL;
    if (image->elf && gelf_getehdr(image->elf, &header))
        image->decoder = hd_symbols_decoder_create(header.e_machine);
    if (image->decoder)
        image->arch = hd_symbols_decoder_arch(image->decoder);
    return image->decoder != NULL;
}

void hd_symbols_image_release(hd_symbols_image *image) {
    hd_symbols_decoder_free(image->decoder);
    hd_map_release(&image->loaded);
    hd_vec_release(&image->names);
}

static bool find_section(hd_symbols_image *image, uint64_t address) {
    for (Elf_Scn *section = elf_nextscn(image->elf, NULL); section;
         section = elf_nextscn(image->elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR) || address < header.sh_addr + image->bias ||
            address >= header.sh_addr + image->bias + header.sh_size)
            continue;
        image->code = elf_getdata(section, NULL);
        image->low = header.sh_addr + image->bias;
        image->high = image->low + (image->code ? image->code->d_size : 0);
        return address < image->high;
    }
    return false;
}

bool hd_symbols_image_decode(hd_symbols_image *image, uint64_t address,
                             hd_symbols_instruction *to) {
    if ((address < image->low || address >= image->high) && !find_section(image, address))
        return false;
    return hd_symbols_decode(image->decoder,
                             (const unsigned char *)image->code->d_buf + (address - image->low),
                             image->high - address, address, to);
}

uint64_t hd_symbols_image_start(const hd_symbols_image *image, uint64_t code) {
    GElf_Sym symbol;
    GElf_Off offset;
    const char *name =
        dwfl_module_addrinfo(image->module, code - 1, &offset, &symbol, NULL, NULL, NULL);
    bool known = name && !strstr(name, ".cold") && GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
    return known ? code - 1 - offset : 0;
}

/* --- what the loader puts there ------------------------------------------------------------- */

static void list_section(hd_symbols_image *image, Elf_Scn *section, const GElf_Shdr *header) {
    GElf_Shdr symbols;
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Scn *names = elf_getscn(image->elf, header->sh_link);
    if (!data || !names || !gelf_getshdr(names, &symbols))
        return;
    Elf_Data *table = elf_getdata(names, NULL);
    for (size_t i = 0; i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        if (!gelf_getrela(data, (int)i, &rela) ||
            !gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &symbol))
            continue;
        hd_vec_push(&image->names, elf_strptr(image->elf, symbols.sh_link, symbol.st_name));
        bool added;
        uint32_t *place = hd_map_at(&image->loaded, rela.r_offset + image->bias, &added);
        if (added)
            *place = (uint32_t)image->names.length;
    }
}

static void list_loaded(hd_symbols_image *image) {
    image->listed = true;
    for (Elf_Scn *section = elf_nextscn(image->elf, NULL); section;
         section = elf_nextscn(image->elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_entsize)
            list_section(image, section, &header);
    }
}

const char *hd_symbols_image_loaded(hd_symbols_image *image, uint64_t address) {
    if (!image->listed)
        list_loaded(image);
    const uint32_t *place = hd_map_find(&image->loaded, address);
    return place ? image->names.data[*place - 1] : NULL;
}

/* --- functions ------------------------------------------------------------------------------ */

/* Code that only jumps to where the loader says, as linkers make it for a function of another
 * module. */
static const char *jumps_to(hd_symbols_image *image, uint64_t address) {
    enum { LONGEST = 4 };
    hd_symbols_instruction it;
    int64_t page = 0;
    uint64_t from = 0;
    for (int i = 0; i < LONGEST && hd_symbols_image_decode(image, address, &it); i++) {
        if (it.flow == HD_SYMBOLS_TAIL)
            return hd_symbols_image_loaded(image, it.through);
        if (it.flow == HD_SYMBOLS_AWAY && from)
            return hd_symbols_image_loaded(image, from);
        if (it.flow != HD_SYMBOLS_ON)
            return NULL;
        if (it.move == HD_SYMBOLS_NUMBER)
            page = it.number;
        else if (it.move == HD_SYMBOLS_LOAD && page)
            from = (uint64_t)(page + it.memory[0].offset);
        address = it.next;
    }
    return NULL;
}

const char *hd_symbols_image_at(hd_symbols_image *image, uint64_t address) {
    GElf_Sym symbol;
    GElf_Off offset = 0;
    const char *name =
        dwfl_module_addrinfo(image->module, address, &offset, &symbol, NULL, NULL, NULL);
    return name && !offset ? name : jumps_to(image, address);
}

bool hd_symbols_image_constant(const hd_symbols_image *image, uint64_t address, uint64_t size) {
    size_t count = 0;
    bool mapped = false, written = false, kept = false;
    if (elf_getphdrnum(image->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr it;
        if (!gelf_getphdr(image->elf, (int)i, &it) || address < it.p_vaddr + image->bias ||
            address + size > it.p_vaddr + image->bias + it.p_memsz)
            continue;
        kept |= it.p_type == PT_GNU_RELRO;
        mapped |= it.p_type == PT_LOAD;
        written |= it.p_type == PT_LOAD && it.p_flags & PF_W;
    }
    return kept || (mapped && !written);
}
