"""All interleavings of the instructions of statements.py, by the definitions of C++20.

A wait compares and falls asleep in one step.  Who sleeps takes part again after a notification of
the same word, and compares again; nobody wakes by himself.  notify_one wakes the one that has slept
longest if the word has the size of a futex.  If not, it wakes all, which the definition ("at least
one") allows and GCC's library does.  A state is: the values of all words; of each thread, where it
is and its registers; who sleeps at which word, in order.
"""
import collections

COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
           ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
FUTEX = ("int",)  # types that are futexes themselves

Truth = collections.namedtuple("Truth", "outputs stuck how schedule states")


def value(registers, word):
    return registers.get(word, 0) if isinstance(word, str) else word


def local_steps(code, at, registers):
    """What a thread does up to its next access."""
    while at < len(code):
        name, *what = code[at]
        if name == "set":
            number = what[1]
            if isinstance(number, tuple):
                number = value(registers, number[1]) + number[2]
            registers[what[0]] = value(registers, number)
        elif name == "jump":
            relation, a, b, to = what
            if COMPARE[relation](value(registers, a), value(registers, b)):
                at = to
                continue
        else:
            return at
        at += 1
    return at


class Step:
    """One step of a thread: it changes copies of the words, the registers, and who sleeps."""

    def __init__(self, program, words, registers, sleepers, ended):
        self.program, self.words, self.registers = program, words, registers
        self.sleepers, self.ended, self.moved = sleepers, ended, []

    def take(self, thread, instruction):
        """Whether the thread goes on; None if it cannot take the step."""
        name, *what = instruction
        return getattr(self, "do_" + name)(thread, *what)

    def value(self, word):
        return value(self.registers, word)

    def do_load(self, _, r, w):
        self.registers[r] = self.words[w]
        return True

    def do_store(self, _, w, v):
        self.words[w] = self.value(v)
        return True

    def do_add(self, _, r, w, n):
        self.registers[r] = self.words[w]
        self.words[w] += n
        return True

    def do_exchange(self, _, r, w, v):
        self.registers[r] = self.words[w]
        self.words[w] = v
        return True

    def do_cas(self, _, r, w, expected, v):
        self.registers[r] = self.words[w]
        if self.words[w] == expected:
            self.words[w] = v
        return True

    def do_wait(self, thread, w, v):
        if self.words[w] != self.value(v):
            return True
        self.sleepers.append((w, thread))
        return False

    def do_futex(self, thread, w, v):
        """Who is woken goes on, without another look."""
        if self.words[w] != self.value(v):
            return True
        self.sleepers.append((w, thread))
        self.moved.append(thread)
        return False

    def do_notify(self, _, w, everyone):
        here = [sleeper for sleeper in self.sleepers if sleeper[0] == w]
        if not everyone and self.program.types[w] in FUTEX:
            here = here[:1]
        self.sleepers = [sleeper for sleeper in self.sleepers if sleeper not in here]
        return True

    def do_lock(self, _, m):
        if self.words[m]:
            return None
        self.words[m] = 1
        return True

    def do_unlock(self, _, m):
        self.words[m] = 0
        return True

    def do_take(self, _, s):
        if not self.words[s]:
            return None
        self.words[s] -= 1
        return True

    def do_try(self, _, r, s):
        self.registers[r] = int(self.words[s] > 0)
        self.words[s] -= self.registers[r]
        return True

    def do_give(self, _, r, s, n):
        return self.do_add(_, r, s, n)

    def do_count(self, _, n):
        self.words["latch"] -= n
        return True

    def do_opened(self, _):
        return None if self.words["latch"] else True

    def do_open(self, _, r):
        self.registers[r] = int(not self.words["latch"])
        return True

    def do_arrive(self, _, r, drop):
        """The last one completes the phase."""
        words = self.words
        self.registers[r] = words["phase"]
        words["dropped"] += drop
        words["arrived"] += 1
        if words["arrived"] == words["expected"]:
            if self.program.completion == "p":
                words["p"] += 1
            elif self.program.completion:
                words[self.program.completion] += 1
            words["phase"] += 1
            words["expected"] -= words["dropped"]
            words["arrived"] = words["dropped"] = 0
        return True

    def do_passed(self, _, r):
        return None if self.words["phase"] == self.value(r) else True

    def do_joined(self, _, thread):
        return True if self.ended(thread) else None


def successors(program, codes, state):
    values, threads, sleepers = state
    asleep = {thread for _, thread in sleepers}
    for i, (at, registers) in enumerate(threads):
        if at >= len(codes[i]) or i in asleep:
            continue
        step = Step(program, dict(zip(program.shared, values)), dict(registers), list(sleepers),
                    lambda thread: threads[thread][0] >= len(codes[thread]))
        goes_on = step.take(i, codes[i][at])
        if goes_on is None:
            continue
        to = at
        if goes_on or step.moved:
            to = local_steps(codes[i], at + 1, step.registers)
        after = list(threads)
        after[i] = to, tuple(sorted((r, v) for r, v in step.registers.items() if v))
        yield i, (tuple(step.words[w] for w in program.shared), tuple(after),
                  tuple(step.sleepers))


def walk(program, codes, most):
    """All states, each with its predecessors; None if there are too many."""
    threads = []
    for code in codes:
        registers = {}
        threads.append((local_steps(code, 0, registers), tuple(sorted(registers.items()))))
    start = tuple(program.shared.values()), tuple(threads), ()
    before, todo = {start: []}, collections.deque([start])
    while todo:
        state = todo.popleft()
        if len(before) > most:
            return None
        for i, after in successors(program, codes, state):
            if after not in before:
                before[after] = []
                todo.append(after)
            before[after].append((i, state))
    return before


def schedule(before, state, codes):
    """The steps of a shortest way to a state."""
    steps = []
    while before[state]:
        i, earlier = before[state][0]
        at = earlier[1][i][0]
        steps.append(f"t{i} {' '.join(str(word) for word in codes[i][at])}")
        state = earlier
    return steps[::-1]


def ending(program, codes, state):
    """What main prints in a last state."""
    words = dict(zip(program.shared, state[0]))
    seen = []
    for (_, registers), outs in zip(state[1], program.outs):
        seen += [dict(registers).get(f"o{i}", 0) for i in range(outs)]
    return " ".join(str(v) for v in seen + [words[w] for w in program.printed])


def truth(program, codes, most):
    """What main can print, each with a schedule, and whether it can get stuck; None if there are
    too many states.  It is stuck in a state from which it cannot end."""
    before = walk(program, codes, most)
    if before is None:
        return None
    ends = [state for state in before
            if all(at >= len(code) for (at, _), code in zip(state[1], codes))]
    good, todo = set(ends), list(ends)
    while todo:
        for _, earlier in before[todo.pop()]:
            if earlier not in good:
                good.add(earlier)
                todo.append(earlier)
    outputs = {}
    for state in ends:
        outputs.setdefault(ending(program, codes, state), state)
    bad = [state for state in before if state not in good]
    # To be shown: one in which nobody can go on, if there is any.
    last = [state for state in bad if not any(successors(program, codes, state))]
    how = schedule(before, (last or bad)[0], codes) if bad else []
    return Truth(set(outputs), bool(bad), how,
                 lambda output: schedule(before, outputs[output], codes), len(before))
