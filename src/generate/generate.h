/*
 * generate: seeded families of traces, for tests, measurements and the tables of the papers.
 */
#ifndef HD_GENERATE_H
#define HD_GENERATE_H

#include "generate_families.h"

#endif
