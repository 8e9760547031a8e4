#include "base_mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(size_t size) {
    fprintf(stderr, "heddle: out of memory (%zu bytes more were needed)\n", size);
    exit(2);
}

static size_t product(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory(SIZE_MAX);
    return bytes ? bytes : 1;
}

void *hd_mem_alloc(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *hd_mem_zero(size_t count, size_t size) {
    void *memory = calloc(1, product(count, size));
    if (!memory)
        out_of_memory(product(count, size));
    return memory;
}

void *hd_mem_resize(void *old, size_t count, size_t size) {
    void *memory = realloc(old, product(count, size));
    if (!memory)
        out_of_memory(product(count, size));
    return memory;
}

char *hd_mem_string(const char *text, size_t length) {
    char *copy = hd_mem_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
