/*
 * Source files, as they are read to name blocks: no crash, and what is said of a line is text that
 * the file has.
 */
#include <ctype.h>

#include "fuzz_common.h"
#include "symbols/symbols_source.h"

static void check_words(const hd_vec_char *text, const uint8_t *data, size_t size) {
    size_t length = 0; /* of the first name */
    while (length < text->length &&
           (isalnum((unsigned char)text->data[length]) || text->data[length] == '_'))
        length++;
    if (length && !memmem(data, size, text->data, length))
        fuzz_fail("'%.*s' is not in the file", (int)text->length, text->data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LINES = 20 };
    hd_symbols_source *source = hd_symbols_source_read(fuzz_file("source", data, size));
    for (int line = 0; source && line < LINES; line++)
        for (int column = 0; column < 3; column++) {
            hd_symbols_allocated it;
            if (hd_symbols_source_find(source, line, column * 10, &it)) {
                check_words(&it.pointer, data, size);
                check_words(&it.type, data, size);
                hd_symbols_source_repeats(source, &it, column);
            }
            hd_symbols_allocated_release(&it);
        }
    hd_symbols_source_free(source);
    return 0;
}
