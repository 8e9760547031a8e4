/*
 * cures CURE WAY PROGRAM [ARGUMENT]...: explores a program by reads-from without a cure for lost
 * classes (explore_without.h), 0: with all, and prints how many executions, deadlocks and failures
 * there are.  The way is `reads`, for each class once, or `unfold`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "native/native_machine.h"

unsigned hd_explore_without;

int main(int count, char **arguments) {
    hd_error error = {""};
    hd_explore_result result = {0};
    if (count < 4)
        return 2;
    unsigned cure = (unsigned)strtoul(arguments[1], NULL, 10);
    hd_native_machine_options how = {
        .argv = arguments + 3, .most_steps = HD_NATIVE_USUAL_STEPS, .awaits = true};
    hd_explore_options options = {.algorithm = HD_EXPLORE_UNFOLD,
                                  .by_reads = strcmp(arguments[2], "reads") == 0,
                                  .most_steps = HD_NATIVE_USUAL_STEPS,
                                  .most_seconds = 60};
    hd_machine *machine = hd_native_machine_create(&how, &error);
    if (!machine) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    hd_explore_without = cure ? 1U << (cure - 1) : 0;
    hd_native_machine_by_reads(machine, true, false, false);
    while (hd_native_machine_changed(machine) && !hd_native_machine_unread(machine)) {
        hd_native_machine_renew(machine);
        if (!hd_explore_run(machine, &options, &result, &error)) {
            fprintf(stderr, "%s\n", error.text);
            return 2;
        }
    }
    if (hd_native_machine_unread(machine) || (!result.complete && !cure)) {
        fprintf(stderr, "not complete: %s\n", hd_native_machine_unread(machine));
        return 3;
    }
    printf("%llu %llu %llu\n", (unsigned long long)result.executions,
           (unsigned long long)result.deadlocks, (unsigned long long)result.violations);
    machine->type->free(machine);
    return 0;
}
