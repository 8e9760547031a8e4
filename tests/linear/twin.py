"""Which clients of a structure of drawn.py have a history that is not linearizable?

By the definitions: all interleavings of the steps of all threads, where the beginning and the
return of a call are steps too; of each, all orders of its calls.  What heddle does is not used
here: neither its clients, nor its searches.
"""
import itertools

WAITS = "waits"


def number(x, registers):
    return x if isinstance(x, int) else registers[x[1]] + x[2]


def take_step(it, shared, registers):
    """The shared state, the registers and the result (None: it goes on) after a step; None: it
    waits."""
    shared, registers = list(shared), list(registers)
    kind, result = it[0], None
    if kind == "load":
        registers[it[1]] = shared[it[2]]
    elif kind == "store":
        shared[it[1]] = number(it[2], registers)
    elif kind == "add":
        registers[it[1]] = shared[it[2]]
        shared[it[2]] += it[3]
    elif kind == "swap":
        new = number(it[3], registers)
        registers[it[1]] = shared[it[2]]
        shared[it[2]] = new
    elif kind == "cas":
        same, new = shared[it[2]] == number(it[3], registers), number(it[4], registers)
        if same:
            shared[it[2]] = new
        registers[it[1]] = int(same)
    elif kind == "leave":
        if registers[it[1]] == it[2]:
            result = number(it[3], registers)
    elif kind == "post":
        shared[2] += 1
    elif kind == "take":
        if not shared[2]:
            return None
        shared[2] -= 1
    elif kind == "await":
        if shared[it[1]] == it[2]:
            return None
    elif kind == "return":
        result = number(it[1], registers)
    return tuple(shared), tuple(registers), result


START = (0, 0, 0)


def at_once(steps, argument, shared):
    """The model: (state, result), or WAITS."""
    registers = (argument, 0)
    for it in steps:
        after = take_step(it, shared, registers)
        if after is None:
            return WAITS
        shared, registers, result = after
        if result is not None:
            return shared, result
    raise AssertionError("an operation without an end")


# --- histories -----------------------------------------------------------------------------------


def is_linearizable(calls, apply, start, stuck):
    """calls: (what, when it began, when it returned or None, result).  apply(what, state): (state,
    result) or WAITS."""
    done = [c for c in calls if c[2] is not None]
    open_calls = [c for c in calls if c[2] is None]
    for chosen in ([()] if stuck else
                   itertools.chain.from_iterable(itertools.combinations(open_calls, n)
                                                 for n in range(len(open_calls) + 1))):
        for order in itertools.permutations(done + list(chosen)):
            if any(late[2] is not None and late[2] < early[1]
                   for early, late in itertools.combinations(order, 2)):
                continue
            state = start
            for what, _, returned, result in order:
                after = apply(what, state)
                if after == WAITS or (returned is not None and after[1] != result):
                    break
                state = after[0]
            else:
                if not stuck or all(apply(c[0], state) == WAITS for c in open_calls):
                    return True
    return False


# --- clients -------------------------------------------------------------------------------------


def returns(calls, apply):
    """By the model, do all of them, one after the other?"""
    state = START
    for what in calls:
        after = apply(what, state)
        if after == WAITS:
            return False
        state = after[0]
    return True


def clients(kinds, apply, threads, operations, before):
    """All of them, as (calls before, sorted calls of each thread); equal up to the order of
    threads.  Calls before do not wait."""
    sequences = [s for n in range(1, operations + 1) for s in itertools.product(kinds, repeat=n)]
    found = set()
    for first in (s for n in range(before + 1) for s in itertools.product(kinds, repeat=n)):
        for count in range(1, threads + 1 if returns(first, apply) else 0):
            for chosen in itertools.product(sequences, repeat=count):
                found.add((first, tuple(sorted(chosen))))
    return found


def size(client):
    return len(client[0]) + sum(len(t) for t in client[1])


def moves(place, call, bodies, shared):
    """What a thread can do next: (its next place, the shared state, the event or None), or None.
    A place is None between calls, ("in", steps done, registers), or ("out", result)."""
    name, argument = call
    if place is None:
        return ("in", 0, (argument, 0)), shared, "call"
    if place[0] == "out":
        return None, shared, ("return", place[1])
    after = take_step(bodies[name][place[1]], shared, place[2])
    if after is None:
        return None
    shared, registers, result = after
    return (("in", place[1] + 1, registers) if result is None else ("out", result)), shared, None


def model_of(operations):
    bodies = {name: steps for name, _, steps in operations}
    return lambda what, state: at_once(bodies[what[0]], what[1], state)


def histories(client, operations):
    """All of the client: events (thread, number of its call, what) in their order, and whether
    calls are left that wait."""
    programs = [list(client[0])] + [list(t) for t in client[1]]
    bodies = {name: steps for name, _, steps in operations}
    start = (tuple((0, None) for _ in programs), START, ())
    seen, ends, todo = {start}, set(), [start]
    while todo:
        threads, shared, events = todo.pop()
        moved = False
        for t, (number_of, place) in enumerate(threads):
            if number_of == len(programs[t]):
                continue
            if t and threads[0][0] < len(programs[0]):
                continue  # the main thread has not started it
            move = moves(place, programs[t][number_of], bodies, shared)
            if move is None:
                continue
            moved = True
            place, after, event = move
            told = events + (((t, number_of, event),) if event else ())
            returned = event is not None and event != "call"
            changed = threads[:t] + ((number_of + returned, place),) + threads[t + 1:]
            if (changed, after, told) not in seen:
                seen.add((changed, after, told))
                todo.append((changed, after, told))
        if not moved:
            ends.add((events, any(n < len(programs[t]) for t, (n, _) in enumerate(threads))))
    return ends


def fails(client, operations):
    """Does it have a history that is not linearizable?"""
    programs = [list(client[0])] + [list(t) for t in client[1]]
    apply = model_of(operations)
    for events, stuck in histories(client, operations):
        calls = {}
        for when, (t, n, event) in enumerate(events):
            if event == "call":
                calls[t, n] = (programs[t][n], when, None, None)
            else:
                calls[t, n] = calls[t, n][:2] + (when, event[1])
        if not is_linearizable(list(calls.values()), apply, START, stuck):
            return True
    return False
