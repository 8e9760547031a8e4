// C++20: a barrier with a completion, which runs once for both.
//@ flags -std=c++20
// Brute force takes too long.
//@ only dpor sdpor odpor epor
//@ shaky clang unseen-access:stacks
//@ outcomes 0:1
#include <barrier>
#include <cstdio>
#include <thread>

int completed;

int main() {
    auto complete = []() noexcept { completed++; };
    std::barrier<decltype(complete)> barrier(2, complete);
    std::jthread thread([&] { (void)barrier.arrive(); });
    barrier.arrive_and_wait();
    std::printf("%d", completed);
}
