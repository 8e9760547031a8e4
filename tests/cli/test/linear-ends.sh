# Operations that do not return: they end their thread, or the process.
# In make test-long only.
cat >ends.c <<'END'
#include <heddle/linear.h>
static _Atomic int x;
HEDDLE_LINEAR(thread, int, "before=0") {}
HEDDLE_OPERATION(thread, set) { x = 1; pthread_exit(NULL); }
HEDDLE_MODEL(thread, set) { *model = 1; return HEDDLE_DONE; }
HEDDLE_OPERATION(thread, get) { return x; }
HEDDLE_MODEL(thread, get) { return *model; }
HEDDLE_LINEAR(process, int, "before=0") {}
HEDDLE_OPERATION(process, leave) { exit(0); }
HEDDLE_MODEL(process, leave) { return 0; }
HEDDLE_LINEAR(quick, int, "before=0") {}
HEDDLE_OPERATION(quick, leave) { quick_exit(0); }
HEDDLE_MODEL(quick, leave) { return 0; }
HEDDLE_LINEAR(at_once, int, "before=0") {}
HEDDLE_OPERATION(at_once, leave) { _exit(0); }
HEDDLE_MODEL(at_once, leave) { return 0; }
END
heddle test ends.c --json >out.json
echo "status $?"
jq -c '.result.tests[] | [.name, .verdict, .client, (.reason | sub("^[^ ]*: "; ""))]' out.json
