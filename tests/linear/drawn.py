"""Random small data structures, as C for heddle/linear.h and as steps for the twin.

A structure has two shared variables v0 and v1 and a semaphore s, all 0 at first, and operations.
An operation is a list of steps, each of them atomic; it has two registers, the first of which is
its argument at first.  Its sequential model is the same list, done at once.

    ("load", r, v)           r = v
    ("store", v, x)          v = x; x is a number, or ("r", r, n) for register r plus n
    ("add", r, v, n)         r = v; v += n
    ("swap", r, v, x)        r = v; v = x
    ("cas", r, v, x, y)      r = 1 and v = y if v is x, else r = 0
    ("leave", r, n, x)       returns x if r is n; no step
    ("post",)                s += 1
    ("take",)                waits until s > 0; s -= 1
    ("await", v, n)          waits until v is not n
    ("return", x)
"""
import random

REGISTERS = 2


def value(draw, plain=False):
    if plain or draw.random() < 0.5:
        return draw.randrange(3)
    return ("r", draw.randrange(REGISTERS), draw.randrange(2))


def step(draw, waits):
    kinds = ["load", "load", "store", "store", "add", "swap", "cas", "leave"]
    kind = draw.choice(kinds + (["post", "take", "await"] if waits else []))
    register, variable = draw.randrange(REGISTERS), draw.randrange(2)
    return {
        "load": ("load", register, variable),
        "store": ("store", variable, value(draw)),
        "add": ("add", register, variable, draw.randrange(1, 3)),
        "swap": ("swap", register, variable, value(draw)),
        "cas": ("cas", register, variable, value(draw), value(draw)),
        "leave": ("leave", register, draw.randrange(2), value(draw, True)),
        "post": ("post",),
        "take": ("take",),
        "await": ("await", variable, draw.randrange(2)),
    }[kind]


def operation(draw, waits):
    steps = [step(draw, waits) for _ in range(draw.choice((1, 2, 2, 3)))]
    return steps + [("return", value(draw))]


# Some that everybody knows, so that right and wrong ones are among the drawn.
KNOWN = {
    "torn": [[("load", 0, 0), ("store", 0, ("r", 0, 1)), ("return", ("r", 0, 0))],
             [("load", 0, 0), ("return", ("r", 0, 0))]],
    "whole": [[("add", 0, 0, 1), ("return", ("r", 0, 0))],
              [("load", 0, 0), ("return", ("r", 0, 0))]],
    # Two readers that access nothing in common: one sees the new value, and the other, which
    # begins after the first has returned, the old.  In one thread each, only the order of the
    # return and the beginning in time tells that this is wrong.
    "inverted": [[("store", 0, 1), ("store", 1, 1), ("return", 0)],
                 [("load", 0, 0), ("return", ("r", 0, 0))],
                 [("load", 0, 1), ("return", ("r", 0, 0))]],
    "upright": [[("store", 0, 1), ("return", 0)],
                [("load", 0, 0), ("return", ("r", 0, 0))],
                [("load", 0, 0), ("return", ("r", 0, 0))]],
    "pair": [[("store", 0, ("r", 0, 0)), ("store", 1, ("r", 0, 0)), ("return", 0)],
             [("load", 0, 1), ("load", 1, 0), ("return", ("r", 1, 0))]],
    "stale": [[("store", 0, 1), ("store", 1, 1), ("return", 0)],
              [("load", 0, 0), ("leave", 0, 0, 0), ("load", 1, 1), ("return", ("r", 1, 0))]],
    "semaphore": [[("post",), ("return", 0)], [("take",), ("return", 0)]],
    "latch": [[("store", 0, 1), ("return", 0)], [("await", 0, 0), ("return", 1)]],
    # Waits twice, and what it has taken is gone meanwhile.
    "two": [[("post",), ("return", 0)], [("take",), ("take",), ("return", 0)]],
    "spoilt": [[("store", 1, 1), ("load", 0, 0), ("return", ("r", 0, 0))],
               [("await", 1, 0), ("store", 1, 0), ("return", 1)]],
}


def structure(number, seed):
    """A name and its operations, (name, has an argument, steps)."""
    draw = random.Random(seed * 1000003 + number)
    names = list(KNOWN)
    if number < len(names):
        bodies = KNOWN[names[number]]
        arguments = [names[number] == "pair", False, False]
        name = names[number]
    else:
        waits = draw.random() < 0.4
        bodies = [operation(draw, waits) for _ in range(draw.choice((2, 2, 3)))]
        arguments = [draw.random() < 0.5, False, False]
        name = f"drawn{number}"
    return name, [(f"op{i}", arguments[i], bodies[i]) for i in range(len(bodies))]


# --- as C ----------------------------------------------------------------------------------------


def text(x):
    return str(x) if isinstance(x, int) else f"(r{x[1]} + {x[2]})"


def c_step(it, model):
    v = (lambda n: f"model->v{n}") if model else (lambda n: f"v{n}")
    load = (lambda n: v(n)) if model else (lambda n: f"atomic_load(&v{n})")
    kind = it[0]
    if kind == "load":
        return f"r{it[1]} = {load(it[2])};"
    if kind == "store":
        return f"{v(it[1])} = {text(it[2])};" if model else f"atomic_store(&v{it[1]}, {text(it[2])});"
    if kind == "add":
        return (f"r{it[1]} = {v(it[2])}; {v(it[2])} += {it[3]};" if model
                else f"r{it[1]} = atomic_fetch_add(&v{it[2]}, {it[3]});")
    if kind == "swap":
        return (f"{{ long long old = {v(it[2])}; {v(it[2])} = {text(it[3])}; r{it[1]} = old; }}" if model
                else f"r{it[1]} = atomic_exchange(&v{it[2]}, {text(it[3])});")
    if kind == "cas":
        if model:
            return (f"{{ int same = {v(it[2])} == {text(it[3])}; if (same) {v(it[2])} = {text(it[4])}; "
                    f"r{it[1]} = same; }}")
        return (f"{{ long long old = {text(it[3])}; "
                f"r{it[1]} = atomic_compare_exchange_strong(&v{it[2]}, &old, {text(it[4])}); }}")
    if kind == "leave":
        return f"if (r{it[1]} == {it[2]}) return {text(it[3])};"
    if kind == "post":
        return "model->s++;" if model else "sem_post(&s);"
    if kind == "take":
        return "if (!model->s) return HEDDLE_WAITS; model->s--;" if model else "sem_wait(&s);"
    if kind == "await":
        return (f"if ({v(it[1])} == {it[2]}) return HEDDLE_WAITS;" if model
                else f"while ({load(it[1])} == {it[2]}) sched_yield();")
    return f"return {text(it[1])};"


def c_body(steps, model):
    return ("{\n    long long r0 = a, r1 = 0;\n    (void)r0, (void)r1;\n" +
            "".join(f"    {c_step(it, model)}\n" for it in steps) + "}\n")


def program(structures, options):
    lines = ["#include <heddle/linear.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n",
             "static _Atomic long long v0, v1;\nstatic sem_t s;\n",
             "typedef struct state { long long v0, v1, s; } state;\n"]
    for name, operations in structures:
        lines.append(f'HEDDLE_LINEAR({name}, state, "{options}") {{ sem_init(&s, 0, 0); }}\n')
        for operation_name, argument, steps in operations:
            domain = ', "1,2"' if argument else ""
            lines.append(f"HEDDLE_OPERATION({name}, {operation_name}{domain}) {c_body(steps, False)}")
            lines.append(f"HEDDLE_MODEL({name}, {operation_name}) {c_body(steps, True)}")
    return "\n".join(lines)
