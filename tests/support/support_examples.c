#include "support_examples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

hd_machine *support_load(const char *text) {
    hd_model_error error;
    hd_machine *machine = hd_model_parse("m.hdm", text, strlen(text), NULL, 0, &error);
    if (!machine)
        fail_msg("line %u: %s", error.line, error.text);
    return machine;
}

/* They are beside the folder that this file is in. */
hd_machine *support_load_example(const char *name, int64_t size) {
    static const char here[] = __FILE__;
    const char *folder = strstr(here, "tests/support/");
    assert_non_null(folder);
    char path[512];
    snprintf(path, sizeof path, "%.*sexamples/models/%s.hdm", (int)(folder - here), here, name);
    hd_model_error error;
    hd_model_define define = {"N", size};
    hd_machine *machine = hd_model_load(path, &define, size ? 1 : 0, &error);
    if (!machine)
        fail_msg("%s:%u: %s", path, error.line, error.text);
    return machine;
}

hd_explore_result support_explore(hd_machine *machine, const hd_explore_options *options) {
    hd_explore_result result;
    hd_error error = {""};
    if (!hd_explore_run(machine, options, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

int support_stop_at_tenth(void *context, hd_machine *machine, enum hd_explore_end end,
                          const hd_step *schedule, size_t length) {
    int *seen = context;
    (void)machine, (void)end, (void)schedule, (void)length;
    return ++*seen == 10;
}
