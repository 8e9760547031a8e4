#include "base_print.h"

#include <stdio.h>
#include <string.h>

#include "base_mem.h"

void hd_text_append(hd_vec_char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    hd_vec_reserve(to, to->length + 32); /* mostly enough */
    size_t room = to->capacity - to->length;
    size_t length = (size_t)vsnprintf(to->data + to->length, room, format, arguments);
    va_end(arguments);
    if (length >= room) {
        hd_vec_reserve(to, to->length + length + 1);
        vsnprintf(to->data + to->length, length + 1, format, again);
    }
    va_end(again);
    to->length += length;
}

void hd_text_append_text(hd_vec_char *to, const char *text) {
    size_t length = strlen(text);
    hd_vec_reserve(to, to->length + length + 1);
    memcpy(to->data + to->length, text, length + 1);
    to->length += length;
}

void hd_text_append_number(hd_vec_char *to, uint64_t number) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    hd_text_append_text(to, at);
}

char *hd_text_formatted(size_t *length, const char *format, va_list arguments) {
    char *text = NULL;
    int written = vasprintf(&text, format, arguments);
    if (written < 0)
        hd_mem_made(NULL);
    *length = (size_t)written;
    return text;
}
