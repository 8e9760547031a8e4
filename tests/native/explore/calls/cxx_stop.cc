// std::jthread and stop_token: a request to stop comes before, while or after it is waited for.
//@ flags -std=c++20
//@ slow
// Brute force takes too long; odpor and epor lose their way in its waiting loops, and say so
// (doc/native-limits.md).
//@ only sdpor dpor
//@ shaky clang unseen-access:stacks
//@ outcomes 0:0,s 0:1,s
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex lock;
std::condition_variable_any ready;
char end = '?';
bool early;

int main() {
    {
        std::jthread thread([](std::stop_token stop) {
            early = stop.stop_requested();
            std::unique_lock hold(lock);
            end = ready.wait(hold, stop, [] { return false; }) ? 'v' : 's';
        });
    }
    std::printf("%d,%c", early, end);
}
