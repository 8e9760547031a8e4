# heddle sees fences: gcc's warning that thread sanitizers do not is left out, so -Werror builds.
cat >fence.cc <<'END'
#include <atomic>
int main() {
    std::atomic_thread_fence(std::memory_order_acquire);
    return 0;
}
END
heddle c++ -Wall -Wextra -Werror -O1 -o fence fence.cc && ./fence; echo "status $?"
heddle c++ --compiler=clang++ -Wall -Wextra -Werror -O1 -o fence fence.cc && ./fence; echo "status $?"
