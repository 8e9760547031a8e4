/*
 * Predicates written in C (include/heddle/view.h): compiled by the user's compiler,
 * loaded, and called for each state.
 *
 *     hd_predicate_plugin *plugin = hd_predicate_plugin_open("mine.c", &error);
 *     hd_predicate predicate;
 *     hd_predicate_init_plugin(&predicate, "mine.c");
 *     hd_predicate_instance_init(&instance, ...);
 *     hd_predicate_plugin_attach(plugin, &instance);
 *
 * The compiler is $CC, or cc; the header is looked for in $HEDDLE_INCLUDE and beside
 * the program.  A file that ends in .so is loaded as it is.
 */
#ifndef HD_PREDICATE_PLUGIN_H
#define HD_PREDICATE_PLUGIN_H

#include "predicate_instance.h"

typedef struct hd_predicate_plugin hd_predicate_plugin;

/* NULL with an error; what the compiler has to say goes to standard error. */
hd_predicate_plugin *hd_predicate_plugin_open(const char *path, hd_error *error);

/* Makes the view of the instance's trace, and lets the predicate start.  Both must stay. */
void hd_predicate_plugin_attach(hd_predicate_plugin *plugin, hd_predicate_instance *instance);
void hd_predicate_plugin_close(hd_predicate_plugin *plugin);

#endif
