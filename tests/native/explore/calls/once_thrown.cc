// std::call_once: the one that throws leaves it to the next.
//@ outcomes 0:1,1
#include <cstdio>
#include <mutex>
#include <thread>

std::once_flag flag;
int tries, done;

static void call() {
    try {
        std::call_once(flag, [] {
            if (tries++ == 0)
                throw 1;
            done++;
        });
    } catch (int) {
        call();
    }
}

int main() {
    std::thread thread(call);
    call();
    thread.join();
    std::printf("%d,%d", done, tries - 1);
}
