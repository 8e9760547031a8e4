/*
 * Lists what is dead after each call of a function, for tests/dead/run:
 *
 *     dead_list FILE FUNCTION
 *
 * A line for each: the address of the instruction after the call, in hexadecimal, as the file has
 * it; dead registers and the two halves of dead words as bits, or `-` if it is not known.
 */
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "symbols/symbols.h"
#include "symbols/symbols_code.h"

static Elf_Data *text_at(Elf *elf, uint64_t address, uint64_t *low) {
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR &&
            address >= header.sh_addr && address < header.sh_addr + header.sh_size) {
            *low = header.sh_addr;
            return elf_getdata(section, NULL);
        }
    }
    return NULL;
}

static void list(Dwfl_Module *module, const GElf_Sym *symbol) {
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(module, &bias);
    hd_symbols_decoder *decoder =
        gelf_getehdr(elf, &header) ? hd_symbols_decoder_create(header.e_machine) : NULL;
    uint64_t at = symbol->st_value - bias, end = at + symbol->st_size, low = 0;
    Elf_Data *text = text_at(elf, at, &low);
    hd_symbols_instruction it;
    while (decoder && text && at < end &&
           hd_symbols_decode(decoder, (const unsigned char *)text->d_buf + (at - low), end - at, at,
                             &it)) {
        hd_symbols_dead dead;
        at = it.next;
        if (it.flow != HD_SYMBOLS_CALL)
            continue;
        if (hd_symbols_dead_in(module, at + bias, &dead))
            printf("%" PRIx64 " %x %" PRIx64 " %" PRIx64 "\n", at, dead.registers, dead.words[0],
                   dead.words[1]);
        else
            printf("%" PRIx64 " -\n", at);
    }
    hd_symbols_decoder_free(decoder);
}

int main(int argc, char **argv) {
    static char *debug = NULL;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = &debug};
    if (argc != 3) {
        fprintf(stderr, "usage: dead_list FILE FUNCTION\n");
        return 2;
    }
    Dwfl *dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = dwfl_report_offline(dwfl, "", argv[1], -1);
    dwfl_report_end(dwfl, NULL, NULL);
    bool found = false;
    for (int i = 0; module && i < dwfl_module_getsymtab(module); i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        if (!name || strcmp(name, argv[2]) != 0 || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        symbol.st_value = address;
        list(module, &symbol);
        found = true;
    }
    dwfl_end(dwfl);
    return found ? 0 : 1;
}
