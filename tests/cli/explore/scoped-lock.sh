# std::scoped_lock and std::lock in different orders: complete, and deadlocks with others are found.
cat >orders.cc <<'END'
#include <cassert>
#include <mutex>
#include <thread>
static std::mutex a, b, c;
static int x, y;
int main() {
    if (a.try_lock()) /* there is no other thread yet */
        a.unlock();
    std::thread one([] {
        std::scoped_lock all(a, b, c);
        x++;
        y++;
    });
    std::thread two([] {
        std::unique_lock<std::mutex> first(b, std::defer_lock), second(a, std::defer_lock);
        std::lock(first, second);
        x--;
        y++;
    });
#ifdef TRIES
    if (a.try_lock())
        a.unlock();
#endif
    one.join();
    two.join();
    assert(x == 0 && y == 2);
}
END
heddle c++ -std=c++17 -Wall -Wextra -Werror -g -O1 -o orders orders.cc && ./orders
heddle explore ./orders | grep -E '^\./|search  |executions|blocked|loops'
# A thread that tries one of them by itself sees rounds: they are gone through.
heddle c++ -std=c++17 -g -O1 -DTRIES -o tries orders.cc
heddle explore --time=0.5 ./tries | grep -c 'std::lock gives back'
# Both threads want a mutex besides a free one, and its holder waits for them.
cat >held.cc <<'END'
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex a, b, guard;
static std::condition_variable changed;
static bool ready;
static void both() {
    std::scoped_lock all(a, b);
    std::lock_guard<std::mutex> hold(guard);
    ready = true;
    changed.notify_all();
}
int main() {
    std::thread holder([] {
        std::lock_guard<std::mutex> held(b);
        std::unique_lock<std::mutex> hold(guard);
        while (!ready)
            changed.wait(hold);
    });
    std::thread one(both), two(both);
    holder.join();
    one.join();
    two.join();
}
END
heddle c++ -std=c++17 -g -O1 -o held held.cc
heddle explore -o held.std ./held >held.txt; echo "status $?"
grep 'cannot go on' held.txt
heddle replay --quiet ./held held.std | head -1
# A mutex twice never ends.
cat >twice.cc <<'END'
#include <mutex>
#include <thread>
static std::mutex a;
int main() {
    std::thread one([] { std::scoped_lock all(a, a); });
    one.join();
}
END
heddle c++ -std=c++17 -g -O1 -o twice twice.cc
heddle explore --time=0.5 ./twice >/dev/null 2>&1; echo "status $?"
