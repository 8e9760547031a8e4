// A shared library that has threads of its own.
#ifndef COUNTER_H
#define COUNTER_H

int counter_count(int threads); // how many of its threads were counted

#endif
