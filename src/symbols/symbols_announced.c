#include "symbols_announced.h"

#include <string.h>

/* ---- Addresses that the loader fills in ---- */

static void list_section(hd_symbols_announced *it, Elf_Scn *section, const GElf_Shdr *header) {
    GElf_Shdr symbols;
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Scn *names = elf_getscn(it->elf, header->sh_link);
    Elf_Data *table = names ? elf_getdata(names, NULL) : NULL;
    if (!data || !table || !gelf_getshdr(names, &symbols))
        return;
    for (size_t i = 0; i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        if (!gelf_getrela(data, (int)i, &rela) ||
            !gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &symbol))
            continue;
        const char *name = elf_strptr(it->elf, symbols.sh_link, symbol.st_name);
        if (name && strncmp(name, "__tsan_", 7) == 0)
            *hd_map_at(&it->slots, rela.r_offset, NULL) = 1;
    }
}

void hd_symbols_announced_init(hd_symbols_announced *it, Elf *elf) {
    GElf_Ehdr head;
    GElf_Shdr header;
    bool known = gelf_getehdr(elf, &head) != NULL;
    *it = (hd_symbols_announced){.elf = elf,
                                 .x86 = known && head.e_machine == EM_X86_64,
                                 .arm = known && head.e_machine == EM_AARCH64};
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_entsize)
            list_section(it, section, &header);
}

void hd_symbols_announced_release(hd_symbols_announced *it) {
    hd_map_release(&it->slots);
}

/* ---- Code ---- */

/* The bytes at an address, and how many follow; NULL if they are in no section of code. */
static const unsigned char *bytes_at(hd_symbols_announced *it, uint64_t address, size_t *left) {
    GElf_Shdr header;
    if (address < it->low || address >= it->high) {
        it->low = it->high = 0;
        for (Elf_Scn *section = elf_nextscn(it->elf, NULL); section && !it->high;
             section = elf_nextscn(it->elf, section)) {
            if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
                !(header.sh_flags & SHF_EXECINSTR) || address < header.sh_addr ||
                address - header.sh_addr >= header.sh_size)
                continue;
            it->code = elf_getdata(section, NULL);
            if (!it->code || !it->code->d_buf || it->code->d_size < header.sh_size)
                return NULL;
            it->low = header.sh_addr;
            it->high = header.sh_addr + header.sh_size;
        }
    }
    if (!it->high)
        return NULL;
    *left = it->high - address;
    return (const unsigned char *)it->code->d_buf + (address - it->low);
}

static int32_t signed_at(const unsigned char *bytes) {
    int32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* call or jmp *slot(%rip) among the first bytes. */
static bool leads_x86(hd_symbols_announced *it, uint64_t start, size_t size, bool jumps_only) {
    enum { LENGTH = 6 };
    size_t left;
    const unsigned char *bytes = bytes_at(it, start, &left);
    size = bytes && size > left ? left : size;
    for (size_t i = 0; bytes && i + LENGTH <= size; i++)
        if (bytes[i] == 0xff && (bytes[i + 1] == 0x25 || (!jumps_only && bytes[i + 1] == 0x15)) &&
            hd_map_find(&it->slots,
                        start + i + LENGTH + (uint64_t)(int64_t)signed_at(bytes + i + 2)))
            return true;
    return false;
}

static bool calls_x86(hd_symbols_announced *it, uint64_t start, size_t size) {
    enum { LENGTH = 5, STUB = 16 };
    size_t left;
    if (leads_x86(it, start, size, false))
        return true;
    for (size_t i = 0; i + LENGTH <= size; i++) {
        const unsigned char *bytes = bytes_at(it, start + i, &left); /* a stub is elsewhere */
        if (!bytes || left < LENGTH)
            return false;
        if ((bytes[0] == 0xe8 || bytes[0] == 0xe9) &&
            leads_x86(it, start + i + LENGTH + (uint64_t)(int64_t)signed_at(bytes + 1), STUB, true))
            return true;
    }
    return false;
}

static uint64_t extended(uint32_t value, unsigned bits) {
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((uint64_t)value ^ sign) - sign;
}

/* adrp to a register, and a load of eight bytes from there, not far after it. */
static bool leads_arm(hd_symbols_announced *it, uint64_t start, size_t size) {
    enum { NEAR = 8 };
    size_t left;
    const unsigned char *bytes = bytes_at(it, start, &left);
    size = bytes && size > left ? left : size;
    for (size_t i = 0; bytes && i + 4 <= size; i += 4) {
        uint32_t page = (uint32_t)signed_at(bytes + i);
        if ((page & 0x9f000000) != 0x90000000)
            continue;
        uint32_t pages = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);
        uint64_t base = ((start + i) & ~UINT64_C(0xfff)) + (extended(pages, 21) << 12);
        for (size_t k = i + 4; k + 4 <= size && k <= i + (size_t)NEAR * 4; k += 4) {
            uint32_t load = (uint32_t)signed_at(bytes + k);
            if ((load & 0xffc00000) == 0xf9400000 && (load >> 5 & 31) == (page & 31) &&
                hd_map_find(&it->slots, base + (uint64_t)(load >> 10 & 0xfff) * 8))
                return true;
        }
    }
    return false;
}

static bool calls_arm(hd_symbols_announced *it, uint64_t start, size_t size) {
    enum { STUB = 16 };
    size_t left;
    if (leads_arm(it, start, size))
        return true;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const unsigned char *bytes = bytes_at(it, start + i, &left);
        if (!bytes || left < 4)
            return false;
        uint32_t code = (uint32_t)signed_at(bytes);
        if ((code & 0x7c000000) == 0x14000000 &&
            leads_arm(it, start + i + (extended(code & 0x3ffffff, 26) << 2), STUB))
            return true;
    }
    return false;
}

bool hd_symbols_announced_calls(hd_symbols_announced *it, uint64_t start, uint64_t size) {
    if (!it->slots.length)
        return false;
    return it->x86 ? calls_x86(it, start, size) : it->arm && calls_arm(it, start, size);
}
