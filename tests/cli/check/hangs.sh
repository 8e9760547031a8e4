# A program in C++ that reads its input, of which there is none; and one that never ends: runs that
# take too long are not repeated for ever, and the rest of the time is for the other questions.
cat >reads.cc <<EOF
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
static std::mutex lock;
static int total;
int main() {
    std::string line;
    std::getline(std::cin, line);
    auto add = [&] {
        std::lock_guard<std::mutex> guard(lock);
        total += 1 + (int)line.size();
    };
    std::thread one(add), two(add);
    one.join();
    two.join();
    return total == 2 ? 0 : 1;
}
EOF
echo hello | heddle check --time=120 reads.cc | sed 's/ ([0-9.]* s)//' | sed '/^   rests on/,/^$/d'
cat >hang.c <<EOF
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    for (;;)
        pause();
}
EOF
heddle cc -O1 -o hang hang.c
heddle check --time=24 ./hang | sed 's/ ([0-9.]* s)//' | sed '/^   rests on/,/^$/d'
