/*
 * std::counting_semaphore of libstdc++ 12 can lose a wake-up.
 *
 * Two threads acquire, two units are released: both must go on.  An acquire that fails for a while
 * sleeps in the kernel until the counter is no longer the value that it has read at its beginning.
 * If the counter had that value again when it fell asleep, it sleeps for ever, with a unit there to
 * take.
 */
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> units(0);

int main() {
    std::thread first([] { units.acquire(); });
    std::thread second([] { units.acquire(); });
    units.release();
    units.release();
    first.join();
    second.join();
    return 0;
}
