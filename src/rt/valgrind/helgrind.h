/* Valgrind's header, and then its client requests as heddle sees them. */
#include_next <valgrind/helgrind.h>

#include "heddle-requests.h"
