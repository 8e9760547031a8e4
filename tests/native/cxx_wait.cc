/* C++20: atomic wait and notify, semaphores, latches, barriers, jthread. */
//@ rare
//@ free
//@ output 8 ok
//@ cflags -std=c++20
//@ only gcc
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <thread>

static std::atomic<int> go, count;
static std::counting_semaphore<4> tickets(0);
static std::latch all(2);
static std::barrier meeting(2);

static void work() {
    go.wait(0);
    count++;
    tickets.release();
    all.count_down();
    meeting.arrive_and_wait();
    count++;
}

int main() {
    {
        std::jthread a(work), b(work);
        go = 1;
        go.notify_all();
        tickets.acquire();
        tickets.acquire();
        all.wait();
        std::jthread waiter([](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            count += 4;
        });
    }
    std::printf("%d ok\n", count.load());
}
