"""State of the kernel and of the process that threads share through calls.

Of each row a program is made: one thread makes a call, main looks at what it may have changed.
"""
HEADERS = "".join(f"#include <{name}.h>\n" for name in (
    "assert fcntl locale pthread sched signal stdio stdlib string sys/ioctl sys/mman sys/stat"
    " sys/uio time unistd").split())

FRAME = """#define _GNU_SOURCE
{headers}
static pthread_t self;
static int d, e, p[2];
static FILE *o;
static pthread_key_t key;
static volatile char *x;
static void handler(int number) {{ }}
static void *other(void *unused) {{ {call} return NULL; }}
int main(void) {{
    pthread_t t;
    self = pthread_self();
    {first}
    pthread_create(&t, NULL, other, NULL);
    {look}
    pthread_join(t, NULL);
    return 0;
}}
"""

OPEN = 'd = open("/etc/passwd", 0);'
MEMFD = 'd = memfd_create("x", 0);'
MAP = "x = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *x = 5;"
ZONE = 'setenv("TZ", "UTC0", 1); tzset();'
END = "assert(lseek(d, 0, SEEK_END) == 0);"

ROWS = [
    # name, the call of the thread, what main looks at, what comes first
    ("offset", "char c; read(d, &c, 1);", "assert(lseek(d, 0, SEEK_CUR) == 0);", OPEN),
    ("lowest_number", "close(d);", 'assert(open("/etc/group", 0) != d);', OPEN),
    ("closed", "close(d);", "char c; assert(read(d, &c, 1) == 1);", OPEN),
    ("file_size", 'write(d, "abc", 3);', "struct stat s; fstat(d, &s); assert(!s.st_size);", MEMFD),
    ("file_writev", 'struct iovec v = {"a", 1}; writev(d, &v, 1);', END, MEMFD),
    ("file_dprintf", 'dprintf(d, "x");', END, MEMFD),
    ("file_truncated", "ftruncate(d, 7);", END, MEMFD),
    ("file_twice", 'write(d, "x", 1);', "assert(lseek(e, 0, SEEK_END) == 0);",
     'd = open("z", O_CREAT | O_TRUNC | O_RDWR, 0600); e = open("z", O_RDWR);'),
    ("file_flushed", 'fputs("abc", o); fflush(o);',
     'char c; d = open("z", 0); assert(read(d, &c, 1) == 0);', 'o = fopen("z", "w");'),
    ("bytes_in_pipe", 'write(p[1], "a", 1);', "int n = 0; ioctl(p[0], FIONREAD, &n); assert(!n);",
     "pipe(p);"),
    ("disposition", "signal(SIGUSR1, handler);",
     "struct sigaction s; sigaction(SIGUSR1, 0, &s); assert(s.sa_handler == SIG_DFL);", ""),
    ("pending", "pthread_kill(self, SIGUSR1);",
     "sigpending(&s); assert(!sigismember(&s, SIGUSR1));",
     "sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); pthread_sigmask(SIG_BLOCK, &s, 0);"),
    ("key_deleted", "pthread_key_delete(key);", "assert(pthread_setspecific(key, &key) == 0);",
     "pthread_key_create(&key, 0);"),
    ("thread_name", 'pthread_setname_np(self, "zork");',
     'char b[20]; pthread_getname_np(self, b, 20); assert(strcmp(b, "zork"));', ""),
    ("unmapped", "munmap((void *)x, 4096);", "(void)*x;", MAP),
    ("protected", "mprotect((void *)x, 4096, PROT_READ);", "*x = 1;", MAP),
    ("advised", "madvise((void *)x, 4096, MADV_DONTNEED);", "assert(*x == 5);", MAP),
    ("mapped_over", "mmap((void *)x, 4096, 3, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);",
     "assert(*x == 5);", MAP),
    ("mapped_file", 'pwrite(d, "b", 1, 0);', "assert(*x == 97);",
     MEMFD + 'write(d, "a", 1); x = mmap(0, 4096, 3, MAP_SHARED, d, 0);'),
    ("locale_bytes", 'setlocale(LC_ALL, "C.UTF-8");', "assert(MB_CUR_MAX == 1);", ""),
    ("zone_localtime", 'setenv("TZ", "XXX5", 1);',
     "time_t z = 0; assert(localtime(&z)->tm_hour == 0);", ZONE),
    ("zone_mktime", 'setenv("TZ", "XXX5", 1);',
     "struct tm z = {0}; z.tm_year = 70; z.tm_mday = 1; assert(mktime(&z) == 0);", ZONE),
    ("scheduling", "struct sched_param s = {0}; pthread_setschedparam(self, SCHED_BATCH, &s);",
     "struct sched_param s; int q; pthread_getschedparam(self, &q, &s); assert(q != SCHED_BATCH);",
     ""),
    ("concurrency", "pthread_setconcurrency(3);", "assert(pthread_getconcurrency() == 0);", ""),
    ("private_files", 'for (int i = 0; i < 3; i++) write(d, "x", 1);',
     'write(e, "x", 1); write(e, "y", 1); assert(lseek(e, 0, SEEK_CUR) == 2);',
     MEMFD + 'e = memfd_create("y", 0);'),
]

EXPECTED = {"mapped_file": "unseen", "private_files": "right"}


def rows():
    for name, call, look, first in ROWS:
        text = FRAME.format(headers=HEADERS, call=call, look=look, first=first)
        yield "kernel_" + name, text, EXPECTED.get(name, "fails")
