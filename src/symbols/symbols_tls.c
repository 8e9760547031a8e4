#include "symbols_tls.h"

#include <dwarf.h>
#include <string.h>

void hd_symbols_tls_read(hd_symbols_tls *tls, Dwfl_Module *module) {
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        if (name && GELF_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF)
            hd_vec_push(tls, ((hd_symbols_tls_symbol){name, symbol.st_value}));
    }
}

bool hd_symbols_tls_find(const hd_symbols_tls *tls, Dwarf_Die *variable, uint64_t *offset) {
    if (!tls->length || dwarf_hasattr(variable, DW_AT_location))
        return false;
    Dwarf_Attribute attribute;
    const char *name =
        dwarf_formstring(dwarf_attr_integrate(variable, DW_AT_linkage_name, &attribute));
    if (!name)
        name = dwarf_formstring(dwarf_attr_integrate(variable, DW_AT_name, &attribute));
    size_t found = 0;
    for (size_t i = 0; name && i < tls->length; i++)
        if (strcmp(tls->data[i].name, name) == 0) {
            *offset = tls->data[i].offset;
            found++;
        }
    return found == 1;
}
