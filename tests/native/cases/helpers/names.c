/* Names that are looked up by a thread of the C library.  truth: fails or shaky. */
#include <assert.h>
#include <netdb.h>
#include <stddef.h>

int main(void) {
    struct gaicb request = {.ar_name = "127.0.0.1"}, *list[] = {&request};
    assert(getaddrinfo_a(GAI_NOWAIT, list, 1, NULL) == 0);
    assert(gai_error(&request) == EAI_INPROGRESS);
}
