/* pthread_setname_np reads the text.  truth: fails and races. */
#include "given.h"

static char text[8] = "abc";

static void *other(void *unused) {
    char name[16];
    pthread_setname_np(pthread_self(), text);
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(name[0] == 'a');
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    text[0] = 'x';
    end(thread);
}
