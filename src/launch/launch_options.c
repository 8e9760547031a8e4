#include "launch_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROCESS = 1 << 22 }; /* the system gives no larger number to a process */

static uint32_t misuse = HEDDLE_WIRE_MISUSE_FAILS;

bool hd_launch_options_misuse(const char *how) {
    static const char *const names[] = {[HEDDLE_WIRE_MISUSE_FAILS] = "fail",
                                        [HEDDLE_WIRE_MISUSE_NOTED] = "note",
                                        [HEDDLE_WIRE_MISUSE_IGNORED] = "ignore"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], how) == 0) {
            misuse = i;
            return true;
        }
    return false;
}

static bool volatiles; /* for all programs */

bool hd_launch_options_volatile(const char *how) {
    volatiles = strcmp(how, "atomic") == 0;
    return volatiles || strcmp(how, "plain") == 0;
}

/* "12", "-3" or "0x1f"; false if it does not begin so, or has more than 64 bits. */
static bool read_number(const char *text, const char **end, int64_t *value) {
    const char *digits = text + (*text == '-');
    char *stop;
    errno = 0;
    *value = strtoll(text, &stop, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
    *end = stop;
    return *digits >= '0' && *digits <= '9' && !errno;
}

/* "0..7,-1": numbers and ranges. */
static bool enter_any(heddle_wire *wire, const char *text) {
    wire->anys = 0;
    while (*text) {
        const char *end;
        int64_t low, high;
        bool number = read_number(text, &end, &low);
        high = low;
        if (number && strncmp(end, "..", 2) == 0)
            number = read_number(end + 2, &end, &high);
        if (!number || (*end && *end != ',') || (*end && !end[1]) || high < low ||
            (uint64_t)high - (uint64_t)low >= HEDDLE_WIRE_WAYS - wire->anys)
            return false;
        wire->any[wire->anys++] = low;
        while (low < high)
            wire->any[wire->anys++] = ++low;
        text = *end ? end + 1 : end;
    }
    return wire->anys > 0;
}

/* "3,-1,0x10", or "any:" and what every input may be. */
static bool enter_inputs(heddle_wire *wire, const char *text) {
    static const char any[] = "any:";
    if (strncmp(text, any, sizeof any - 1) == 0)
        return enter_any(wire, text + sizeof any - 1);
    wire->inputs = 0;
    while (*text) {
        const char *end;
        int64_t value;
        if (!read_number(text, &end, &value) || (*end && *end != ',') || (*end && !end[1]) ||
            wire->inputs == HEDDLE_WIRE_INPUTS)
            return false;
        wire->input[wire->inputs++] = value;
        text = *end ? end + 1 : end;
    }
    return wire->inputs > 0;
}

static uint32_t sv_comp; /* for all programs */

void hd_launch_options_sv_comp(uint32_t bits) {
    sv_comp = bits;
}

uint32_t hd_launch_options_is_sv_comp(void) {
    return sv_comp;
}

static const char *given; /* inputs, for all programs */

bool hd_launch_options_inputs(const char *text) {
    heddle_wire *tried = HD_NEW(heddle_wire);
    bool good = enter_inputs(tried, text);
    if (good)
        given = text;
    free(tried);
    return good;
}

void hd_launch_options_begin(heddle_wire *wire) {
    wire->misuse = misuse;
    wire->volatiles = volatiles;
    wire->sv_comp = sv_comp;
    if (given)
        enter_inputs(wire, given);
}

bool hd_launch_options_word(heddle_wire *wire, const char *word) {
    const char *value = strchr(word, '=');
    uint64_t number = 0;
    if (!value++)
        return false;
    size_t length = (size_t)(value - word);
    if (strncmp(word, "inputs=", length) == 0)
        return enter_inputs(wire, value);
    if (!hd_text_u64(value, strlen(value), &number))
        return false;
    if (strncmp(word, "spurious=", length) == 0 && number <= UINT32_MAX)
        wire->spurious = (uint32_t)number;
    else if (strncmp(word, "reuse=", length) == 0)
        wire->reuse = number != 0;
    else if (strncmp(word, "volatile=", length) == 0 && number <= 1)
        wire->volatiles = number != 0;
    else if (strncmp(word, "prints=", length) == 0)
        wire->prints = number != 0;
    else if (strncmp(word, "says=", length) == 0 && number <= HEDDLE_WIRE_SAYS_PLACES)
        wire->says = (uint32_t)number;
    else if (strncmp(word, "sv-comp=", length) == 0 && number <= HEDDLE_WIRE_SV_ALL)
        wire->sv_comp = (uint32_t)number;
    else if (strncmp(word, "misuse=", length) == 0 && number <= HEDDLE_WIRE_MISUSE_IGNORED)
        wire->misuse = (uint32_t)number;
    else if (strncmp(word, "seed=", length) == 0)
        wire->seed = number;
    else if (strncmp(word, "input-seed=", length) == 0)
        wire->input_seed = number;
    else if (strncmp(word, "process=", length) == 0 && number > 0 && number <= MOST_PROCESS)
        wire->process = (uint32_t)number;
    else
        return false;
    return true;
}

bool hd_launch_options_exits(const char *word, uint32_t *exits) {
    static const char name[] = "objects=";
    const uint64_t legal = HEDDLE_WIRE_MAKES_OBJECTS | HEDDLE_WIRE_ODD_OBJECTS;
    uint64_t number;
    if (strcmp(word, "cancels=1") == 0)
        number = HEDDLE_WIRE_CANCELS;
    else if (strcmp(word, "registers=1") == 0)
        number = HEDDLE_WIRE_REGISTERS;
    else if (strncmp(word, name, sizeof name - 1) != 0 ||
             !hd_text_u64(word + sizeof name - 1, strlen(word) - (sizeof name - 1), &number) ||
             number & ~legal)
        return false;
    *exits |= (uint32_t)number;
    return true;
}

bool hd_launch_options_waits(const char *word, heddle_wire_awaits *awaits) {
    bool loops = strcmp(word, "waits=loops") == 0;
    if (!loops && strcmp(word, "waits=asleep") != 0)
        return false;
    awaits->loops = loops;
    awaits->lost |= !loops;
    return true;
}

bool hd_launch_options_ends(const char *word, uint32_t *ends) {
    static const char name[] = "ends=";
    const uint64_t all = HEDDLE_WIRE_ENDS_ASKED | HEDDLE_WIRE_ENDS_LAST | HEDDLE_WIRE_ENDS_APART |
                         HEDDLE_WIRE_ENDS_ALONE;
    uint64_t number;
    if (strncmp(word, name, strlen(name)) != 0)
        return false;
    const char *value = word + strlen(name);
    if (!hd_text_u64(value, strlen(value), &number) || !number || number & ~all)
        return false;
    *ends = (uint32_t)number;
    return true;
}

static void add_option(hd_launch_words *words, const char *name, unsigned long long value) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s=%llu", name, value);
    if (value)
        hd_vec_push(words, hd_mem_string(text, (size_t)length));
}

static void add_numbers(hd_launch_words *words, const char *name, const int64_t *numbers,
                        uint32_t count) {
    hd_vec_char text = {0};
    for (uint32_t i = 0; i < count; i++)
        hd_text_append(&text, "%s%lld", i ? "," : name, (long long)numbers[i]);
    if (count)
        hd_vec_push(words, text.data);
}

void hd_launch_options_words(const heddle_wire *wire, hd_launch_words *words) {
    add_option(words, "sv-comp", wire->sv_comp);
    add_option(words, "spurious", wire->spurious);
    add_option(words, "prints", wire->prints);
    add_option(words, "says", wire->says);
    add_option(words, "reuse", wire->reuse);
    add_option(words, "volatile", wire->volatiles);
    add_option(words, "misuse", wire->misuse);
    add_option(words, "input-seed", wire->input_seed);
    add_numbers(words, "inputs=", wire->input, wire->inputs);
    add_numbers(words, "inputs=any:", wire->any, wire->anys);
}
