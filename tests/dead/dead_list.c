/*
 * Lists what is known of a file's code, for tests/dead/run and tests/dead/certain:
 *
 *     dead_list FILE FUNCTION
 *
 * What is dead after each call of a function.  A line for each: the address of the instruction
 * after the call, in hexadecimal, as the file has it; dead registers and the two halves of dead
 * words as bits, or `-` if it is not known.
 *
 *     dead_list FILE
 *
 * The automaton of certain events (symbols_certain.h).  A line for each state: its address, and the
 * numbers of the states that follow it, from 0 on.
 */
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Each call of the function, by the address after it. */
static void visit_calls(Dwfl_Module *module, const GElf_Sym *symbol,
                        void (*visit)(Dwfl_Module *module, uint64_t after, uint64_t bias)) {
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
        at = it.next;
        if (it.flow == HD_SYMBOLS_CALL)
            visit(module, at, bias);
    }
    hd_symbols_decoder_free(decoder);
}

static void list_dead(Dwfl_Module *module, uint64_t after, uint64_t bias) {
    hd_symbols_dead dead;
    if (hd_symbols_dead_in(module, after + bias, &dead))
        printf("%" PRIx64 " %x %" PRIx64 " %" PRIx64 "\n", after, dead.registers, dead.words[0],
               dead.words[1]);
    else
        printf("%" PRIx64 " -\n", after);
}

static hd_vec_u64 codes;

static void note_code(Dwfl_Module *module, uint64_t after, uint64_t bias) {
    (void)module;
    hd_vec_push(&codes, after + bias);
}

static int compare_codes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void list_certain(Dwfl_Module *module) {
    hd_symbols_certain certain = {0};
    GElf_Addr bias;
    dwfl_module_getelf(module, &bias);
    if (codes.length)
        qsort(codes.data, codes.length, sizeof *codes.data, compare_codes);
    hd_symbols_certain_find_in(module, codes.data, codes.length, &certain);
    for (size_t i = 0; i < certain.states.length; i++) {
        const hd_symbols_certain_state *it = &certain.states.data[i];
        printf("%" PRIx64, it->code - bias);
        for (uint32_t k = 0; k < it->count; k++)
            printf(" %" PRIu32, certain.next.data[it->first + k]);
        printf("\n");
    }
    hd_symbols_certain_release(&certain);
    hd_vec_release(&codes);
}

int main(int argc, char **argv) {
    static char *debug = NULL;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = &debug};
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: dead_list FILE [FUNCTION]\n");
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
        if (!name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !symbol.st_size ||
            (argc == 3 && strcmp(name, argv[2]) != 0))
            continue;
        symbol.st_value = address;
        visit_calls(module, &symbol, argc == 3 ? list_dead : note_code);
        found = true;
    }
    if (found && argc == 2)
        list_certain(module);
    dwfl_end(dwfl);
    return found ? 0 : 1;
}
