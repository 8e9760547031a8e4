// Files that a run makes, changes, renames and removes, through the C library and directly, and
// folders: the next run finds nothing of that.
//@ lasting
//@ file old before
//@ file gone here
//@ outcomes 0:1,1,1,1,1,1,ab 0:1,1,1,1,1,1,ba
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
    pthread_mutex_lock(&mutex);
    FILE *file = fopen("order", "a");
    fputs(argument, file);
    fclose(file);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static int changes_old(void) {
    char text[16] = "";
    int file = open("old", O_RDWR);
    ssize_t length = read(file, text, sizeof text - 1);
    int good = length == 6 && strcmp(text, "before") == 0;
    good &= write(file, "and after", 9) == 9;
    close(file);
    return good;
}

static int makes_new(void) {
    int file = open("new", O_WRONLY | O_CREAT | O_EXCL, 0600);
    int good = file >= 0 && write(file, "x", 1) == 1;
    close(file);
    return good;
}

static int removes(void) {
    return unlink("gone") == 0 && access("gone", F_OK) != 0;
}

static int renames(void) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, "first", O_WRONLY | O_CREAT | O_EXCL, 0600);
    int good = file >= 0 && rename("first", "second") == 0 && rename("second", "old") == 0;
    close(file);
    return good;
}

static int makes_folder(void) {
    return mkdir("folder", 0700) == 0 && access("folder", F_OK) == 0;
}

static int shares(void) {
    int file = shm_open("/heddle-test-restored", O_RDWR | O_CREAT | O_EXCL, 0600);
    int good = file >= 0 && ftruncate(file, 4096) == 0;
    char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    good = good && memory != MAP_FAILED && memory[0]++ == 0;
    return good;
}

int main(void) {
    pthread_t a, b;
    char order[8] = "";
    pthread_create(&a, NULL, add, "a");
    pthread_create(&b, NULL, add, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    FILE *file = fopen("order", "r");
    if (!file || !fgets(order, sizeof order, file))
        return 1;
    int results[6] = {changes_old(), makes_new(), removes(), renames(), makes_folder(), shares()};
    for (int i = 0; i < 6; i++)
        printf("%d,", results[i]);
    puts(order);
    return 0;
}
