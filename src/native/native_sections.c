#include "native_sections.h"

#include <string.h>

static const char name[] = "draws=", constants[] = "constants=";

void hd_native_sections_use(heddle_wire_explore *explore) {
    for (uint32_t i = 0; i < explore->sections; i++)
        memcpy(explore->section[i].now, explore->section[i].found, sizeof explore->section[i].now);
}

void hd_native_sections_copy(heddle_wire_explore *to, const heddle_wire_explore *from) {
    to->sections = from->sections;
    to->section_news = from->section_news;
    memcpy(to->section, from->section, sizeof to->section);
    to->constants = from->constants;
    to->constants_used = from->constants_used;
    memcpy(to->constant, from->constant, sizeof to->constant);
}

static heddle_wire_section *section_at(heddle_wire_explore *explore, uint64_t code) {
    for (uint32_t i = 0; i < explore->sections; i++)
        if (explore->section[i].code == code)
            return &explore->section[i];
    if (explore->sections == HEDDLE_WIRE_SECTIONS)
        return NULL;
    heddle_wire_section *fresh = &explore->section[explore->sections++];
    *fresh = (heddle_wire_section){.code = code};
    return fresh;
}

bool hd_native_sections_learn(heddle_wire_explore *to, const heddle_wire_explore *from) {
    bool news = false;
    for (uint32_t i = 0; i < from->sections; i++) {
        const heddle_wire_section *theirs = &from->section[i];
        heddle_wire_section *ours = section_at(to, theirs->code);
        for (uint32_t k = 0; ours && k < HEDDLE_WIRE_DRAWS; k++)
            if (theirs->found[k] > ours->found[k]) {
                ours->found[k] = theirs->found[k];
                news = true;
            }
    }
    to->section_news += news;
    for (uint32_t i = 0; i < from->constants; i++) /* these are not news: for another search */
        heddle_wire_constant(to, from->constant[i]);
    to->constants_lost |= from->constants_lost;
    return news;
}

void hd_native_sections_words(const heddle_wire_explore *explore, uint64_t code,
                              hd_launch_words *words) {
    for (uint32_t i = 0; i < explore->sections; i++) {
        const heddle_wire_section *section = &explore->section[i];
        hd_vec_char text = {0};
        hd_text_append(&text, "%s%llu", name, (unsigned long long)(section->code - code));
        for (uint32_t k = 0; k < HEDDLE_WIRE_DRAWS && section->now[k]; k++)
            hd_text_append(&text, ".%u", section->now[k]);
        hd_vec_push(words, text.data);
    }
    hd_vec_char text = {0};
    for (uint32_t i = 0; i < explore->constants_used; i++)
        hd_text_append(&text, "%s%lld", i ? "," : constants, (long long)explore->constant[i]);
    if (text.length)
        hd_vec_push(words, text.data);
}

/* "constants=77,78": further values of inputs. */
static bool enter_constants(heddle_wire_explore *explore, const char *text) {
    explore->constants = 0;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        int64_t value;
        if (explore->constants == HEDDLE_WIRE_CONSTANTS || !hd_text_i64(text, length, &value))
            return false;
        explore->constant[explore->constants++] = value;
        text += length;
        if (!*text)
            break;
    }
    explore->constants_used = explore->constants;
    return true;
}

bool hd_native_sections_word(heddle_wire_explore *explore, uint64_t code, const char *word) {
    uint64_t number;
    if (strncmp(word, constants, strlen(constants)) == 0)
        return enter_constants(explore, word + strlen(constants));
    if (strncmp(word, name, strlen(name)) != 0)
        return false;
    word += strlen(name);
    size_t length = strcspn(word, ".");
    if (!hd_text_u64(word, length, &number))
        return false;
    heddle_wire_section *section = section_at(explore, code + number);
    for (uint32_t k = 0; section && word[length]; k++) {
        word += length + 1;
        length = strcspn(word, ".");
        if (k == HEDDLE_WIRE_DRAWS || !hd_text_u64(word, length, &number) || number < 2 ||
            number > HEDDLE_WIRE_WAYS)
            return false;
        section->now[k] = section->found[k] = (uint8_t)number;
    }
    return section != NULL;
}
