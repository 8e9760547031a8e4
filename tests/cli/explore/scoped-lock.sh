# std::scoped_lock and std::lock in different orders: complete, and deadlocks with others are found.
# In make test-long only.
cat >locks.cc <<'END'
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
static std::mutex a, b, c, guard;
static std::condition_variable changed;
static int x, y;
static bool ready;
static int orders(bool tries) {
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
    if (tries && a.try_lock())
        a.unlock();
    one.join();
    two.join();
    assert(x == 0 && y == 2);
    return 0;
}
static void both() {
    std::scoped_lock all(a, b);
    std::lock_guard<std::mutex> hold(guard);
    ready = true;
    changed.notify_all();
}
static int held() {
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
    return 0;
}
static int twice() {
    std::thread one([] { std::scoped_lock all(a, a); });
    one.join();
    return 0;
}
int main(int, char **words) {
    return !strcmp(words[1], "held")    ? held()
           : !strcmp(words[1], "twice") ? twice()
                                        : orders(!strcmp(words[1], "tries"));
}
END
heddle c++ -std=c++17 -Wall -Wextra -Werror -g -O1 -o locks locks.cc && ./locks orders
heddle explore ./locks orders | grep -E '^\./|search  |executions|blocked|loops'
# A thread that tries one of them by itself sees rounds: they are gone through.
heddle explore --time=0.5 ./locks tries | grep -c 'std::lock gives back'
# Both threads want a mutex besides a free one, and its holder waits for them.
heddle explore -o held.std ./locks held >held.txt; echo "status $?"
grep 'cannot go on' held.txt
heddle replay --quiet ./locks held.std held | head -1
# A mutex twice never ends.
heddle explore --time=0.5 ./locks twice >/dev/null 2>&1; echo "status $?"
