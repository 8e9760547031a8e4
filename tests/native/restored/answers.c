// The kernel stores its answers in memory that was not written before, by every way there is to
// ask it.
//@ outcomes 0:12 0:21
//@ stays
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };
#define ALONE(type, name)                                                                          \
    static struct {                                                                                \
        char before[2 * PAGE];                                                                     \
        type it;                                                                                   \
        char after[2 * PAGE];                                                                      \
    } name

ALONE(struct utsname, names);
ALONE(struct utsname, more_names);
ALONE(struct utsname, other_names);
ALONE(struct stat, status);
ALONE(struct stat, named);
#ifdef SYS_stat
ALONE(struct stat, older);
ALONE(struct stat, linked);
#endif
ALONE(struct statx, extended);
ALONE(struct rusage, usage);
ALONE(struct sysinfo, info);
ALONE(struct tms, spent);
ALONE(struct rlimit, limit);
ALONE(struct timespec, time_now);
ALONE(struct timespec, resolution);
ALONE(cpu_set_t, processors);
ALONE(unsigned, processor);
ALONE(struct pollfd, polled);
static char folder[4 * PAGE];
static char target[4 * PAGE];
ALONE(int, waiting);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static long directly(long number, long a) {
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a) : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8) : "memory");
    return x0;
#endif
}

static int ask(void) {
    int bad = 0;
    bad |= uname(&names.it) || names.it.sysname[0] != 'L';
    bad |= syscall(SYS_uname, &more_names.it) || more_names.it.sysname[0] != 'L';
    bad |= directly(SYS_uname, (long)&other_names.it) || other_names.it.sysname[0] != 'L';
    bad |= fstat(1, &status.it) != 0;
    bad |= stat("/", &named.it) || !S_ISDIR(named.it.st_mode);
    bad |= statx(AT_FDCWD, "/", 0, STATX_MODE, &extended.it) || !S_ISDIR(extended.it.stx_mode);
    bad |= getrusage(RUSAGE_SELF, &usage.it) != 0;
    bad |= sysinfo(&info.it) || !info.it.totalram;
    bad |= times(&spent.it) == (clock_t)-1;
    bad |= getrlimit(RLIMIT_NOFILE, &limit.it) || !limit.it.rlim_max;
    bad |= syscall(SYS_clock_gettime, CLOCK_REALTIME, &time_now.it) || !time_now.it.tv_sec;
    bad |= clock_getres(CLOCK_REALTIME, &resolution.it) != 0;
    bad |= sched_getaffinity(0, sizeof processors.it, &processors.it) != 0;
    bad |= syscall(SYS_getcpu, &processor.it, NULL, NULL) != 0;
    bad |= getcwd(folder + PAGE + 9, PAGE) == NULL;
    bad |= readlink("/proc/self/exe", target + PAGE, PAGE) <= 0;
#ifdef SYS_stat
    bad |= syscall(SYS_stat, "/", &older.it) || !S_ISDIR(older.it.st_mode);
    bad |= syscall(SYS_lstat, "/", &linked.it) || !S_ISDIR(linked.it.st_mode);
#endif
    bad |= ioctl(0, FIONREAD, &waiting.it) == 0;
    polled.it = (struct pollfd){.fd = 1, .events = POLLOUT};
    bad |= poll(&polled.it, 1, 0) != 1 || !(polled.it.revents & POLLOUT);
    return bad;
}

static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    int bad = ask();
    printf("%d", bad ? 0 : (int)(long)argument);
    count++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1);
    pthread_create(&b, NULL, work, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return count != 2;
}
