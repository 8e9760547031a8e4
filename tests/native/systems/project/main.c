#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "counter.h"

int main(int argc, char **argv) {
    int (*run)(void) = NULL;
    int counted = counter_count(2);
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (plugin)
        *(void **)&run = dlsym(plugin, "plugin_run");
    printf("%d %d\n", counted, run ? run() : 0);
    return counted != 2;
}
