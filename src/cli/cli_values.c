/* The values of options: numbers, times, words of a list; a bad one gets its line. */
#include "cli.h"

#include <string.h>

#include "launch/launch.h"

bool hd_cli_number(const hd_cli_arguments *arguments, int row, uint64_t initial, uint64_t low,
                   uint64_t high, uint64_t *value) {
    const char *text = arguments->values[row];
    *value = initial;
    if (!text || (hd_text_u64(text, strlen(text), value) && *value >= low && *value <= high))
        return true;
    hd_cli_usage(arguments, "--%s takes a whole number from %llu to %llu, not '%s'",
                 hd_cli_options(arguments->command)[row].name, (unsigned long long)low,
                 (unsigned long long)high, hd_text_name(text));
    return false;
}

bool hd_cli_misuse(const hd_cli_arguments *arguments, int row) {
    const char *how = arguments->values[row];
    if (!how || hd_launch_options_misuse(how))
        return true;
    hd_cli_usage(arguments, "--misuse takes fail, note or ignore, not '%s'", hd_text_name(how));
    return false;
}

bool hd_cli_volatile(const hd_cli_arguments *arguments, int row) {
    const char *how = arguments->values[row];
    if (!how || hd_launch_options_volatile(how))
        return true;
    hd_cli_usage(arguments, "--volatile takes plain or atomic, not '%s'", hd_text_name(how));
    return false;
}

bool hd_cli_inputs(const hd_cli_arguments *arguments, int row) {
    const char *inputs = arguments->values[row];
    if (!inputs || hd_launch_options_inputs(inputs))
        return true;
    hd_cli_usage(
        arguments,
        "--inputs takes up to %d whole numbers of 64 bits with commas between, or any: and "
        "up to %d numbers or ranges such as 0..7, not '%s'",
        HEDDLE_WIRE_INPUTS, HEDDLE_WIRE_WAYS, hd_text_name(inputs));
    return false;
}

bool hd_cli_sv_comp(const hd_cli_arguments *arguments, int row, enum hd_engine_property usual) {
    enum hd_engine_property property;
    hd_error error = {""};
    if (!hd_cli_given(arguments, row) && hd_cli_given(arguments, row + 1)) {
        hd_cli_usage(arguments, "--witness-yaml needs --sv-comp");
        return false;
    }
    if (!hd_cli_given(arguments, row))
        return true;
    if (!hd_engine_property_read(arguments->values[row], usual, &property, &error)) {
        hd_cli_usage(arguments, "%s", error.text);
        return false;
    }
    if (usual == HD_ENGINE_NO_DATA_RACE && property != usual) {
        hd_cli_usage(arguments, "%s is a question for heddle explore and heddle check",
                     hd_engine_property_name(property));
        return false;
    }
    hd_engine_property_hold(property);
    return true;
}

void hd_cli_sv_comp_write(enum hd_engine_property property, const char *word, hd_json *json) {
    hd_json_open(json, "sv_comp", '{');
    hd_json_text(json, "property", hd_engine_property_name(property));
    hd_json_text(json, "word", word);
    hd_json_close(json);
}

int hd_cli_choice(const hd_cli_arguments *arguments, int row, const char *const *names, int count,
                  int initial) {
    const char *word = arguments->values[row];
    for (int i = 0; word && i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    if (!word)
        return initial;
    hd_cli_usage(arguments, "there is no %s '%s'", hd_cli_options(arguments->command)[row].name,
                 hd_text_name(word));
    return -1;
}

const char *hd_cli_next(const hd_cli_arguments *arguments, int row, size_t *at) {
    while (*at < arguments->all.length) {
        const struct hd_cli_value *value = &arguments->all.data[(*at)++];
        if (value->row == row)
            return value->text;
    }
    return NULL;
}

bool hd_cli_seconds(const hd_cli_arguments *arguments, int row, double initial, double *seconds) {
    const char *text = arguments->values[row];
    *seconds = initial;
    if (!text || hd_text_seconds(text, seconds))
        return true;
    hd_cli_usage(arguments, "--%s takes a time such as 60, 0.5, 60s, 2m or 1h, not '%s'",
                 hd_cli_options(arguments->command)[row].name, hd_text_name(text));
    return false;
}

bool hd_cli_format(const hd_cli_arguments *arguments, int row, const char *path,
                   enum hd_trace_format *format) {
    const char *word = arguments->values[row];
    *format = hd_trace_format_of(path);
    if (!word)
        return true;
    bool binary = strcmp(word, "binary") == 0;
    *format = binary ? HD_TRACE_BINARY : HD_TRACE_TEXT;
    if (binary || strcmp(word, "text") == 0)
        return true;
    hd_cli_usage(arguments, "--%s takes text or binary, not '%s'",
                 hd_cli_options(arguments->command)[row].name, hd_text_name(word));
    return false;
}

bool hd_cli_bound(const hd_cli_arguments *arguments, int row, bool *bounded, uint32_t *most) {
    static const char name[] = "preemptions=";
    const char *text = arguments->values[row];
    uint64_t number;
    if (!text)
        return true;
    const char *digits = text + sizeof name - 1;
    if (strncmp(text, name, sizeof name - 1) != 0 ||
        !hd_text_u64(digits, strlen(digits), &number) || number > UINT32_MAX) {
        hd_cli_usage(arguments, "--bound takes preemptions=K, not '%s'", hd_text_name(text));
        return false;
    }
    *bounded = true;
    *most = (uint32_t)number;
    return true;
}
