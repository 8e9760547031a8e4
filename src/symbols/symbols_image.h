/*
 * The machine code in the file of a module: instructions by address, and what the loader puts into
 * its memory.
 */
#ifndef HD_SYMBOLS_IMAGE_H
#define HD_SYMBOLS_IMAGE_H

#include <gelf.h>

#include "symbols_code.h"
#include "symbols_modules.h"

typedef struct hd_symbols_image {
    hd_symbols_decoder *decoder;
    const hd_symbols_arch *arch;
    Dwfl_Module *module;
    Elf *elf;
    GElf_Addr bias;
    Elf_Data *code; /* of the section that was used last, */
    uint64_t low, high;
    hd_map loaded; /* address -> place in `names` + 1 */
    HD_VEC(const char *) names;
    bool listed;
} hd_symbols_image;

/* False if the module's code cannot be read. */
bool hd_symbols_image_init(hd_symbols_image *image, Dwfl_Module *module);
void hd_symbols_image_release(hd_symbols_image *image);

bool hd_symbols_image_decode(hd_symbols_image *image, uint64_t address, hd_symbols_instruction *to);

/* The beginning of the function that has the code; 0 if it is not known, or the code lies apart
 * from it. */
uint64_t hd_symbols_image_start(const hd_symbols_image *image, uint64_t code);

/* The name of the function that begins at the address, or to which the code there leads at once; or
 * whose address the loader puts there; NULL if there is none. */
const char *hd_symbols_image_at(hd_symbols_image *image, uint64_t address);
const char *hd_symbols_image_loaded(hd_symbols_image *image, uint64_t address);

/* Is it memory that does not change once the program runs? */
bool hd_symbols_image_constant(const hd_symbols_image *image, uint64_t address, uint64_t size);

#endif
