# A fault of heddle itself, here in a predicate that it has loaded: it ends by that signal, and what
# was only for the time of the work is removed.
cp $ROOT/examples/detect/bank.std .
mkdir temporary
export TMPDIR=$PWD/temporary
ulimit -c 0
# The address sanitizer would take these signals first.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"
try() {
    printf '#include <heddle/view.h>\n#include <signal.h>\n#include <stdlib.h>\n%s\n' "$2" >"$1.c"
    (heddle detect -q -j1 --html=page.html --predicate "$1.c" bank.std >out 2>&1)
    echo "$1: status $?, left: $(ls temporary) $(ls | grep -e tmp)"
}
{
try null 'int heddle_predicate(const heddle_view *view) { return *(volatile int *)(long)(view->threads / 1000); }'
try bus 'int heddle_predicate(const heddle_view *view) { return raise(SIGBUS) + (int)view->threads; }'
try abort 'int heddle_predicate(const heddle_view *view) { (void)view; abort(); }'
try divide 'int heddle_predicate(const heddle_view *view) { raise(SIGFPE); return view->threads > 100; }'
try deep 'static int down(volatile int *at) { volatile int here[1000]; here[0] = *at + 1;
    return down((volatile int *)here) + here[0]; }
int heddle_predicate(const heddle_view *view) { volatile int at = (int)view->threads; return down(&at); }'
try fine 'int heddle_predicate(const heddle_view *view) { return view->threads > 100; }'
} 2>/dev/null
