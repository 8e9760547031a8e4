"""Small random programs whose threads keep what they find for main.

Threads load, store and update a few atomic variables, or plain ones at -O0, some under a mutex.  What
they found they store in plain memory that no thread looks at before main has joined all of them: in
variables, on the heap, or on the stack of main.  Main then asserts that some of the possible results
do not come, each in a line of its own.  The possible results are found by going through all states of
the program, one operation at a time.
"""
import random

KEPT = 2
MOST_STATES = 200000
LAYOUTS = {"variables": "static struct { _Alignas(8) int k[2]; } kept[%d];",
           "bytes": "static struct { signed char k[2]; } kept[%d];",
           "heap": "static struct keep { long k[2]; } *kept;",
           "stack": "struct keep { long k[2]; };"}
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"""


class Program:
    def __init__(self, seed):
        self.draws = draws = random.Random(seed)
        threads = draws.choice([2, 3, 3, 4])
        self.layout = draws.choice(sorted(LAYOUTS))
        self.level = draws.choice(["-O0", "-O1", "-O2"])
        self.atomic = self.level != "-O0" or draws.random() < .6
        self.variables = draws.choice([1, 2, 3])
        self.threads = [self.block(draws.randrange(3, 6 if threads == 4 else 9), 0)
                        for _ in range(threads)]

    def block(self, length, depth):
        return [self.operation(depth) for _ in range(length)]

    def operation(self, depth):
        draws = self.draws
        x, r, draw = draws.randrange(self.variables), draws.randrange(2), draws.random()
        if draw < .25:
            return "load", r, x
        if draw < .35:
            return "store", x, draws.randrange(1, 4)
        if draw < .45:
            return "copy", x, r, draws.randrange(2)
        if draw < .6 and self.atomic:
            return ("add", r, x, draws.randrange(1, 3)) if draw < .53 else \
                ("swap", r, x, draws.randrange(2), draws.randrange(1, 4))
        if draw < .85 or depth:
            return ("keep" if draw < .8 else "count"), draws.randrange(KEPT), r
        inside = self.block(draws.randrange(1, 3), 1)
        return ("if", r, draws.randrange(3), inside) if draw < .92 else ("lock", inside)

    # --- what it can do ---------------------------------------------------------------------------

    def results(self):
        """All that threads may have kept at the end; None: there are too many states."""
        code = [flatten(thread) for thread in self.threads]
        first = tuple((0, (0, 0), (0,) * KEPT) for _ in code), (0,) * self.variables, None
        reached, left, ends = {first}, [first], set()
        while left:
            threads, shared, owner = left.pop()
            if len(reached) > MOST_STATES:
                return None
            if all(at == len(code[i]) for i, (at, _, _) in enumerate(threads)):
                ends.add(tuple(kept for _, _, kept in threads))
            for i, (at, _, _) in enumerate(threads):
                if at == len(code[i]) or (code[i][at][0] == "acquire" and owner is not None):
                    continue
                thread, *others = step(code[i][at], threads[i], shared, owner)
                state = put(threads, i, thread), *others
                if state not in reached:
                    reached.add(state)
                    left.append(state)
        return sorted(ends)

    # --- as C -------------------------------------------------------------------------------------

    def statement(self, operation):
        kind, *words = operation
        atomic = self.atomic
        if kind == "load":
            return ("r%d = atomic_load(&x%d);" if atomic else "r%d = x%d;") % tuple(words)
        if kind == "store":
            return ("atomic_store(&x%d, %d);" if atomic else "x%d = %d;") % tuple(words)
        if kind == "copy":
            return ("atomic_store(&x%d, r%d + %d);" if atomic else "x%d = r%d + %d;") % tuple(words)
        if kind == "add":
            return "r%d = atomic_fetch_add(&x%d, %d);" % tuple(words)
        if kind == "swap":
            r, x, old, new = words
            return f"{{ int e = {old}; r{r} = atomic_compare_exchange_strong(&x{x}, &e, {new}); }}"
        if kind in ("keep", "count"):
            return f"mine->k[{words[0]}] {'=' if kind == 'keep' else '+='} r{words[1]};"
        inside = " ".join(self.statement(each) for each in words[-1])
        return f"if (r{words[0]} == {words[1]}) {{ {inside} }}" if kind == "if" else \
            f"pthread_mutex_lock(&m); {inside} pthread_mutex_unlock(&m);"

    def text(self, failing):
        """As C, and the line of the assertion for each of these results."""
        count = len(self.threads)
        lines = HEAD.splitlines() + [LAYOUTS[self.layout].replace("%d", str(count))]
        lines += [f"static {'atomic_int' if self.atomic else 'int'} x{i};" for i in range(self.variables)]
        for i, thread in enumerate(self.threads):
            lines += [f"static void *t{i}(void *given) {{", "    __typeof__(&kept[0]) mine = given;"
                      if self.layout != "stack" else "    struct keep *mine = given;",
                      "    int r0 = 0, r1 = 0;"]
            lines += ["    " + self.statement(each) for each in thread]
            lines += ["    return (void)mine, (void)r0, (void)r1, NULL;", "}"]
        lines += ["int main(void) {", f"    pthread_t t[{count}];"]
        lines += {"heap": [f"    kept = calloc({count}, sizeof *kept);"],
                  "stack": [f"    struct keep kept[{count}] = {{0}};"]}.get(self.layout, [])
        lines += [f"    pthread_create(&t[{i}], NULL, t{i}, &kept[{i}]);" for i in range(count)]
        lines += [f"    pthread_join(t[{i}], NULL);" for i in range(count)]
        where = {}
        for result in failing:
            same = " && ".join(f"kept[{i}].k[{k}] == {value}" for i, kept in enumerate(result)
                               for k, value in enumerate(kept))
            lines.append(f"    assert(!({same}));")
            where[len(lines)] = result
        return "\n".join(lines + ["    return 0;", "}", ""]), where


def flatten(block):
    """Operations one after the other: a branch jumps over what is inside."""
    code = []
    for operation in block:
        inside = flatten(operation[-1]) if operation[0] in ("if", "lock") else []
        if operation[0] == "if":
            code += [("unless", operation[1], operation[2], len(inside)), *inside]
        elif operation[0] == "lock":
            code += [("acquire",), *inside, ("release",)]
        else:
            code.append(operation)
    return code


def put(values, i, value):
    return values[:i] + (value,) + values[i + 1:]


def step(operation, thread, shared, owner):
    kind, *words = operation
    at, registers, kept = thread
    at += 1
    if kind in ("acquire", "release"):
        owner = True if kind == "acquire" else None
    elif kind == "unless":
        at += words[2] if registers[words[0]] != words[1] else 0
    elif kind in ("keep", "count"):
        before = kept[words[0]] if kind == "count" else 0
        kept = put(kept, words[0], before + registers[words[1]])
    elif kind == "store":
        shared = put(shared, *words)
    elif kind == "copy":
        shared = put(shared, words[0], registers[words[1]] + words[2])
    else:
        found = shared[words[1]]
        if kind == "add":
            shared = put(shared, words[1], found + words[2])
        elif kind == "swap":
            shared = put(shared, words[1], words[3]) if found == words[2] else shared
            found = int(found == words[2])
        registers = put(registers, words[0], found)
    return (at, registers, kept), shared, owner


def draw(seed):
    """A program, and the results that are asserted not to come; some of them, or all."""
    attempt = 0
    while True:
        program = Program(f"{seed} {attempt}")
        results = program.results()
        if results and 6 <= len(results) <= 60:
            some = program.draws.random() < .5
            return program, program.draws.sample(results, len(results) // 2 if some else len(results))
        attempt += 1
