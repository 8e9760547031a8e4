// A stream writes into the buffer that it was given, and another thread looks at that: the
// assertion fails if the stream comes first.
#include <cassert>
#include <fstream>
#include <mutex>
#include <thread>

static char buffer[64];
static std::mutex mutex;
static std::ofstream out;

static void print() {
    std::lock_guard<std::mutex> guard(mutex);
    out << 'x';
}

static void look() {
    std::lock_guard<std::mutex> guard(mutex);
    assert(buffer[0] == 0);
}

int main() {
    out.rdbuf()->pubsetbuf(buffer, sizeof buffer);
    out.open("/dev/null");
#ifdef SWAP
    std::thread other(look);
    print();
#else
    std::thread other(print);
    look();
#endif
    other.join();
}
