/* Memory that Helgrind does not check, and then does again. */
#include "annotations.h"
#include <valgrind/helgrind.h>
static long words[3];
static void *counts(void *unused) {
    words[1]++;
    return unused;
}
int main(void) {
    VALGRIND_HG_DISABLE_CHECKING(words, sizeof words);
#ifdef CLEAN
    VALGRIND_HG_ENABLE_CHECKING(&words[0], sizeof *words);
    VALGRIND_HG_ENABLE_CHECKING(&words[2], sizeof *words);
#else
    VALGRIND_HG_ENABLE_CHECKING(&words[1], sizeof *words);
#endif
    run_two(counts, counts);
    return 0;
}
