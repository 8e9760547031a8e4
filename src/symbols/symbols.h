/*
 * symbols: names out of a program's debugging information.  Source lines and functions of code
 * addresses; variables, members and elements of data addresses, on stacks and in thread-local
 * memory too.
 */
#ifndef HD_SYMBOLS_H
#define HD_SYMBOLS_H

#include "symbols_allocations.h"
#include "symbols_certain.h"
#include "symbols_dead.h"
#include "symbols_fault.h"
#include "symbols_functions.h"
#include "symbols_hidden.h"
#include "symbols_locals.h"
#include "symbols_modules.h"
#include "symbols_types.h"

#endif
