// A thread closes a number that is, by then, that of another thread's file.  Clean: each thread
// opens, uses and closes files of its own, which may have the same number one after the other.
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

static int open_one() {
    int file = open("/dev/null", O_RDONLY);
    struct stat status;
    fstat(file, &status);
    lseek(file, 0, SEEK_CUR);
    return file;
}

int main() {
    int kept = open_one();
    close(kept);
    std::thread other([] {
        int own = open_one();
        fcntl(own, F_GETFL);
        close(own);
    });
#ifdef CLEAN
    kept = open_one();
#endif
    close(kept);
    other.join();
}
