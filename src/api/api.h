/*
 * api: the library behind include/heddle/heddle.h, for programs that want
 * traces and verdicts without the command line.  It adds no behaviour: each
 * call is a few lines over the rooms, with errors as text that the caller owns.
 */
#ifndef HD_API_H
#define HD_API_H

#include "heddle/heddle.h"

#endif
