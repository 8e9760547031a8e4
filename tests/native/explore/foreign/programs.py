"""The programs of tests/native/explore/foreign: state of code without instrumentation.

Most are made from one frame: some threads do something behind a mutex that has a hidden state, in
their order; main looks at what came of it, and one of the orders is wrong.
"""
import dataclasses
import pathlib

import kernel
import memory


@dataclasses.dataclass
class Program:
    name: str
    text: str
    expected: str = "fails"  # or right, unseen, no failure
    cxx: bool = False
    library: str = ""
    link: str = "so"  # so, dl, o, o-g, a
    flags: list = dataclasses.field(default_factory=list)
    last: list = dataclasses.field(default_factory=list)  # of the command that links
    words: list = dataclasses.field(default_factory=list)
    copies: int = 0  # of the library, numbered
    alone: bool = False  # not in one program with others (tests/native/together.py)


PROGRAMS = []

FRAME = """
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <locale.h>
#include <getopt.h>
#include <dlfcn.h>
#include <math.h>
#include <errno.h>
#include <unistd.h>
enum {{ N = {threads} }};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long got[N];
{globals}
static void *work(void *p) {{
    long me = (long)p;
    {lock}
    {{ {body} }}
    {unlock}
    return NULL;
}}
int main(int argc, char **argv) {{
    pthread_t t[N];
    {first}
    for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    {last}
    return 0;
}}
"""


def c(name, body, last, first="", globals="", threads=4, library="", links=("so",), expected="fails",
      **more):
    """Once with a mutex, and once without: then the order of the calls is all that there is."""
    for frame, lock, unlock in (("", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
                                ("_bare", "", "")):
        text = FRAME.format(threads=threads, globals=globals, body=body, first=first, last=last,
                            lock=lock, unlock=unlock)
        for link in links:
            # When an object that was linked in is called is not seen.
            blind = expected == "fails" and frame == "_bare" and link not in ("so", "dl")
            PROGRAMS.append(Program(name + frame + (f"_{link}" if library else ""), text,
                                    library=library, link=link, **more,
                                    expected="unseen" if blind else expected))


# --- streams of C: each thread writes its number, the text must not be "2013" -------------------
MEMORY = dict(globals="static FILE *f; static char *text; static size_t length;",
              first="f = open_memstream(&text, &length);")
NOT_201 = 'fclose(f); assert(strcmp(text, "2013") != 0);'
c("fputc", "fputc('0' + me, f);", NOT_201, **MEMORY)
c("putc_unlocked", "putc_unlocked('0' + me, f);", NOT_201, **MEMORY)
c("fprintf", 'fprintf(f, "%ld", me);', NOT_201, **MEMORY)
c("fputs", 'fputs(me == 0 ? "0" : me == 1 ? "1" : me == 2 ? "2" : "3", f);', NOT_201, **MEMORY)
c("fwrite", "char b = '0' + me; fwrite(&b, 1, 1, f);", NOT_201, **MEMORY)
c("vfprintf", "print(\"%ld\", me);", NOT_201, first=MEMORY["first"],
  globals="#include <stdarg.h>\n" + MEMORY["globals"] +
  "static void print(const char *format, ...) { va_list a; va_start(a, format);"
  " vfprintf(f, format, a); va_end(a); }")
c("fseek", "fseek(f, 0, SEEK_SET); fputc('0' + me, f);", 'fclose(f); assert(text[0] != \'1\');',
  **MEMORY)
c("ftell", "got[me] = ftell(f); fputc('x', f);", "assert(!(got[2] == 0 && got[0] == 1));", **MEMORY)
c("ungetc", "int k = fgetc(f); got[me] = k; if (me == 1) ungetc('z', f);",
  "assert(!(got[0] == 'z' && got[2] == 'a'));", globals="static FILE *f;",
  first='f = fmemopen("abcdefgh", 8, "r");')
c("fgets", "char b[8]; fgets(b, 3, f); got[me] = b[0];",
  "assert(!(got[0] == 'c' && got[1] == 'e'));", globals="static FILE *f;",
  first='f = fmemopen("abcdefghijkl", 12, "r");')
c("fread", "char b; fread(&b, 1, 1, f); got[me] = b;", "assert(!(got[0] == 'b' && got[2] == 'a'));",
  globals="static FILE *f;", first='f = fmemopen("abcdefgh", 8, "r");')
c("fscanf", 'int k = 0; fscanf(f, "%d", &k); got[me] = k;',
  "assert(!(got[0] == 2 && got[2] == 1));", globals="static FILE *f;",
  first='f = fmemopen("1 2 3 4 5", 9, "r");')
c("setvbuf", "if (me == 0) setvbuf(f, NULL, _IONBF, 0); else got[me] = __fbufsize(f);",
  "assert(!(got[1] != 1 && got[2] == 1));",
  globals="#include <stdio_ext.h>\nstatic FILE *f;",
  first='f = fopen("/dev/null", "w"); fputc(48, f);')
c("feof", "if (me == 0) fgetc(f); got[me] = feof(f);", "assert(!(got[1] && !got[2]));",
  globals="static FILE *f;", first='f = fmemopen("", 1, "r"); fgetc(f);')
c("stdout_tell", 'printf("x"); got[me] = me == 1 ? ftell(stdout) : 0;', "assert(got[1] != 4);")
c("clearerr", "if (me == 0) clearerr(f); else if (me == 1) fgetc(f); else got[2] = feof(f);",
  "assert(!got[2]);", globals="static FILE *f;", first='f = fopen("/dev/null", "r");')
c("getline", "char *b = NULL; size_t n = 0; getline(&b, &n, f); got[me] = b[0]; free(b);",
  "assert(!(got[0] == 'b' && got[2] == 'a'));", globals="static FILE *f;",
  first='f = fmemopen("a\\nb\\nc\\nd\\n", 8, "r");')

# --- state of libc ------------------------------------------------------------------------------
FIRST_OF = "assert(!(got[2] == one && got[0] == two));"
c("rand", "got[me] = rand();", FIRST_OF, first="srand(7); one = rand(); two = rand(); srand(7);",
  globals="static long one, two;")
c("random", "got[me] = random();", FIRST_OF, globals="static long one, two;",
  first="srandom(7); one = random(); two = random(); srandom(7);")
c("drand48", "got[me] = drand48() * 1e9;", FIRST_OF, globals="static long one, two;",
  first="srand48(7); one = drand48() * 1e9; two = drand48() * 1e9; srand48(7);")
c("lrand48", "got[me] = lrand48();", FIRST_OF, globals="static long one, two;",
  first="srand48(7); one = lrand48(); two = lrand48(); srand48(7);")
c("rand_r", "got[me] = rand_r(&seed);", FIRST_OF, globals="static long one, two; static unsigned seed;",
  first="seed = 7; one = rand_r(&seed); two = rand_r(&seed); seed = 7;")
c("random_r", "int k; random_r(&data, &k); got[me] = k;", FIRST_OF,
  globals="static long one, two; static struct random_data data; static char state[64];",
  first="int k; initstate_r(7, state, 64, &data); random_r(&data, &k); one = k; random_r(&data, &k);"
        "two = k; srandom_r(7, &data);")
c("strtok", 'char *k = strtok(NULL, " "); got[me] = k ? *k : 0;',
  "assert(!(got[2] == 'b' && got[0] == 'c'));", globals='static char text[] = "a b c d e";',
  first='strtok(text, " ");')
c("strtok_r", 'char *k = strtok_r(NULL, " ", &rest); got[me] = k ? *k : 0;',
  "assert(!(got[2] == 'b' && got[0] == 'c'));",
  globals='static char text[] = "a b c d e"; static char *rest;', first='strtok_r(text, " ", &rest);')
c("strsep", 'char *k = strsep(&rest, " "); got[me] = k ? *k : 0;',
  "assert(!(got[2] == 'a' && got[0] == 'b'));",
  globals='static char text[] = "a b c d e"; static char *rest = text;')
c("setenv", "char b[2] = {'0' + me}; if (!getenv(\"PLANTED\")) setenv(\"PLANTED\", b, 1);",
  'assert(strcmp(getenv("PLANTED"), "2") != 0);', first='unsetenv("PLANTED");')
c("getenv", "if (me == 1) setenv(\"PLANTED\", \"1\", 1); else got[me] = getenv(\"PLANTED\") != NULL;",
  "assert(!(got[0] && !got[2]));", first='unsetenv("PLANTED");')
c("putenv", "if (me == 1) putenv(\"PLANTED=1\"); else got[me] = getenv(\"PLANTED\") != NULL;",
  "assert(!(got[0] && !got[2]));", first='unsetenv("PLANTED");')
c("hsearch", "ENTRY e = {\"k\", (void *)(me + 1)}; hsearch(e, ENTER);",
  "ENTRY e = {\"k\"}; assert(hsearch(e, FIND)->data != (void *)3);", first="hcreate(8);",
  alone=True)  # a structure by value, which is said of the whole program
c("tsearch", "void *k = tsearch(&keys[me], &tree, compare); got[me] = *(int **)k == &keys[me];",
  "assert(!got[2]);", globals="static void *tree; static int keys[4] = {5, 5, 5, 5};"
  "static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }")
c("getopt", "got[me] = getopt(5, words, \"abcd\");", "assert(!(got[2] == 'a' && got[0] == 'b'));", threads=3,
  globals='static char *words[] = {"x", "-a", "-b", "-c", "-d", NULL};')
c("setlocale", "if (me == 1) setlocale(LC_ALL, \"C.UTF-8\"); else got[me] = *setlocale(LC_ALL, NULL) =="
  "'C' && setlocale(LC_ALL, NULL)[1];", "assert(!(got[0] && !got[2]));")
c("strerror", "got[me] = strerror(ENOENT) != NULL;", "assert(got[0] && got[1] && got[2]);",
  expected="right")
c("localtime", "time_t k = me * 3600; struct tm *p = localtime(&k); last = p;"
  "got[me] = p->tm_hour;", "assert(last->tm_hour != saved);",
  globals="static struct tm *last; static int saved;",
  first="time_t k = 3600; saved = localtime(&k)->tm_hour;")
c("asctime", "struct tm k = {.tm_hour = me, .tm_mday = 1}; last = asctime(&k);",
  "assert(last[12] != '1');", globals="static char *last;")
c("mbtowc", "if (me == 1) got[me] = 0; else got[me] = mblen(\"a\", 1);",
  "assert(got[0] == 1 && got[2] == 1);", expected="right")
c("snprintf_shared", "char *at = text + strlen(text); snprintf(at, 8, \"%ld\", me);",
  'assert(strcmp(text, "2013") != 0);', globals="static char text[32];")
c("sprintf_shared", "sprintf(text, \"%ld\", me);", 'assert(strcmp(text, "1") != 0);',
  globals="static char text[32];")
c("qsort", "int k = text[0]; qsort(text, 3, 1, me == 1 ? down : up); got[me] = text[0];",
  "assert(!(got[0] == 'a' && text[0] == 'c'));", globals="static char text[] = \"bca\";"
  "static int up(const void *a, const void *b) { return *(char *)a - *(char *)b; }"
  "static int down(const void *a, const void *b) { return *(char *)b - *(char *)a; }")
c("qsort_callback", "int a[3] = {3, 1, 2}; if (me == 1) flag = 1; else qsort(a, 3, sizeof *a, up);"
  "got[me] = a[0];", "assert(got[0] != 3);", globals="static int flag;"
  "static int up(const void *a, const void *b) { return flag ? *(int *)b - *(int *)a :"
  " *(int *)a - *(int *)b; }")
c("bsearch", "int key = 2; int *k = bsearch(&key, all, 3, sizeof *all, up); got[me] = k != NULL;"
  "if (me == 1) all[1] = 7;", "assert(!(got[0] && !got[2]));", globals="static int all[] = {1, 2, 3};"
  "static int up(const void *a, const void *b) { return *(int *)a - *(int *)b; }")
c("strtol_shared", "if (me == 1) strcpy(text, \"12\"); else got[me] = strtol(text, NULL, 10);",
  "assert(!(got[0] == 12 && got[2] == 7));", globals="static char text[8] = \"7\";")
c("sscanf_shared", "int k = 0; if (me == 1) strcpy(text, \"12\"); else sscanf(text, \"%d\", &k);"
  "got[me] = k;", "assert(!(got[0] == 12 && got[2] == 7));", globals="static char text[8] = \"7\";")
c("ecvt", "int a, b; last = ecvt(me + 1.0, 3, &a, &b);", "assert(last[0] != '2');",
  globals="static char *last;")
c("insque", "insque(&all[me + 1], &all[0]);", "assert(all[0].next != &all[2]);",
  globals="static struct node { struct node *next, *before; } all[5];")
c("umask", "got[me] = umask(me);", "umask(022); assert(!(got[2] == 0 && got[0] == 2));", first="umask(0);",
  globals="#include <sys/stat.h>")

# --- functions of a library of one's own --------------------------------------------------------
COUNTER = "static int n; int count(void) { return n++; } int look(void) { return n; }"
WRONG = "assert(!(got[2] == 0 && got[0] == 1));"
LINKED = ("so", "o", "o-g", "a")
c("counter", "got[me] = count();", WRONG, globals="int count(void);", library=COUNTER, links=LINKED)
c("look", "if (me == 1) count(); else got[me] = look();", "assert(!(got[0] && !got[2]));",
  globals="int count(void), look(void);", library=COUNTER, links=LINKED)
c("pointer", "got[me] = pointer();", WRONG, globals="int count(void); int (*pointer)(void) = count;",
  library=COUNTER)
c("table", "got[me] = table[1].call();", WRONG, library=COUNTER,
  globals="int count(void); static const struct { int a; int (*call)(void); } table[2] ="
          " {{0, 0}, {1, count}};")
c("by_name", "got[me] = call();", WRONG, globals="static int (*call)(void);", library=COUNTER,
  first='call = dlsym(RTLD_DEFAULT, "count"); int count(void); if (argc > 5) count();')
c("opened", "got[me] = call();", WRONG, globals="static int (*call)(void);", library=COUNTER,
  links=("dl",), first='call = dlsym(dlopen("./libplanted.so", RTLD_NOW), "count");')
c("opened_late", "int (*call)(void) = dlsym(dlopen(\"./libplanted.so\", RTLD_NOW), \"count\");"
  "got[me] = call();", WRONG, library=COUNTER, links=("dl",))
OPERATIONS = "static int n; static int count(void) { return n++; } int (*const calls[1])(void) = {count};"
c("data", "got[me] = calls[0]();", WRONG, globals="extern int (*const calls[1])(void);",
  library=OPERATIONS, expected="unseen")
c("data_copied", "got[me] = calls[0]();", WRONG, globals="extern int (*const calls[1])(void);",
  library=OPERATIONS, expected="unseen", flags=["-fno-pie", "-no-pie"])
c("data_opened", "got[me] = calls[0]();", WRONG, globals="static int (*const *calls)(void);",
  library=OPERATIONS, links=("dl",), expected="unseen",
  first='calls = dlsym(dlopen("./libplanted.so", RTLD_NOW), "calls");')
c("opened_many", "got[me] = call();", WRONG, globals="static int (*call)(void);", library=COUNTER,
  links=("dl",), copies=520, expected="unseen", threads=2,
  first='for (int i = 0; i < 520; i++) { char name[32]; sprintf(name, "./libplanted%d.so", i);'
        'call = dlsym(dlopen(name, RTLD_NOW), "count"); }')
c("handle", "got[me] = next(handle);", WRONG, globals="void *make(void); int next(void *);"
  "static void *handle;", first="handle = make();",
  library="#include <stdlib.h>\nvoid *make(void) { return calloc(1, 4); }"
          "int next(void *p) { return (*(int *)p)++; }")
c("locked_inside", "got[me] = count();", WRONG, globals="int count(void);",
  library="#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;"
          "int count(void) { pthread_mutex_lock(&m); int k = n++; pthread_mutex_unlock(&m); return k; }")
c("varargs", "got[me] = add(3, 1.5, me, \"x\");", "assert(!(got[2] == 2 && got[0] == 2));",
  globals="int add(int, ...);", library="#include <stdarg.h>\nstatic int n;"
  "int add(int c, ...) { va_list a; va_start(a, c); double d = va_arg(a, double);"
  " long l = va_arg(a, long); char *s = va_arg(a, char *); va_end(a);"
  " return d == 1.5 && *s == 'x' ? (n++, l + (n == 1 ? 0 : 1) + (l == 0)) : -1; }")
c("structures", "big b = {{1, 2, 3, 4, 5 + me}}; big r = turn(b, 1.5L, 2.5, 3.5f); got[me] = r.a[0];",
  "assert(got[0] >= 0 && !(got[2] == 0 && got[0] == 1));",
  globals="typedef struct { long a[5]; } big; big turn(big, long double, double, float);",
  library="typedef struct { long a[5]; } big; static int n; big turn(big b, long double x, double y,"
          " float z) { b.a[0] = x == 1.5L && y == 2.5 && z == 3.5f && b.a[4] >= 5 ? n++ : -100;"
          " return b; }")
c("many_arguments", "got[me] = many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1., 2., 3., 4., 5., 6., 7., 8., 9.);",
  "assert(got[0] >= 0 && !(got[2] == 0 && got[0] == 1));",
  globals="int many(long, long, long, long, long, long, long, long, long, long, double, double,"
          " double, double, double, double, double, double, double);",
  library="static int n; int many(long a, long b, long c, long d, long e, long f, long g, long h,"
          " long i, long j, double k, double l, double m, double o, double p, double q, double r,"
          " double s, double t) { return a == 1 && f == 6 && g == 7 && j == 10 && k == 1 && s == 8 &&"
          " t == 9 ? n++ : -100; }")
c("wide_vectors", "v x = {1, 2, 3, 4}; v r = turn(x); got[me] = r[3] == 8 ? r[0] : -100;",
  "assert(got[0] >= 0 && !(got[2] == 0 && got[0] == 1));",
  globals="typedef double v __attribute__((vector_size(32))); v turn(v);",
  library="typedef double v __attribute__((vector_size(32))); static int n;"
          "v turn(v x) { x *= 2; x[0] = n++; return x; }")
c("harmless", "got[me] = strlen(\"abc\") + isatty(1);", "assert(got[0] >= 3);", expected="right")
c("private_streams", "char *b; size_t n; FILE *f = open_memstream(&b, &n); fprintf(f, \"%ld\", me);"
  "fclose(f); got[me] = *b; free(b);", "assert(got[0] == '0' && got[2] == '2');", expected="right")
c("unlucky_library", "got[me] = twice(me);", "assert(got[2] == 4);", expected="unseen",
  globals="int twice(int);", library="int twice(int x) { return 2 * x; }", links=LINKED)

# --- C++ ----------------------------------------------------------------------------------------
CXX = """
#include <algorithm>
#include <cassert>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
static std::mutex m;
static long got[4];
{globals}
int main(int argc, char **argv) {{
    {first}
    std::thread t[4];
    for (long me = 0; me < 4; me++)
        t[me] = std::thread([me] {{ {guard} {body} }});
    for (auto &one : t) one.join();
    {last}
}}
"""


def cxx(name, body, last, first="", globals="", guarded=True, **more):
    guard = "std::lock_guard<std::mutex> guard(m);" if guarded else ""
    text = CXX.format(globals=globals, body=body, first=first, last=last, guard=guard)
    PROGRAMS.append(Program("cxx_" + name, text, cxx=True, **more))


cxx("string", 's.append(std::to_string(me));', 'assert(s != "2013");', globals="static std::string s;")
cxx("string_insert", "s.insert(0, 1, char('0' + me));", 'assert(s != "2013");',
    globals="static std::string s;")
cxx("string_replace", "s.replace(0, s.size(), 1, char('0' + me));", 'assert(s != "1");',
    globals="static std::string s;")
cxx("ostringstream", "o << me;", 'assert(o.str() != "2013");', globals="static std::ostringstream o;")
cxx("ostringstream_text", 'o << (me == 0 ? "0" : me == 1 ? "1" : me == 2 ? "2" : "3");', 'assert(o.str() != "2013");',
    globals="static std::ostringstream o;")
cxx("stringstream", "int k; s >> k; got[me] = k;", "assert(!(got[0] == 2 && got[2] == 1));",
    globals='static std::stringstream s("1 2 3 4 5");')
cxx("stringstream_both", "s << me; char k = 0; if (me == 1) s >> k; got[me] = k;",
    "assert(got[1] != '2');", globals='static std::stringstream s;')
cxx("istringstream_getline", "std::string k; std::getline(s, k); got[me] = k[0];",
    "assert(!(got[0] == 'b' && got[2] == 'a'));", globals='static std::istringstream s("a\\nb\\nc\\nd\\n");')
cxx("width", "if (me == 1) o.width(5); else o << me;", 'assert(o.str().substr(0, 6) != "2    0");',
    globals="static std::ostringstream o;")
cxx("cout_width", "if (me == 1) std::cout.width(5); else if (me == 2) got[2] = std::cout.width();"
    " else std::cout << 0;", "assert(got[2] != 5);")
cxx("cout_precision", "if (me == 1) std::cout << std::setprecision(3); else got[me] = "
    "std::cout.precision();", "assert(!(got[0] == 3 && got[2] != 3));")
cxx("state", "if (me == 1) o.setstate(std::ios::failbit); else o << me;", 'assert(o.str() != "23");',
    globals="static std::ostringstream o;")
cxx("map", "s[0] = me;", "assert(s[0] != 1);", globals="static std::map<int, int> s;")
cxx("map_insert", "got[me] = s.insert({5, int(me)}).second;", "assert(!got[2]);",
    globals="static std::map<int, int> s;")
cxx("set_order", "s.insert(me); got[me] = s.size();", "assert(!(got[2] == 1 && got[0] == 2));",
    globals="static std::set<int> s;")
cxx("map_race", "if (me < 2) s[me + 1] = 1;", "", globals="static std::map<int, int> s;", guarded=False)
cxx("list", "s.push_back(me);", "assert(!(s.front() == 2 && s.back() == 1));",
    globals="static std::list<int> s;")
cxx("unordered_map", "s.emplace(7, me);", "assert(s[7] != 2);",
    globals="static std::unordered_map<int, int> s;")
cxx("vector_of_strings", "s.push_back(std::to_string(me));", 'assert(s[0] + s[1] + s[2] != "201");',
    globals="static std::vector<std::string> s;")
cxx("ofstream", "o << me; got[me] = o.tellp();", "assert(!(got[2] == 1 && got[0] == 2));",
    globals='static std::ofstream o("out.txt");')
cxx("string_race", "if (me < 2) s.append(\"some text that is long\");", "",
    globals="static std::string s;", guarded=False)
cxx("shared_ptr", "if (me == 1) p.reset(); else got[me] = p.use_count();",
    "assert(!(got[0] == 1 && got[2] == 0));", globals="static auto p = std::make_shared<int>(1);")
# Outcomes are compared, so each output is a step.  With one or two of a thread there are few orders.
cxx("cout_right", 'if (me == 0) std::cout << "x"; else if (me == 1) std::cout << std::endl; else '
    "std::cout << me;", "", guarded=False, expected="right")
cxx("private_strings", "std::ostringstream o; o << me; std::string s = o.str() + \"abc\"; got[me] ="
    " s.size();", "assert(got[2] == 4);", expected="right")
cxx("private_maps", "std::map<int, std::string> s; s[me] = \"x\"; s[1] = \"y\"; got[me] = s.size();",
    "assert(got[1] == 1 && got[2] == 2);", expected="right", guarded=False)
cxx("methods", "got[me] = object.next();", "assert(!(got[2] == 0 && got[0] == 1));",
    globals="struct counter { int n; int next(); }; static counter object;",
    library="struct counter { int n; int next(); }; int counter::next() { return n++; }")
cxx("virtual", "got[me] = object->next();", "assert(!(got[2] == 0 && got[0] == 1));",
    globals="struct counter { virtual ~counter(); virtual int next() = 0; }; counter *make();"
            "static counter *object;", first="object = make();", expected="unseen",
    library="struct counter { virtual ~counter(); virtual int next() = 0; }; counter::~counter() {}"
            "struct real : counter { int n = 0; int next() override { return n++; } };"
            "counter *make() { return new real; }")
cxx("derived", "got[me] = object.next();", "assert(!(got[2] == 0 && got[0] == 1));",
    globals="struct counter { virtual ~counter(); virtual int next(); int n = 0; };"
            "struct mine : counter { int other() { return 1; } }; static mine own; static counter &object"
            " = own;",
    library="struct counter { virtual ~counter(); virtual int next(); int n = 0; };"
            "counter::~counter() {} int counter::next() { return n++; }")
cxx("thrown", "try { step(me == 1); } catch (int k) { got[me] = k; }",
    "assert(got[1] != 2);", globals="void step(bool);",
    library="static int n; void step(bool t) { n++; if (t) throw n; }")

# --- locks of streams ---------------------------------------------------------------------------
LOCKED = """#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static FILE *f;
static int x;
static void *other(void *unused) {{ {other} return unused; }}
int main(void) {{
    pthread_t t;
    {first}
    pthread_create(&t, NULL, other, NULL);
    {main}
    pthread_join(t, NULL);
    return 0;
}}
"""
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
OPEN = 'f = fopen("/dev/null", "r+");'


def locked(name, other, main, first=OPEN, expected="fails"):
    PROGRAMS.append(Program("locked_" + name, LOCKED.format(other=other, main=main, first=first),
                            expected=expected))


for stream_name, call in (("printf", 'printf("a");'), ("puts", 'puts("a");'),
                          ("fputs", 'fputs("a", f);'), ("putc", "putc(65, f);"),
                          ("fwrite", 'fwrite("a", 1, 1, f);'), ("fprintf", 'fprintf(f, "a");'),
                          ("fflush", "fflush(f);"), ("getc", "getc(f);"), ("ftell", "ftell(f);"),
                          ("feof", "feof(f);")):
    stream = "stdout" if stream_name in ("printf", "puts") else "f"
    hold, drop = f"flockfile({stream});", f"funlockfile({stream});"
    locked(stream_name, hold + LOCK + UNLOCK + drop, LOCK + call + UNLOCK)
    locked(stream_name + "_order", LOCK + hold + drop + UNLOCK, LOCK + call + UNLOCK,
           expected="right")
locked("unlocked", "flockfile(f);" + LOCK + UNLOCK + "funlockfile(f);",
       LOCK + "putc_unlocked(65, f);" + UNLOCK, expected="right")
locked("own", "flockfile(f); putc(65, f); fflush(f); funlockfile(f);",
       "flockfile(f); fputs(\"a\", f); funlockfile(f);", expected="right")
locked("try", "flockfile(f);" + LOCK + UNLOCK + "funlockfile(f);",
       LOCK + "if (!ftrylockfile(f)) { putc(65, f); funlockfile(f); }" + UNLOCK, expected="right")
locked("try_fails", "flockfile(f); x++; funlockfile(f);",
       "int k = ftrylockfile(f); if (!k) funlockfile(f); assert(!k);")
locked("held_by_main", LOCK + "putc(65, f);" + UNLOCK,
       LOCK + UNLOCK + "funlockfile(f);", first=OPEN + "flockfile(f);")
locked("guards", "flockfile(f); x++; funlockfile(f);", "flockfile(f); x++; funlockfile(f);",
       expected="right")

# --- inputs that are not the same twice ---------------------------------------------------------
VARYING = """#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
static unsigned char b[8];
static void *work(void *unused) {{ {work} return unused; }}
int main(void) {{
    pthread_t t;
    {first}
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}}
"""
for row, body, expected in (
        ("urandom", 'int d = open("/dev/urandom", 0); read(d, b, 1);', "unseen"),
        ("random", 'int d = open("/dev/random", 0); pread(d, b, 1, 0);', "unseen"),
        ("stream", 'FILE *f = fopen("/dev/urandom", "r"); fread(b, 1, 8, f);', "unseen"),
        ("proc", 'int d = open("/proc/uptime", 0); read(d, b, 8);', "unseen"),
        ("getrandom", "getrandom(b, 8, 0);", "unseen"),
        ("getentropy", "getentropy(b, 8);", "unseen"),
        ("getrusage", "struct rusage u; getrusage(RUSAGE_SELF, &u);", "unseen"),
        ("zero", 'int d = open("/dev/zero", 0); read(d, b, 1); close(d);', "right"),
        ("null", 'FILE *f = fopen("/dev/null", "r"); fread(b, 1, 8, f); fclose(f);', "right"),
        ("file", 'int d = open("/etc/passwd", 0); read(d, b, 8); close(d);', "right"),
        ("time", "b[0] = time(NULL) % 10 + clock() % 10;", "right"),
        ("rand", "srand(1); b[0] = rand();", "right")):
    PROGRAMS.append(Program(f"varying_{row}", VARYING.format(work=body, first=""),
                            expected=expected))
    PROGRAMS.append(Program(f"varying_{row}_alone", VARYING.format(work="", first=body),
                            expected=expected))

# --- memory that functions of the C++ library use beside their object ---------------------------
LIBRARY = """
#include <iostream>
#include <locale>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
std::mutex m;
{globals}
int main() {{
    std::thread t([] {{ {lock} {other} }});
    {{ {lock} {main} }}
    t.join();
}}
"""


def cxx_memory(name, globals, other, main, bare="fails", locked="right"):
    for kind, lock, expected in (("bare", "", bare),
                                 ("locked", "std::lock_guard<std::mutex> g(m);", locked)):
        PROGRAMS.append(Program(f"library_{name}_{kind}",
                                LIBRARY.format(globals=globals, other=other, main=main, lock=lock),
                                cxx=True, expected=expected))


STREAM = 'std::istringstream v("12 ab");'
cxx_memory("in_int", STREAM + "int x;", "x = 5;", "v >> x;")
cxx_memory("in_double", STREAM + "double x;", "x = 5;", "v >> x;")
cxx_memory("in_char", STREAM + "char x;", "x = 5;", "v >> x;")
cxx_memory("in_string", STREAM + "std::string x;", 'x = "a";', "v >> x;")
cxx_memory("getline", STREAM + "std::string x;", 'x = "a";', "std::getline(v, x);")
cxx_memory("read", STREAM + "char x[4];", "x[2] = 5;", "v.read(x, 4);")
cxx_memory("in_own", STREAM + "int x;", "x = 5;", "int y; v >> y; std::string z; v >> z;",
           bare="right")
cxx_memory("out_text", "std::ostringstream v; char x[] = \"ab\";", "x[1] = 67;", "v << x;")
cxx_memory("write", "std::ostringstream v; char x[] = \"ab\";", "x[1] = 67;", "v.write(x, 2);")
cxx_memory("two_out", "std::ostringstream v;", "v << 1;", "v << 2;")
cxx_memory("out_and_text", "std::ostringstream v;", "v << 1;", "std::string k = v.str();")
cxx_memory("own_streams", "std::ostringstream v, w;", "v << 1;", "w << 2;", bare="right")
cxx_memory("standard", "", "std::cout << 1;", "std::cout << 2;", bare="right")
cxx_memory("locale", "std::locale v;", "v = std::locale::classic();", "std::locale w = v;")
cxx_memory("locale_read", "std::locale v;", "std::locale u = v;", "std::locale w = v;",
           bare="right")


# --- objects and texts that functions of the C++ library use for their caller -------------------
TWO = """
#include <cassert>
#include <charconv>
#include <chrono>
#include <ctime>
#include <exception>
#include <functional>
#include <future>
#include <iomanip>
#include <list>
#include <locale>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
{globals}
int main() {{
    {first}
    std::thread one([&] {{ {one} }});
    std::thread two([&] {{ {two} }});
    one.join();
    two.join();
    {last}
}}
"""


def cxx_two(name, globals, first, one, two, last, expected="fails", levels=(0, 1)):
    """Two threads; of the two orders the one that is not tried first is wrong."""
    text = TWO.format(globals=globals, first=first, one=one, two=two, last=last)
    for level in levels:
        PROGRAMS.append(Program(f"library_{name}_O{level}", text, cxx=True, expected=expected,
                                flags=["-std=c++17", f"-O{level}"]))


LAST = """static thread_local int me;
static int gone;
struct Noted { Noted() {} Noted(const Noted &) {} ~Noted() { gone = me; } };
"""
cxx_two("hash", "", 'std::string s = "abc"; auto before = std::hash<std::string>{}(s); bool same = false;',
        "s[1] = 'x';", "same = std::hash<std::string>{}(s) == before;", "assert(!same);")
cxx_two("error_assign", "", 'std::runtime_error e("abc"); char seen = 0;',
        'e = std::runtime_error("x");', "seen = e.what()[0];", "assert(seen == 'x');")
cxx_two("error_copy", "", 'std::logic_error e("abc"); char seen = 0;',
        'e = std::logic_error("x");', "std::logic_error k(e); seen = k.what()[0];", "assert(seen == 'x');")
cxx_two("dynamic_cast", "struct B { virtual ~B() {} }; struct C : B { ~C() {} };\n"
        "alignas(C) static char place[sizeof(C)];", "B *p = new (place) C; bool is = false;",
        "p->~B();", "is = dynamic_cast<C *>(p) != nullptr;", "assert(!is);", levels=(0,))
cxx_two("to_chars", "", 'char v[9] = "abc"; char seen = 0;', "std::to_chars(v, v + 9, 1.5);",
        "seen = v[1];", "assert(seen == '.');")
cxx_two("from_chars", "", 'char v[4] = "1.5"; double k = 0;', "v[0] = '2';",
        "std::from_chars(v, v + 3, k);", "assert(k == 2.5);")
cxx_two("from_chars_result", "", "float k = 0, seen = 0;",
        'const char *t = "1.5"; std::from_chars(t, t + 3, k);', "seen = k;", "assert(seen == 1.5f);")
cxx_two("exception_ptr", LAST, "auto e = std::make_exception_ptr(Noted()), f = e;",
        "me = 1; e = nullptr;", "me = 2; f = nullptr;", "assert(gone == 2);")
cxx_two("exception_caught", LAST, "std::exception_ptr e; std::promise<void> p;",
        "me = 1; try { throw Noted(); } catch (Noted &) { e = std::current_exception(); p.set_value(); }",
        "me = 2; p.get_future().wait(); e = nullptr;", "assert(gone == 2);")
cxx_two("exception_own", "", "int k[2] = {};",
        "try { throw std::runtime_error(\"a\"); } catch (std::exception &e) { k[0] = e.what()[0]; }",
        "try { throw std::logic_error(\"b\"); } catch (std::exception &e) { k[1] = e.what()[0]; }",
        "assert(k[0] + k[1] == 'a' + 'b');", expected="right")
cxx_two("locale_facet", LAST + "struct F : std::locale::facet { static std::locale::id id; Noted n; };"
        "std::locale::id F::id;",
        "auto *l = new std::locale(std::locale::classic(), new F), *k = new std::locale(*l);",
        "me = 1; delete l;", "me = 2; delete k;", "assert(gone == 2);")
cxx_two("value_at_exit", "", "std::promise<int> p; auto f = p.get_future(); bool ready = false;",
        "p.set_value_at_thread_exit(3);",
        "ready = f.wait_for(std::chrono::seconds(0)) == std::future_status::ready;", "assert(ready);",
        expected="unseen")
cxx_two("map_next", "", "std::map<int, int> m{{1, 1}}; int n = 0;", "m.insert({2, 2});",
        "for (auto i = m.begin(); i != m.end(); ++i) n++;", "assert(n == 2);")
cxx_two("map_find", "", "std::map<int, int> m{{1, 1}}; bool there = false;", "m.insert({2, 2});",
        "there = m.count(2);", "assert(there);")
cxx_two("map_erase", "", "std::map<int, int> m{{1, 1}, {2, 2}, {3, 3}}; bool there = false;",
        "m.erase(3);", "there = m.count(3);", "assert(!there);")
cxx_two("list_next", "", "std::list<int> m{1}; int n = 0;", "m.push_back(2);",
        "for (auto &x : m) n += x > 0;", "assert(n == 2);")
cxx_two("own_maps", "", "int n[2] = {};",
        "std::map<int, int> m; for (int i = 0; i < 9; i++) m[i] = i; for (int i = 0; i < 5; i++) "
        "m.erase(2 * i); for (auto &x : m) n[0] += x.first;",
        "std::list<int> m{3, 1, 2}; m.sort(); m.reverse(); for (int x : m) n[1] = x;",
        "assert(n[0] == 16 && n[1] == 1);", expected="right")
PROGRAMS.append(Program("library_get_time", TWO.format(
    globals="", first="std::tm t{};", one='std::istringstream in("2001"); in >> std::get_time(&t, "%Y");',
    two="", last="return t.tm_year != 101;"), cxx=True, expected="no failure", flags=["-O0"]))

# --- memory that functions use for their caller -------------------------------------------------
for row, text, expected in memory.rows():
    PROGRAMS.append(Program(row, text, expected=expected, last=["-lm"]))

# --- what calls share ---------------------------------------------------------------------------
for row, text, expected in kernel.rows():
    PROGRAMS.append(Program(row, text, expected=expected))

# --- XDR, where libtirpc is there -----------------------------------------------------------------
XDR = """
#include <rpc/types.h>
#include <rpc/xdr.h>
#include <pthread.h>
static int shared;
static void convert(enum xdr_op op) {
    char buffer[64] = "";
    XDR stream;
    xdrmem_create(&stream, buffer, sizeof buffer, op);
    xdr_int(&stream, &shared);
}
static void *other(void *unused) { convert(XDR_ENCODE); return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    convert(XDR_OP);
    pthread_join(thread, NULL);
    return 0;
}
"""
if pathlib.Path("/usr/include/tirpc/rpc/xdr.h").exists():
    for operation, expected in ("ENCODE", "right"), ("DECODE", "fails"):
        PROGRAMS.append(Program(f"xdr_{operation.lower()}", XDR, expected=expected, last=["-ltirpc"],
                                flags=["-I/usr/include/tirpc", f"-DXDR_OP=XDR_{operation}"]))

# --- second names ---------------------------------------------------------------------------------
SECOND = """
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
void *aligned(size_t, size_t) __asm__("__libc_memalign");
int ended(int) __asm__("__close");
static int file;
static char *block;
static void *other(void *unused) {
    %s
    return unused;
}
int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_RDONLY);
    block = aligned(64, 64);
    assert((unsigned long)block %% 64 == 0);
    pthread_create(&thread, NULL, other, NULL);
    %s
    pthread_join(thread, NULL);
    return 0;
}
"""
PROGRAMS.append(Program("second_close", SECOND % ("char byte; read(file, &byte, 1);", "ended(file);")))
PROGRAMS.append(Program("second_memalign", SECOND % ("block[3] = 1;", "free(block);")))
PROGRAMS.append(Program("second_right", SECOND % ("block[3] = 1;", "ended(file);"),
                        expected="right"))
