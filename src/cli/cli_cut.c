#include "cli_cut.h"

enum { MOST_THREADS = 1024 };

/* Half of --memory; the other half is for the trace and its indexes. */
static size_t work_memory(const hd_cli_arguments *arguments) {
    size_t bytes = hd_mem_budget() ? hd_mem_budget() : SIZE_MAX;
    if (arguments->values[HD_CLI_MEMORY])
        hd_mem_budget_parse(arguments->values[HD_CLI_MEMORY], &bytes); /* was checked before */
    return bytes / 2;
}

bool hd_cli_cut_read(const hd_cli_arguments *arguments, int first, hd_cut_request *request) {
    static const char *const models[] = {[HD_ORDER_LOSET] = "loset", [HD_ORDER_POSET] = "poset"};
    uint64_t workers;
    bool loset = hd_trace_is_loset(arguments->operands[0]);
    int model = hd_cli_choice(arguments, first, models, HD_ORDER_MODELS,
                              loset ? HD_ORDER_LOSET : HD_ORDER_POSET);
    if (loset && model == HD_ORDER_POSET) {
        hd_cli_usage(arguments,
                     "a file of a loset has no order of locks: --model=poset is of traces");
        return false;
    }
    int class = hd_cli_choice(arguments, first + 1, hd_cut_class_names, HD_CUT_CLASSES,
                              model == HD_ORDER_POSET ? HD_CUT_CONSISTENT : HD_CUT_REACHABLE);
    int algorithm =
        hd_cli_choice(arguments, first + 2, hd_cut_algorithm_names, HD_CUT_ALGORITHMS, HD_CUT_AUTO);
    if (model < 0 || class < 0 || algorithm < 0 ||
        !hd_cli_number(arguments, first + 3, 1, 1, MOST_THREADS, &workers))
        return false;
    *request = (hd_cut_request){.model = (enum hd_order_model)model,
                                .class = (enum hd_cut_class) class,
                                .algorithm = (enum hd_cut_algorithm)algorithm,
                                .workers = (unsigned)workers,
                                .memory = work_memory(arguments)};
    return true;
}

static void list_names(FILE *to, bool diagram) {
    fputs("\nClasses:", to);
    for (int i = HD_CUT_CLASSES; i-- > 0;)
        fprintf(to, " %s", hd_cut_class_names[i]);
    fputs("\nAlgorithms:", to);
    for (int i = 0; i < HD_CUT_ALGORITHMS; i++)
        if (diagram || i != HD_CUT_DIAGRAM)
            fprintf(to, " %s", hd_cut_algorithm_names[i]);
    fputs(" (default: auto)\n", to);
}

void hd_cli_cut_names(FILE *to) {
    list_names(to, true);
}

void hd_cli_cut_visiting_names(FILE *to) {
    list_names(to, false);
}
