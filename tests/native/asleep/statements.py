"""Statements of threads that wait, as C++ and as instructions of one step each.

A statement is a tuple: its kind, a word or what else it is about, and numbers.  A body is a list of
statements.  `Thread.emit` writes both forms.  Instructions work on registers, which are local to a
thread, and on shared words by name:

    load r w        store w v       add r w n       exchange r w v      cas r w expected v
    wait w v        notify w all    lock m          unlock m
    take s          try r s         futex s v       give r s n          count n
    opened          open r          arrive r drop   passed r            joined t
    set r v         jump relation a b to

A value is a number or the name of a register.
"""

TYPES = {"int": "int", "char": "char", "long": "long", "bool": "bool", "flag": "bool"}


def literal(kind, v):
    """A number as a value of this type."""
    return ("false", "true")[v] if TYPES[kind] == "bool" else str(v)


class Thread:
    """Collects the C++ text and the instructions of a thread."""

    def __init__(self, number, types, library):
        self.number, self.types, self.library = number, types, library
        self.lines, self.code, self.outs, self.names, self.depth = [], [], 0, 0, 0

    def out(self):
        self.outs += 1
        return f"o{self.outs - 1}"

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def do(self, *instruction):
        self.code.append(list(instruction))
        return len(self.code) - 1

    def jump_here(self, *jumps):
        for jump in jumps:
            self.code[jump][4] = len(self.code)

    def emit(self, body):
        for statement in body:
            getattr(self, "do_" + statement[0])(*statement[1:])
            self.do("set", "r", 0)
            self.do("set", "s", 0)

    # ---- A word, as its type has it: atomic_flag has other names than atomic<T>. ----

    def flag(self, w):
        return self.types[w] == "flag"

    def value(self, w, v):
        """A number as a value of the word."""
        return literal(self.types[w], v)

    def text_load(self, w):
        return f"w.{w}.test()" if self.flag(w) else f"w.{w}.load()"

    def text_exchange(self, w, v):
        return f"w.{w}.test_and_set()" if self.flag(w) else f"w.{w}.exchange({self.value(w, v)})"

    def local(self, w):
        """A local variable of the word's type."""
        self.names += 1
        return TYPES[self.types[w]], f"s{self.names}"

    # ---- One step each ----

    def do_store(self, w, v):
        if self.flag(w):
            self.line(f"w.{w}.test_and_set();" if v else f"w.{w}.clear();")
        else:
            self.line(f"w.{w}.store({self.value(w, v)});")
        self.do("store", w, v)

    def do_add(self, w, n):
        self.line(f"w.{w}.fetch_add({n});")
        self.do("add", "r", w, n)

    def do_exchange(self, w, v):
        out = self.out()
        self.line(f"{out} = {self.text_exchange(w, v)};")
        self.do("exchange", out, w, v)

    def do_cas(self, w, expected, v):
        """What it found is seen."""
        out, (kind, name) = self.out(), self.local(w)
        self.line(f"{kind} {name} = {self.value(w, expected)}; "
                  f"w.{w}.compare_exchange_strong({name}, {self.value(w, v)}); {out} = {name};")
        self.do("cas", out, w, expected, v)

    def do_load(self, w):
        out = self.out()
        self.line(f"{out} = {self.text_load(w)};")
        self.do("load", out, w)

    def do_wait(self, w, v):
        self.line(f"w.{w}.wait({self.value(w, v)});")
        self.do("wait", w, v)

    def do_notify(self, w, how):
        self.line(f"w.{w}.notify_{how}();")
        self.do("notify", w, how == "all")

    def do_inc(self):
        self.line("p = p + 1;")
        self.do("load", "r", "p")
        self.do("set", "r", ("+", "r", 1))
        self.do("store", "p", "r")

    def do_put(self, v):
        self.line(f"p = {v};")
        self.do("store", "p", v)

    def do_plain(self):
        out = self.out()
        self.line(f"{out} = p;")
        self.do("load", out, "p")

    # ---- Waits in loops ----

    def do_waitseen(self, w):
        out = self.out()
        self.line(f"{out} = {self.text_load(w)}; w.{w}.wait({out});")
        self.do("load", out, w)
        self.do("wait", w, out)

    def until(self, w, relation, v):
        kind, name = self.local(w)
        self.line(f"for ({kind} {name}; ({name} = {self.text_load(w)}) {relation} "
                  f"{self.value(w, v)};) w.{w}.wait({name});")
        at = self.do("load", "s", w)
        leave = self.do("jump", {"!=": "==", "<": ">="}[relation], "s", v, None)
        self.do("wait", w, "s")
        self.do("jump", "==", 0, 0, at)
        self.jump_here(leave)

    def do_until(self, w, v):
        self.until(w, "!=", v)

    def do_atleast(self, w, v):
        self.until(w, "<", v)

    def do_fixed(self, w, v, old):
        """For words with two values, as it goes round without a wait if the word has a third."""
        self.line(f"while ({self.text_load(w)} != {self.value(w, v)}) "
                  f"w.{w}.wait({self.value(w, old)});")
        at = self.do("load", "s", w)
        leave = self.do("jump", "==", "s", v, None)
        self.do("wait", w, old)
        self.do("jump", "==", 0, 0, at)
        self.jump_here(leave)

    def do_either(self, w, v, other, k):
        """Two words are looked at, and one is waited for."""
        kind, name = self.local(w)
        self.line(f"for ({kind} {name}; ({name} = {self.text_load(w)}) != {self.value(w, v)} && "
                  f"{self.text_load(other)} != {self.value(other, k)};) w.{w}.wait({name});")
        at = self.do("load", "s", w)
        first = self.do("jump", "==", "s", v, None)
        self.do("load", "r", other)
        second = self.do("jump", "==", "r", k, None)
        self.do("wait", w, "s")
        self.do("jump", "==", 0, 0, at)
        self.jump_here(first, second)

    def do_checked(self, w):
        """The plain variable is looked at under the mutex; the word tells that it has changed."""
        kind, name = self.local(w)
        self.line(f"for (;;) {{ const {kind} {name} = {self.text_load(w)}; "
                  f"pthread_mutex_lock(&m); const int c{name} = p; pthread_mutex_unlock(&m); "
                  f"if (c{name}) break; w.{w}.wait({name}); }}")
        at = self.do("load", "s", w)
        self.do("lock", "m")
        self.do("load", "r", "p")
        self.do("unlock", "m")
        leave = self.do("jump", "!=", "r", 0, None)
        self.do("wait", w, "s")
        self.do("jump", "==", 0, 0, at)
        self.jump_here(leave)

    # ---- Threads ----

    def do_join(self, number):
        """Only in main."""
        self.line(f"pthread_join(t{number}, nullptr); joined[{number}] = true;")
        self.do("joined", number)

    # ---- Something on a condition ----

    def guarded(self, text, k, body):
        """`r` has what the condition found."""
        leave = self.do("jump", "!=", "r", k, None)
        self.line(f"if ({text}) {{")
        self.depth += 1
        self.emit(body)
        self.depth -= 1
        self.line("}")
        self.jump_here(leave)

    def do_when(self, w, k, body):
        self.do("load", "r", w)
        self.guarded(f"{self.text_load(w)} == {self.value(w, k)}", k, body)

    def do_swapped(self, w, v, k, body):
        self.do("exchange", "r", w, v)
        self.guarded(f"{self.text_exchange(w, v)} == {self.value(w, k)}", k, body)

    def do_added(self, w, n, k, body):
        self.do("add", "r", w, n)
        self.guarded(f"w.{w}.fetch_add({n}) == {k}", k, body)

    def do_changed(self, w, expected, v, body):
        kind, name = self.local(w)
        self.line(f"{kind} {name} = {self.value(w, expected)};")
        self.do("cas", "r", w, expected, v)
        self.guarded(f"w.{w}.compare_exchange_strong({name}, {self.value(w, v)})", expected, body)

    # ---- Locks ----

    def do_locked(self, body):
        self.line("pthread_mutex_lock(&m);")
        self.do("lock", "m")
        self.emit(body)
        self.line("pthread_mutex_unlock(&m);")
        self.do("unlock", "m")

    def do_takeswap(self, w):
        self.line(f"while ({self.text_exchange(w, 1)}) w.{w}.wait({self.value(w, 1)});")
        at = self.do("exchange", "r", w, 1)
        leave = self.do("jump", "==", "r", 0, None)
        self.do("wait", w, 1)
        self.do("jump", "==", 0, 0, at)
        self.jump_here(leave)

    def do_takelate(self, w):
        """It waits first."""
        self.line(f"do w.{w}.wait({self.value(w, 1)}); while ({self.text_exchange(w, 1)});")
        at = self.do("wait", w, 1)
        self.do("exchange", "r", w, 1)
        self.do("jump", "!=", "r", 0, at)

    def do_takecas(self, w):
        """It waits for another value than it found."""
        kind, name = self.local(w)
        self.line(f"for ({kind} {name} = {self.value(w, 0)}; "
                  f"!w.{w}.compare_exchange_strong({name}, {self.value(w, 1)}); "
                  f"{name} = {self.value(w, 0)}) w.{w}.wait({name});")
        at = self.do("cas", "r", w, 0, 1)
        leave = self.do("jump", "==", "r", 0, None)
        self.do("wait", w, "r")
        self.do("jump", "==", 0, 0, at)
        self.jump_here(leave)

    def do_takethree(self, w):
        """0 free, 1 taken, 2 taken and somebody may wait."""
        kind, name = self.local(w)
        self.line(f"{kind} {name} = 0; if (!w.{w}.compare_exchange_strong({name}, 1)) "
                  f"while (w.{w}.exchange(2) != 0) w.{w}.wait(2);")
        self.do("cas", "r", w, 0, 1)
        first = self.do("jump", "==", "r", 0, None)
        at = self.do("exchange", "r", w, 2)
        second = self.do("jump", "==", "r", 0, None)
        self.do("wait", w, 2)
        self.do("jump", "==", 0, 0, at)
        self.jump_here(first, second)

    def do_taketicket(self, w, other):
        """The number is from the other word."""
        kind, name = self.local(w)
        self.line(f"const {kind} n{name} = w.{other}.fetch_add(1); for ({kind} {name}; "
                  f"({name} = w.{w}.load()) != n{name};) w.{w}.wait({name});")
        self.do("add", "r", other, 1)
        at = self.do("load", "s", w)
        leave = self.do("jump", "==", "s", "r", None)
        self.do("wait", w, "s")
        self.do("jump", "==", 0, 0, at)
        self.jump_here(leave)

    # ---- Semaphores, latches, barriers ----

    def do_acquire(self):
        self.line("s.acquire();")
        if not self.library:
            self.do("take", "sem")
            return
        # As GCC's library has it before release 16: it waits for another count than it found before
        # it tried, which may be there again then (GCC bug 104928).
        at = self.do("load", "s", "sem")
        self.do("try", "r", "sem")
        first = self.do("jump", "==", "r", 1, None)
        self.do("futex", "sem", "s")
        self.do("try", "r", "sem")
        self.do("jump", "!=", "r", 1, at)
        self.jump_here(first)

    def do_release(self, n):
        self.line(f"s.release({n if n > 1 else ''});")
        self.do("give", "r", "sem", n)
        if self.library:
            leave = self.do("jump", ">", "r", 0, None)
            self.do("notify", "sem", True)
            self.jump_here(leave)

    def do_try(self):
        out = self.out()
        self.line(f"{out} = s.try_acquire();")
        self.do("try", out, "sem")

    def do_count(self, n):
        self.line(f"l.count_down({n if n > 1 else ''});")
        self.do("count", n)

    def do_lwait(self):
        self.line("l.wait();")
        self.do("opened")

    def do_larrive(self):
        self.line("l.arrive_and_wait();")
        self.do("count", 1)
        self.do("opened")

    def do_ltry(self):
        out = self.out()
        self.line(f"{out} = l.try_wait();")
        self.do("open", out)

    def do_bwait(self):
        self.line("b.arrive_and_wait();")
        self.do("arrive", "r", False)
        self.do("passed", "r")

    def do_barrive(self, body):
        """Something between the arrival and the wait."""
        self.names += 1
        name = f"t{self.names}"
        self.line(f"auto {name} = b.arrive();")
        self.do("arrive", name, False)
        self.emit(body)
        self.line(f"b.wait(std::move({name}));")
        self.do("passed", name)
        self.do("set", name, 0)

    def do_bleave(self):
        self.line("(void)b.arrive();")
        self.do("arrive", "r", False)

    def do_bdrop(self):
        self.line("b.arrive_and_drop();")
        self.do("arrive", "r", True)


def kinds(body):
    """The kinds of all statements, also of those inside others."""
    for statement in body:
        yield statement[0]
        for part in statement[1:]:
            if isinstance(part, list):
                yield from kinds(part)


def words(body):
    """The words that statements name."""
    for statement in body:
        for part in statement[1:]:
            if isinstance(part, list):
                yield from words(part)
            elif isinstance(part, str) and part not in ("one", "all"):
                yield part
