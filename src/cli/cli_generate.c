/*
 * heddle generate: traces of known shape.
 *
 * What a family takes is in its own row (generate_families.h): numbers by their
 * place, others as options.  The command's table of options is made of these.
 */
#include <string.h>

#include "cli.h"
#include "cli_verdict.h"
#include "generate/generate.h"

enum { SEED = HD_CLI_OWN, OUTPUT, TO, FAMILY_OPTIONS };

static const hd_cli_option own_options[] = {
    HD_CLI_COMMON,
    {"seed", 's', "N", "the seed (1); the same seed gives the same trace everywhere"},
    {"output", 'o', "FILE", "the file (standard output); binary if the name ends in .htr"},
    {"to", 't', "FORMAT", "text or binary, whatever the name"},
};

/* Adds the option of a family unless another one has it already. */
static void add_option(hd_cli_option *table, const hd_generate_parameter *parameter) {
    size_t row = 0;
    for (; table[row].name; row++)
        if (strcmp(table[row].name, parameter->name) == 0)
            return;
    assert(row + 1 < HD_CLI_MAX_OPTIONS);
    table[row] = (hd_cli_option){parameter->name, 0, "N", parameter->help};
}

static const hd_cli_option *make_options(void) {
    static hd_cli_option table[HD_CLI_MAX_OPTIONS];
    if (table[0].name)
        return table;
    memcpy(table, own_options, sizeof own_options);
    for (size_t i = 0; i < hd_generate_family_count; i++)
        for (size_t j = 0; j < HD_GENERATE_MAX_NUMBERS; j++) {
            const hd_generate_parameter *parameter = &hd_generate_families[i].parameters[j];
            if (parameter->name && parameter->option)
                add_option(table, parameter);
        }
    return table;
}

static void list_families(FILE *to) {
    fputs("\nFamilies, with their numbers, options and default values:\n", to);
    for (size_t i = 0; i < hd_generate_family_count; i++) {
        const hd_generate_family *family = &hd_generate_families[i];
        fprintf(to, "  %s", family->name);
        if (family->word)
            fprintf(to, " %s", family->word);
        for (size_t j = 0; j < HD_GENERATE_MAX_NUMBERS && family->parameters[j].name; j++) {
            const hd_generate_parameter *parameter = &family->parameters[j];
            fprintf(to, parameter->option ? " [--%s=%llu]" : " %s=%llu", parameter->name,
                    (unsigned long long)parameter->initial);
        }
        fprintf(to, "\n        %s%s\n", family->help, family->seeded ? "; by seed" : "");
    }
}

static bool number_in_range(const hd_cli_arguments *arguments,
                            const hd_generate_parameter *parameter, const char *text,
                            uint64_t *value) {
    if (hd_text_u64(text, strlen(text), value) && *value >= parameter->low &&
        *value <= parameter->high)
        return true;
    hd_cli_usage(arguments, "%s%s (%s) is a whole number from %llu to %llu, not '%s'",
                 parameter->option ? "--" : "", parameter->name, parameter->help,
                 (unsigned long long)parameter->low, (unsigned long long)parameter->high,
                 hd_text_name(text));
    return false;
}

/* The numbers by place and by option; false after saying what is wrong. */
static bool read_numbers(const hd_cli_arguments *arguments, const hd_generate_family *family,
                         hd_generate_request *request) {
    int operand = 1;
    if (family->word) {
        if (operand == arguments->operand_count) {
            hd_cli_usage(arguments, "family '%s' takes a %s", family->name, family->word);
            return false;
        }
        request->word = arguments->operands[operand++];
    }
    for (size_t i = 0; i < HD_GENERATE_MAX_NUMBERS && family->parameters[i].name; i++) {
        const hd_generate_parameter *parameter = &family->parameters[i];
        const char *text = NULL;
        if (parameter->option)
            text = arguments->values[hd_cli_row(arguments->command, parameter->name)];
        else if (operand < arguments->operand_count)
            text = arguments->operands[operand++];
        if (text && !number_in_range(arguments, parameter, text, &request->numbers[i]))
            return false;
    }
    if (operand == arguments->operand_count)
        return true;
    hd_cli_usage(arguments, "one word too many: '%s'", hd_text_name(arguments->operands[operand]));
    return false;
}

static bool family_has(const hd_generate_family *family, const char *option) {
    for (size_t i = 0; i < HD_GENERATE_MAX_NUMBERS && family->parameters[i].name; i++)
        if (family->parameters[i].option && strcmp(family->parameters[i].name, option) == 0)
            return true;
    return false;
}

/* An option of another family would be passed over in silence. */
static bool options_fit(const hd_cli_arguments *arguments, const hd_generate_family *family) {
    const hd_cli_option *table = make_options();
    for (int row = FAMILY_OPTIONS; table[row].name; row++)
        if (hd_cli_given(arguments, row) && !family_has(family, table[row].name)) {
            hd_cli_usage(arguments, "family '%s' has no option --%s", family->name,
                         table[row].name);
            return false;
        }
    return true;
}

static int report(const hd_cli_arguments *arguments, const hd_trace *trace, const char *output) {
    hd_cli_answer answer;
    hd_verdict verdict;
    hd_verdict_init(&verdict, "a trace of this family");
    bool begun = hd_cli_json_begin(&answer, arguments, "", &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json_text(&answer.json, "family", arguments->operands[0]);
    hd_json_uint(&answer.json, "events", hd_trace_length(trace));
    hd_json_uint(&answer.json, "threads", trace->tables.names[HEDDLE_CLASS_THREAD].length);
    hd_json_text(&answer.json, "output", output);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, HD_CLI_OK);
}

static bool in_time(bool begun, hd_error *error) {
    return hd_clock_look() == HD_CLOCK_GOES ||
           hd_error_set(error, "%s; %s is written", hd_clock_why(), begun ? "not all" : "nothing");
}

/* As hd_trace_save, but ends with the clock. */
static bool save(const hd_trace *trace, const char *output, enum hd_trace_format format,
                 hd_error *error) {
    enum { PART = 1 << 18 };
    if (trace->loset)
        return hd_trace_loset_save(trace, NULL, output, error);
    hd_trace_writer *writer = hd_trace_writer_open(output, format, error);
    for (size_t at = 0; writer && at < trace->events.length; at += PART) {
        size_t left = trace->events.length - at;
        if (!in_time(at && strcmp(output, "-") == 0, error)) {
            hd_trace_writer_abandon(writer);
            return false;
        }
        hd_trace_writer_write(writer, &trace->tables, trace->events.data + at,
                              left < PART ? left : PART);
    }
    return writer && hd_trace_writer_close(writer, error);
}

static bool fits(const hd_trace *trace, const char *output, hd_error *error) {
    return !trace->loset || strcmp(output, "-") == 0 || hd_trace_is_loset(output) ||
           hd_error_set(error, "%s: this family is a loset, whose file ends in .loset",
                        hd_text_name(output));
}

static int generate(const hd_cli_arguments *arguments, const hd_generate_family *family,
                    const hd_generate_request *request, const char *output,
                    enum hd_trace_format format) {
    hd_error error = {""};
    hd_trace trace;
    hd_trace_init(&trace);
    int status = HD_CLI_OK;
    hd_stop_listen();
    if (!family->generate(&trace, request, &error) || !in_time(false, &error) ||
        !hd_trace_check_all(&trace, &error) || !fits(&trace, output, &error) ||
        !save(&trace, output, format, &error))
        status = hd_cli_fail("%s", error.text);
    else if (hd_cli_given(arguments, HD_CLI_JSON))
        status = report(arguments, &trace, output);
    hd_trace_release(&trace);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    const char *name = arguments->operands[0];
    const char *output = hd_cli_given(arguments, OUTPUT) ? arguments->values[OUTPUT] : "-";
    const hd_generate_family *family = hd_generate_family_find(name);
    enum hd_trace_format format;
    hd_generate_request request;
    if (!family)
        return hd_cli_usage(arguments, "unknown family '%s'", hd_text_name(name));
    if (hd_cli_given(arguments, HD_CLI_JSON) && strcmp(output, "-") == 0)
        return hd_cli_usage(arguments, "--json wants an --output other than -");
    hd_generate_request_init(&request, family);
    if (!hd_cli_number(arguments, SEED, 1, 0, UINT64_MAX, &request.seed) ||
        !hd_cli_format(arguments, TO, output, &format) || !options_fit(arguments, family) ||
        !read_numbers(arguments, family, &request))
        return HD_CLI_BAD;
    return generate(arguments, family, &request, output, format);
}

const hd_cli_command hd_cli_generate = {
    .name = "generate",
    .operands = "FAMILY [NUMBER]...",
    .summary = "Generate a trace of a known shape",
    .details =
        "A family, its numbers and a seed give the same trace on every machine and in every\n"
        "version.",
    .make_options = make_options,
    .least = 1,
    .most = 2 + HD_GENERATE_MAX_NUMBERS,
    .run = run,
    .more_help = list_families,
};
