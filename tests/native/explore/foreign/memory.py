"""Memory of the program that functions of the C library, or what the runtime has in their place,
read and write for their caller.

Of each row two programs are made.  One thread calls the function with memory that another one
writes: a race.  With a mutex around both there is none.
"""
HEADERS = "".join(f"#include <{name}.h>\n" for name in (
    "arpa/inet netinet/ether sys/xattr aio assert dirent errno fcntl fenv ftw glob grp iconv inttypes locale math netdb poll"
    " pthread pwd regex sched search semaphore signal stdarg stdio stdlib string strings sys/epoll"
    " sys/resource sys/select sys/stat sys/statvfs sys/sysinfo sys/time sys/times sys/uio"
    " sys/utsname time uchar unistd utime wchar wordexp").split())

FRAME = """#define _GNU_SOURCE
{headers}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
volatile long g;
{globals}
static void *other(void *unused) {{ {lock} {write} {unlock} return NULL; }}
int main(void) {{
    pthread_t t;
    {first}
    pthread_create(&t, NULL, other, NULL);
    {lock} {{ {call} }} {unlock}
    pthread_join(t, NULL);
    return 0;
}}
"""

COMPARE = "static int c(const void *a, const void *b) { return *(int *)a - *(int *)b; } "
FILE = 'FILE *f = fopen("/etc/passwd", "r"); '
BYTES = "char v[80] = \"12\";"
WIDE = "wchar_t v[80] = L\"12\";"
# What is read differs from run to run, which makes the answer shaky.
VARYING = dict(locked="unseen")

# (name, globals, what the other thread does, the call)
ROWS = [
    # results
    ("strtol_end", "char s[] = \"12\"; char *v;", "v = 0;", "strtol(s, &v, 10);"),
    ("strtoull_end", "char s[] = \"12\"; char *v;", "v = 0;", "strtoull(s, &v, 10);"),
    ("strtod_end", "char s[] = \"12\"; char *v;", "v = 0;", "strtod(s, &v);"),
    ("strtold_end", "char s[] = \"12\"; char *v;", "v = 0;", "strtold(s, &v);"),
    ("wcstol_end", "wchar_t s[] = L\"12\"; wchar_t *v;", "v = 0;", "wcstol(s, &v, 10);"),
    ("frexp", "int v;", "v = 0;", "frexp(3.0 + g, &v);"),
    ("frexpl", "int v;", "v = 0;", "frexpl(3.0L + g, &v);"),
    ("modf", "double v;", "v = 0;", "modf(3.5 + g, &v);"),
    ("modff", "float v;", "v = 0;", "modff(3.5f + g, &v);"),
    ("remquo", "int v;", "v = 0;", "remquo(3.0 + g, 2.0, &v);"),
    ("sincos", "double v, w;", "w = 0;", "sincos(1.0 + g, &v, &w);"),
    ("lgamma_r", "int v;", "v = 0;", "lgamma_r(1.5 + g, &v);"),
    ("rand_r", "unsigned v;", "v = 0;", "rand_r(&v);"),
    ("erand48", "unsigned short v[3];", "v[0] = 0;", "erand48(v);"),
    ("nrand48", "unsigned short v[3];", "v[2] = 0;", "nrand48(v);"),
    ("random_r", "struct random_data d; char s[64]; int v;", "v = 0;", "random_r(&d, &v);",
     dict(first="initstate_r(7, s, 64, &d);", locked="unseen")),
    ("ecvt_r", "int v, w; char b[80];", "w = 0;", "ecvt_r(1.5, 3, &v, &w, b, 80);"),
    # scanf and printf
    ("sscanf", "int v;", "v = 0;", "sscanf(\"12\", \"%d\", &v);"),
    ("sscanf_last", "int a[9], v;", "v = 0;",
     "sscanf(\"1 2 3 4 5 6 7 8 9 x\", \"%d %d %d %d %d %d %d %d %d %1c\", a, a + 1, a + 2, a + 3,"
     " a + 4, a + 5, a + 6, a + 7, a + 8, &v);"),
    ("sscanf_short", "short v[2];", "v[0] = 0;", "sscanf(\"12\", \"%hd\", v);"),
    ("sscanf_neighbour", "short v[2];", "v[1] = 0;", "sscanf(\"12\", \"%hd\", v);",
     dict(bare="right")),
    ("sscanf_quiet", "double v;", "v = 0;", "sscanf(\"12 3 1.5\", \"%*d %*[0-9] %lf\", &v);"),
    ("sscanf_width", "char v[8];", "v[2] = 0;", "sscanf(\"abcdef\", \"%3[a-z]\", v);"),
    ("sscanf_text", "char v[8];", "v[0] = 0;", "sscanf(\"abc\", \"%s\", v);",
     dict(locked="unseen")),
    ("sscanf_count", "int v;", "v = 0;", "int k; sscanf(\"12\", \"%d%n\", &k, &v);"),
    ("sscanf_made", "char *v;", "v = 0;", "sscanf(\"abc\", \"%ms\", &v);"),
    ("vsscanf", "int v; static void q(const char *f, ...) { va_list l; va_start(l, f);"
     " vsscanf(\"1 2\", f, l); va_end(l); }", "v = 0;", "int k; q(\"%d %d\", &k, &v);"),
    ("fscanf", "int v;", "v = 0;", "FILE *f = fmemopen(\"12\", 2, \"r\");"
     "fscanf(f, \"%d\", &v);"),
    ("scanf", "int v;", "v = 0;", "scanf(\"%d\", &v);"),
    ("printf_count", "int v;", "v = 0;", "printf(\"%ld%n\", g, &v);"),
    ("snprintf_count", "int v;", "v = 0;", "char b[8]; snprintf(b, 8, \"%ld%n\", g, &v);"),
    ("asprintf", "char *v;", "v = 0;", "asprintf(&v, \"%ld\", g);"),
    ("swprintf", WIDE, "v[1] = 1;", "swprintf(v, 8, L\"ab\");"),
    # texts
    ("strtok", "char v[] = \"1 2\";", "v[1] = 1;", "strtok(v, \" \");"),
    ("strtok_r", "char s[] = \"1 2\"; char *v;", "v = 0;", "strtok_r(s, \" \", &v);"),
    ("strtok_r_text", "char v[] = \"1 2\"; char *s;", "v[1] = 0;", "strtok_r(v, \" \", &s);"),
    ("strtok_r_rest", "char v[] = \"1 2\"; char *s;", "v[2] = 0;", "strtok_r(v, \" \", &s);",
     dict(bare="right")),
    ("strsep", "char s[] = \"1 2\"; char *v = s;", "v = 0;", "strsep(&v, \" \");"),
    ("strsep_text", "char v[] = \"1 2\"; char *s = v;", "v[1] = 1;", "strsep(&s, \" \");"),
    ("strxfrm", BYTES, "v[0] = 0;", "strxfrm(v, \"abc\", 8);"),
    ("swab", BYTES + " char w[80];", "w[2] = 49;", "swab(v, w, 8 + g);"),
    ("memccpy", BYTES, "v[0] = 1;", "memccpy(v, \"12\", 0, 3);"),
    ("perror", BYTES, "v[1] = 66;", "perror(v);"),
    ("mbtowc", "wchar_t v;", "v = 0;", "mbtowc(&v, \"a\", 1);"),
    ("wctomb", BYTES, "v[0] = 0;", "wctomb(v, 65);"),
    ("mbstowcs", WIDE, "v[1] = 0;", "mbstowcs(v, \"abc\", 4);"),
    ("wcstombs_in", WIDE, "v[1] = 0;", "char b[8]; wcstombs(b, v, 8);"),
    ("mbrtowc_state", "mbstate_t v;", "memset(&v, 0, sizeof v);",
     "wchar_t k; mbrtowc(&k, \"a\", 1, &v);"),
    ("wcscoll", WIDE, "v[1] = 0;", "g = wcscoll(v, L\"12\");"),
    ("wcsncpy", WIDE, "v[1] = 0;", "wcsncpy(v, L\"abc\", 3);"),
    ("iconv", "char v[8];", "v[0] = 0;", "iconv_t i = iconv_open(\"UTF-8\", \"UTF-8\");"
     "char in[] = \"a\", *p = in, *q = v; size_t n = 1, k = 8; iconv(i, &p, &n, &q, &k);"),
    ("regcomp", "regex_t v;", "v.re_nsub = 1;", "regcomp(&v, \"a\", 0);"),
    ("regexec", "regex_t r; regmatch_t v[2];", "v[1].rm_so = 1;", "regexec(&r, \"a\", 2, v, 0);",
     dict(first="regcomp(&r, \"a\", 0);")),
    ("regerror", BYTES, "v[0] = 0;", "regerror(REG_NOMATCH, NULL, v, 80);"),
    ("wordexp", "wordexp_t v;", "v.we_wordc = 0;", "wordexp(\"a\", &v, 0);"),
    ("putenv", "char v[] = \"AB=1\";", "v[3] = 49;", "putenv(v);", dict(locked="unseen")),
    ("setenv", BYTES, "v[0] = 49;", "setenv(\"PLANTED\", v, 1);"),
    ("confstr", BYTES, "v[0] = 7;", "confstr(_CS_PATH, v, 80);"),
    ("strerror_r", BYTES, "v[0] = 0;", "strerror_r(99999 + g, v, 80);"),
    # variables of the library
    ("getopt_place", "", "optind = 1;", "char *w[] = {\"a\", \"-b\", 0}; getopt(2, w, \"b\");"),
    ("getopt_text", "", "optarg = 0;", "char *w[] = {\"a\", \"-bq\", 0}; getopt(2, w, \"b:\");"),
    ("getopt_quiet", "", "opterr = 0;", "char *w[] = {\"a\", \"-b\", 0}; getopt(2, w, \"b\");"),
    ("getopt_both", "", "g = optind + (optarg != 0);",
     "char *w[] = {\"a\", \"-bq\", 0}; getopt(2, w, \"b:\");"),
    ("setenv_list", "", "g = environ != 0;", "setenv(\"PLANTED\", \"1\", 1);"),
    ("setenv_first", "", "g = environ[0] != 0;", "setenv(\"PLANTED\", \"1\", 1);"),
    # POSIX lets setenv be unsafe in threads, though glibc has a lock in it
    ("setenv_setenv", "", "setenv(\"PLANTED\", \"2\", 1);", "setenv(\"PLANTED\", \"1\", 1);"),
    ("getenv_list", "char *none[] = {0};", "environ = none;", "getenv(\"PLANTED\");"),
    ("tzset_name", "", "g = tzname[0] != 0;", "tzset();"),
    ("tzset_offset", "", "g = timezone;", "time_t z = 0; localtime(&z);"),
    ("mktime_daylight", "", "g = daylight;", "struct tm w = {0}; mktime(&w);"),
    ("localtime_r_twice", "", "time_t y = 1; struct tm x; localtime_r(&y, &x);",
     "time_t z = 0; struct tm w; localtime_r(&z, &w);", dict(bare="right")),
    ("lgamma_sign", "", "g = signgam;", "g = lgamma(-0.5 - g) > 0;"),
    ("lgamma_twice", "volatile double d[2] = {-0.5, -1.5}, r[2];", "r[0] = lgamma(d[0]);",
     "r[1] = lgamma(d[1]);", dict(bare="right")),
    ("printf_stream", "", "stdout = stderr;", "printf(\"%ld\", g);"),
    ("getchar_stream", "", "stdin = stdout;", "getchar();"),
    # times
    ("localtime_r", "struct tm v; time_t z;", "v.tm_sec = 0;", "localtime_r(&z, &v);"),
    ("gmtime_r", "struct tm v; time_t z;", "v.tm_sec = 0;", "gmtime_r(&z, &v);"),
    ("gmtime_r_in", "struct tm w; time_t v;", "v = 0;", "gmtime_r(&v, &w);"),
    ("localtime_in", "time_t v;", "v = 0;", "localtime(&v);"),
    ("mktime", "struct tm v;", "v.tm_mday = 0;", "mktime(&v);"),
    ("asctime_r", "struct tm w; char v[80];", "v[0] = 0;", "asctime_r(&w, v);"),
    ("strftime", "struct tm w; char v[80];", "v[0] = 0;", "strftime(v, 80, \"%Y\", &w);"),
    ("strftime_in", "struct tm v; char w[80];", "v.tm_year = 0;", "strftime(w, 80, \"%Y\", &v);"),
    ("strptime", "struct tm v;", "v.tm_year = 0;", "strptime(\"1999\", \"%Y\", &v);"),
    ("clock_getres", "struct timespec v;", "v.tv_nsec = 2;", "clock_getres(CLOCK_REALTIME, &v);"),
    ("nanosleep", "struct timespec v = {0, 1};", "v.tv_nsec = 2;", "nanosleep(&v, 0);"),
    ("clock_nanosleep", "struct timespec v = {0, 1};", "v.tv_nsec = 2;",
     "clock_nanosleep(CLOCK_MONOTONIC, 0, &v, 0);"),
    ("timedlock", "struct timespec v = {0, 1}; pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;",
     "v.tv_nsec = 2;", "pthread_mutex_timedlock(&k, &v);"),
    ("sem_timedwait", "struct timespec v = {0, 1}; sem_t s;", "v.tv_nsec = 2;",
     "sem_timedwait(&s, &v);", dict(first="sem_init(&s, 0, 1);")),
    ("select_time", "struct timeval v = {0, 1};", "v.tv_usec = 2;", "select(0, 0, 0, 0, &v);"),
    # files
    ("fgets", BYTES, "v[0] = 0;", FILE + "fgets(v, 80, f);"),
    ("fread", BYTES, "v[0] = 0;", FILE + "fread(v, 1, 8, f);"),
    ("getline", "char *v; size_t n;", "v = 0;", FILE + "getline(&v, &n, f);"),
    ("getline_size", "char *w; size_t v;", "v = 0;", FILE + "getline(&w, &v, f);"),
    ("getline_text", "char *w; size_t n = 256;", "w[0] = 0;", FILE + "getline(&w, &n, f);",
     dict(first="w = malloc(n);")),
    ("fgetpos", "fpos_t v;", "memset(&v, 0, 8);", FILE + "fgetpos(f, &v);"),
    ("open_memstream", "char *v; size_t n;", "v = 0;",
     "FILE *f = open_memstream(&v, &n); fputs(\"x\", f); fclose(f);"),
    ("fmemopen", BYTES, "v[0] = 7;", "FILE *f = fmemopen(v, 80, \"w\"); fputs(\"x\", f); fclose(f);"),
    ("setvbuf", BYTES, "v[0] = 7;", FILE + "setvbuf(f, v, _IOFBF, 80); fgetc(f);"),
    ("stat", "struct stat v;", "v.st_size = 0;", "stat(\"/\", &v);"),
    ("stat_path", "char v[] = \"/\";", "v[0] = 0;", "struct stat k; stat(v, &k);"),
    ("fstat", "struct stat v;", "v.st_size = 0;", "fstat(0, &v);"),
    ("statvfs", "struct statvfs v;", "v.f_files = 0;", "statvfs(\"/\", &v);"),
    ("readlink", BYTES, "v[0] = 7;", "readlink(\"/proc/self/exe\", v, 80);"),
    ("getcwd", "char v[800];", "v[0] = 0;", "getcwd(v, 800);"),
    ("realpath", "char v[4096];", "v[0] = 0;", "realpath(\"/\", v);", dict(locked="unseen")),
    ("pread", BYTES, "v[0] = 0;", "pread(open(\"/etc/passwd\", 0), v, 8, 0);"),
    ("preadv", BYTES, "v[0] = 0;", "struct iovec i = {v, 8};"
     "preadv(open(\"/etc/passwd\", 0), &i, 1, 0);"),
    ("pwritev", BYTES, "v[0] = 0;", "struct iovec i = {v, 8};"
     "pwritev(open(\"/dev/null\", 1), &i, 1, 0);"),
    ("write", BYTES, "v[0] = 0;", "write(open(\"/dev/null\", 1), v, 8);"),
    ("writev", BYTES, "v[0] = 0;", "struct iovec i = {v, 8}; writev(open(\"/dev/null\", 1), &i, 1);"),
    ("pipe", "int v[2];", "v[0] = 0;", "pipe(v);"),
    ("glob", "glob_t v;", "v.gl_pathc = 0;", "glob(\"/etc/passwd\", 0, NULL, &v);"),
    ("scandir", "struct dirent **v;", "v = 0;", "scandir(\"/usr\", &v, NULL, NULL);"),
    ("fcntl_lock", "struct flock v = {F_WRLCK};", "v.l_type = F_WRLCK;",
     "fcntl(open(\"/dev/null\", 1), F_GETLK, &v);"),
    # processes
    ("gethostname", "char v[800];", "v[0] = 0;", "gethostname(v, 800);"),
    ("uname", "struct utsname v;", "v.machine[0] = 0;", "uname(&v);"),
    ("sysinfo", "struct sysinfo v;", "v.procs = 0;", "sysinfo(&v);", VARYING),
    ("getrlimit", "struct rlimit v;", "v.rlim_cur = 0;", "getrlimit(RLIMIT_NOFILE, &v);"),
    ("getrusage", "struct rusage v;", "memset(&v, 0, 8);", "getrusage(0, &v);", VARYING),
    ("times", "struct tms v;", "v.tms_utime = 0;", "times(&v);", VARYING),
    ("getaffinity", "cpu_set_t v;", "memset(&v, 0, 8);", "sched_getaffinity(0, sizeof v, &v);"),
    ("getpwuid_r", "struct passwd v; char b[2000]; struct passwd *p;", "v.pw_uid = 0;",
     "getpwuid_r(0, &v, b, 2000, &p);", dict(locked="unseen")),
    ("getgroups", "gid_t v[64];", "v[0] = 0;", "getgroups(64, v);"),
    ("inet_pton", "int v;", "v = 49;", "inet_pton(AF_INET, \"1.2.3.4\", &v);"),
    ("inet_ntop", BYTES, "v[2] = 49;", "int a = 0; inet_ntop(AF_INET, &a, v, 80);"),
    ("inet_ntop_in", "int v;", "v = 49;", "char b[80]; inet_ntop(AF_INET, &v, b, 80);"),
    # signals and threads
    ("sigemptyset", "sigset_t v;", "memset(&v, 0, sizeof v);", "sigemptyset(&v);"),
    ("sigaddset", "sigset_t v;", "memset(&v, 0, sizeof v);", "sigaddset(&v, 3);"),
    ("sigmask", "sigset_t v, s;", "memset(&v, 0, sizeof v);", "pthread_sigmask(SIG_BLOCK, &s, &v);"),
    ("sigmask_in", "sigset_t v;", "memset(&v, 0, sizeof v);", "pthread_sigmask(SIG_BLOCK, &v, 0);"),
    ("sigaction", "struct sigaction v;", "v.sa_flags = 0;", "sigaction(SIGUSR1, 0, &v);"),
    ("sigaction_fault", "struct sigaction v;", "v.sa_flags = 0;", "sigaction(SIGSEGV, 0, &v);"),
    ("sigaction_in", "struct sigaction v;", "v.sa_flags = 0;", "sigaction(SIGUSR1, &v, 0);"),
    ("attr_getstacksize", "size_t v; pthread_attr_t a;", "v = 0;",
     "pthread_attr_getstacksize(&a, &v);", dict(first="pthread_attr_init(&a);")),
    ("attr_init", "pthread_attr_t v;", "memset(&v, 0, 8);", "pthread_attr_init(&v);"),
    ("mutexattr", "pthread_mutexattr_t v;", "memset(&v, 0, 4);", "pthread_mutexattr_init(&v);"),
    ("key_create", "pthread_key_t v;", "v = 0;", "pthread_key_create(&v, 0);"),
    ("setcancelstate", "int v;", "v = 0;", "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &v);"),
    ("posix_memalign", "void *v;", "v = 0;", "posix_memalign(&v, 16, 8);"),
    # tables and order
    ("hcreate_r", "struct hsearch_data v;", "v.filled = 1;", "hcreate_r(8, &v);"),
    ("tsearch", "void *v; int k; " + COMPARE, "v = 0;", "tsearch(&k, &v, c);"),
    ("tfind", "void *v; int k; " + COMPARE, "v = 0;", "tfind(&k, &v, c);"),
    ("lfind", "int v[] = {1, 2, 3}; " + COMPARE, "v[1] = 1;",
     "int k = 2; size_t n = 3; lfind(&k, v, &n, 4, c);"),
    ("lfind_count", "int a[] = {1, 2, 3}; size_t v = 3; " + COMPARE, "v = 3;",
     "int k = 2; lfind(&k, a, &v, 4, c);"),
    ("lsearch", "int v[8] = {1, 2, 3}; " + COMPARE, "v[1] = 1;",
     "int k = 2; size_t n = 3; lsearch(&k, v, &n, 4, c);", dict(locked="unseen")),
    ("bsearch", "int v[] = {1, 2, 3}; " + COMPARE, "v[1] = 1;",
     "int k = 2; bsearch(&k, v, 3, 4, c);"),
    ("qsort_r", "int v[] = {3, 2, 1}; static int c(const void *a, const void *b, void *u) {"
     " return *(int *)a - *(int *)b; }", "v[1] = 1;", "qsort_r(v, 3, 4, c, NULL);"),
    # others
    ("getxattr", BYTES, "v[0] = 49;", "getxattr(\"/\", \"user.x\", v, 80);"),
    ("strxfrm_l", BYTES, "v[0] = 49;", "strxfrm_l(v, \"ab\", 8, newlocale(1, \"C\", 0));"),
    ("sigorset", "sigset_t v, s;", "memset(&v, 0, sizeof v);", "sigset_t t; sigorset(&t, &v, &s);"),
    ("fgetpwent_r", "struct passwd v;", "v.pw_uid = 0;", "char b[2000]; struct passwd *p; " + FILE +
     "fgetpwent_r(f, &v, b, 2000, &p);"),
    ("getcpuclockid", "clockid_t v;", "v = 0;", "clock_getcpuclockid(0, &v);"),
    ("ether_aton_r", "struct ether_addr v;", "memset(&v, 0, 6);", "ether_aton_r(\"1:2:3:4:5:6\", &v);"),
    ("preadv2", "char a[4]; struct iovec v = {a, 4};", "v.iov_len = 3;", "preadv2(0, &v, 1, 0, 0);"),
    ("process_vm_readv", "char a[4], v[4];", "v[1] = 3;",
     "struct iovec to = {v, 4}, from = {a, 4}; process_vm_readv(getpid(), &to, 1, &from, 1, 0);"),
    ("readv_list", "char a[4]; struct iovec v = {a, 4};", "v.iov_len = 3;", "readv(0, &v, 1);"),
    ("create_attr", "pthread_attr_t v; static void *n(void *u) { return u; }", "memset(&v, 0, 1);",
     "pthread_t p; pthread_create(&p, &v, n, 0); pthread_join(p, 0);",
     dict(first="pthread_attr_init(&v);")),
    ("setname", BYTES, "v[1] = 49;", "pthread_setname_np(pthread_self(), v);"),
    ("getname", BYTES, "v[0] = 49;", "pthread_getname_np(pthread_self(), v, 80);"),
    ("fegetenv", "fenv_t v;", "memset(&v, 0, 4);", "fegetenv(&v);"),
]

# No events in a recording: variables of the library, memory that a stream keeps, counts that printf
# stores.
EXPLORED_ONLY = """
    printf_count snprintf_count getopt_place getopt_text getopt_quiet getopt_both setenv_list
    setenv_first setenv_setenv getenv_list tzset_name tzset_offset mktime_daylight
    localtime_r_twice lgamma_twice printf_stream open_memstream fmemopen setvbuf""".split()

# No events in a free run, where the real call is made.
CONTROLLED_ONLY = """
    nanosleep clock_nanosleep timedlock sem_timedwait select_time sigmask sigmask_in sigaction
    sigaction_fault sigaction_in key_create setcancelstate""".split()

# Callbacks of functions that are no race themselves.
CALLBACKS = [
    ("twalk_callback", "void *tree; int k, v; " + COMPARE +
     "static void w(const void *n, VISIT o, int d) { v++; }", "v = 0;",
     "tsearch(&k, &tree, c); twalk(tree, w);"),
    ("nftw_callback", "int v; static int w(const char *p, const struct stat *s, int t,"
     " struct FTW *f) { v++; return 1; }", "v = 0;", "nftw(\"/etc/passwd\", w, 4, 0);"),
    ("scandir_callback", "int v; static int w(const struct dirent *d) { v = 1; return 0; }",
     "v = 0;", "struct dirent **all; scandir(\"/usr\", &all, w, NULL);"),
]


def rows():
    """(name, text, what is expected) of each program."""
    for name, variables, write, call, *more in ROWS + CALLBACKS:
        special = more[0] if more else {}
        for kind, lock, unlock in (("bare", "", ""),
                                   ("locked", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);")):
            yield ("memory_" + name + "_" + kind,
                   FRAME.format(headers=HEADERS, globals=variables, write=write, call=call,
                                lock=lock, unlock=unlock, first=special.get("first", "")),
                   special.get(kind, "fails" if kind == "bare" else "right"))
