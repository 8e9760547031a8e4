"""Programs of statements (statements.py): as text, and drawn at random."""
import copy
import random

import statements

HEADERS = """#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <pthread.h>
#include <semaphore>
#include <thread>
#include <utility>
"""
BARRIER = {"bwait", "barrive", "bleave", "bdrop"}
LATCH = {"count", "lwait", "larrive", "ltry"}
SEMAPHORE = {"acquire", "release", "try"}


class Program:
    def __init__(self, types, bodies, **more):
        self.types, self.bodies = types, bodies
        self.start = {}  # first values of words that do not begin with 0
        self.heap = False  # the words are in a block
        self.cxx = False  # std::thread
        self.main = False  # the last body is main's
        self.units, self.latch, self.expected = 0, 1, 2
        self.completion = None  # of the barrier: a word that it counts up, or p
        self.__dict__.update(more)

    def copy(self):
        return copy.deepcopy(self)

    def kinds(self):
        return {kind for body in self.bodies for kind in statements.kinds(body)}

    @property
    def shared(self):
        words = {w: self.start.get(w, 0) for w in self.types}
        return {**words, "p": 0, "m": 0, "sem": self.units, "latch": self.latch, "phase": 0,
                "expected": self.expected, "arrived": 0, "dropped": 0}

    @property
    def printed(self):
        return [*self.types, "p"]

    def threads(self, library=False):
        made = []
        for number, body in enumerate(self.bodies):
            thread = statements.Thread(number, self.types, library)
            thread.emit(body)
            made.append(thread)
        self.outs = [thread.outs for thread in made]
        return made

    def codes(self, library=False):
        return [thread.code for thread in self.threads(library)]

    def text(self, name):
        """A namespace with a function `run`."""
        made, kinds = self.threads(), self.kinds()
        lines = [f"namespace {name} {{", "struct words {"]
        for i, (w, kind) in enumerate(self.types.items()):
            # Next to each other, and no two in the same four bytes.
            align = 64 if not i else 8 if kind == "long" else 4
            first = statements.literal(kind, self.start.get(w, 0))
            lines.append(f"    alignas({align}) std::atomic_flag {w};" if kind == "flag" else
                         f"    alignas({align}) std::atomic<{kind}> {w}{{{first}}};")
        lines += ["};", "static words &w = *new words;" if self.heap else "static words w;",
                  "static volatile int p;"]
        if kinds & {"locked", "checked"}:
            lines.append("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
        if kinds & SEMAPHORE:
            lines.append(f"static std::counting_semaphore<16> s({self.units});")
        if kinds & LATCH:
            lines.append(f"static std::latch l({self.latch});")
        if kinds & BARRIER and not self.completion:
            lines.append(f"static std::barrier<> b({self.expected});")
        elif kinds & BARRIER:
            what = "p = p + 1" if self.completion == "p" else f"w.{self.completion}.fetch_add(1)"
            lines += ["struct completed {", f"    void operator()() noexcept {{ {what}; }}", "};",
                      f"static std::barrier<completed> b({self.expected});"]
        if "join" in kinds:
            lines += [f"static pthread_t t{i};" for i in range(len(made) - 1)]
            lines.append(f"static bool joined[{len(made)}];")
        most = max([thread.outs for thread in made] + [1])
        lines.append(f"static int results[{len(made)}][{most}];")
        for thread in made:
            outs = [f"o{i}" for i in range(thread.outs)]
            lines.append(f"static void *thread{thread.number}(void *argument) {{")
            lines += [f"    int {out} = 0;" for out in outs]
            lines += ["    " + line for line in thread.lines]
            lines += [f"    results[{thread.number}][{i}] = {out};" for i, out in enumerate(outs)]
            lines += ["    return argument;", "}"]
        lines += ["static void run() {", *self.text_run(made), "}", "}", ""]
        return "\n".join(lines)

    def text_run(self, made):
        started = len(made) - self.main
        join = "join" in self.kinds()
        for i in range(started):
            yield (f"    std::thread t{i}(thread{i}, nullptr);" if self.cxx and not join else
                   f"    {'' if join else f'pthread_t t{i}; '}"
                   f"pthread_create(&t{i}, nullptr, thread{i}, nullptr);")
        if self.main:
            yield f"    thread{started}(nullptr);"
        for i in range(started):
            yield (f"    if (!joined[{i}]) pthread_join(t{i}, nullptr);" if join else
                   f"    t{i}.join();" if self.cxx else f"    pthread_join(t{i}, nullptr);")
        values = [f"results[{t.number}][{i}]" for t in made for i in range(t.outs)]
        values += [f"(int)w.{w}.{'test' if kind == 'flag' else 'load'}()"
                   for w, kind in self.types.items()] + ["p"]
        yield f'    std::printf("{" ".join(["%d"] * len(values))}\\n", {", ".join(values)});'


# ---- At random ----


class Draw:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.types = {"x": rng.choice(("int", "int", "int", "char", "long", "bool", "flag")),
                      "y": rng.choice(("int", "int", "char", "long", "bool"))}
        self.more = {"heap": rng.random() < 0.2, "cxx": rng.random() < 0.3,
                     "main": rng.random() < 0.5}
        style = rng.choices((self.events, self.locks, self.turns, self.mixed, self.units,
                             self.latches, self.barriers, self.sleepers, self.acknowledged,
                             self.late, self.looks, self.handed),
                            (26, 20, 8, 10, 8, 7, 7, 9, 8, 9, 8, 8))[0]
        bodies = style()
        loose = style in (self.events, self.mixed, self.looks, self.handed, self.acknowledged)
        if loose and len(bodies) > 2 and rng.random() < 0.6:
            bodies.pop(rng.randrange(3))  # three that the library lets wait take many steps
        if style != self.late and rng.random() < 0.3:
            rng.shuffle(bodies)
        self.program = Program(self.types, bodies, **self.more)
        self.leave_out()

    def leave_out(self):
        """Words that no statement names."""
        used = {w for body in self.program.bodies for w in statements.words(body)}
        used.add(self.program.completion)
        self.program.types = {w: t for w, t in self.types.items() if w in used}

    def number(self, w, most=2):
        """A value that the word can have."""
        if self.types[w] in ("bool", "flag"):
            return self.rng.randrange(2)
        return self.rng.randrange(most + 1)

    def other(self, w):
        return "y" if w == "x" else "x"

    def how(self):
        return self.rng.choice(("one", "all"))

    # ---- Single statements ----

    def change(self, w):
        """To any value."""
        kind = self.types[w]
        choices = [("store", w, self.number(w))] * 3
        if kind == "flag":
            choices.append(("exchange", w, 1))
        else:
            choices += [("exchange", w, self.number(w)),
                        ("cas", w, self.number(w), self.number(w))]
        if kind not in ("bool", "flag"):
            choices += [("add", w, self.rng.choice((1, 1, -1, 0)))] * 2
        return self.rng.choice(choices)

    def change_to(self, w, v):
        """To this value, if nobody else changes it."""
        kind = self.types[w]
        choices = [("store", w, v)] * 3
        if kind != "flag":
            choices.append(("exchange", w, v))
            choices.append(("cas", w, 0, v))
        if kind not in ("bool", "flag") and v == 1:
            choices.append(("add", w, 1))
        return self.rng.choice(choices)

    def wait(self, w):
        v = self.number(w)
        choices = [("wait", w, 0)] * 4 + [("wait", w, v), ("waitseen", w), ("until", w, 1),
                                          ("until", w, 1), ("until", w, v)]
        if self.types[w] not in ("bool", "flag"):
            choices.append(("atleast", w, self.rng.randrange(1, 3)))
        else:
            choices.append(("fixed", w, 1, 0))
        if "y" in self.types and "x" in self.types:
            o = self.other(w)
            choices.append(("either", w, 1, o, 1))
        return self.rng.choice(choices)

    def small(self):
        """Something beside."""
        w = self.rng.choice("xy")
        return self.rng.choice((("load", w), ("load", w), ("inc",), ("plain",), ("put", 2),
                                ("locked", [("inc",)]), self.change(w)))

    # ---- A change and its notification, or what is wrong with it ----

    def tell(self, w, v):
        """[change, notification] in some form."""
        rng, o = self.rng, self.other(w)
        change, notify = self.change_to(w, v), ("notify", w, self.how())
        form = rng.choices(("right", "none", "before", "between", "other", "sometimes", "same",
                            "twice", "back", "foreign", "locked", "half", "both"),
                           (34, 6, 5, 14, 4, 9, 3, 6, 5, 4, 8, 5, 4))[0]
        if form == "none":
            return [change]
        if form == "before":
            return [notify, change]
        if form == "between":
            middle = rng.choice([("load", o), ("inc",), ("locked", [("inc",)]), ("wait", o, 0),
                                 ("until", o, 1), ("store", o, 1), ("notify", o, "all"),
                                 ("locked", [("load", w)])])
            return [change, middle, notify]
        if form == "other":
            return [change, ("notify", o, self.how())]
        if form == "sometimes":
            return rng.choice((
                [change, ("when", o, self.number(o), [notify])],
                [("when", w, 0, [change, notify])],
                [("when", w, 0, [change]), notify],
                [("swapped", w, 1, rng.choice((0, 0, 1)), [notify])],
                [("changed", w, 0, 1, [notify])] if self.types[w] != "flag" else [notify]))
        if form == "same":
            return [("store", w, 0), notify]
        if form == "twice":
            return [change, self.change(w), notify]
        if form == "back":
            return rng.choice(([change, ("store", w, 0), notify], [change, notify, ("store", w, 0)],
                               [change, notify, ("store", w, 0), change],
                               [change, ("store", w, 0), change, notify]))
        if form == "foreign":
            return [change, ("store", o, 1), ("notify", o, "all")]
        if form == "locked":
            return rng.choice(([("locked", [change, notify])], [("locked", [change]), notify],
                               [change, ("locked", [notify])]))
        if form == "half":
            return [change, ("notify", w, "one"), ("notify", w, "one")]
        if form == "both":
            return [change, ("store", o, 1), notify, ("notify", o, "all")]
        return [change, notify]

    # ---- Styles ----

    def events(self):
        """Some wait, others tell them."""
        rng = self.rng
        bodies = []
        for _ in range(rng.choice((1, 1, 2, 2))):
            body = [self.wait("x")]
            if rng.random() < 0.25:
                body.insert(0, self.small())
            if rng.random() < 0.5:
                body.append(rng.choice((("load", "x"), ("load", "x"), ("load", "y"), ("inc",))))
            elif rng.random() < 0.5:
                body += self.tell("y", 1)
            if rng.random() < 0.2:
                body = [("locked", body)] if rng.random() < 0.5 else body + [self.wait("x")]
            bodies.append(body)
        for _ in range(rng.choice((1, 1, 1, 2)) if len(bodies) < 2 else 1):
            body = self.tell("x", 1)
            if rng.random() < 0.3:
                body.insert(0, self.small())
            if rng.random() < 0.3:
                body += [self.wait("y")]
            if rng.random() < 0.2 and self.types["x"] in ("int", "char", "long"):
                body += self.tell("x", 2)
            bodies.append(body)
        return bodies

    def locks(self):
        """A lock that some of them may not give back rightly."""
        rng = self.rng
        numeric = rng.random() < 0.5
        if numeric:
            self.types["x"] = rng.choice(("int", "int", "char", "long"))
        else:
            self.types["x"] = rng.choice(("int", "flag", "bool", "int"))
        take = ["takeswap", "takeswap", "takelate"]
        if self.types["x"] != "flag":
            take.append("takecas")
        if numeric:
            take += ["takethree", "takethree", "taketicket"]
        kind = rng.choice(take)
        if kind == "taketicket":
            self.types["y"] = rng.choice(("int", "char", "long"))
        wrong = rng.random() < 0.45
        bodies = []
        for _ in range(rng.choice((2, 2, 2, 2 if wrong else 3))):
            body = [(kind, "x", "y") if kind == "taketicket" else (kind, "x")]
            inside = rng.choice((("inc",), ("plain",), ("load", "y"), ("store", "y", 1)))
            body.append(("inc",) if kind == "taketicket" else inside)
            body += self.give(kind, wrong and rng.random() < 0.6)
            if rng.random() < 0.1:
                body.append(self.small() if kind != "taketicket" else ("plain",))
            bodies.append(body)
        return bodies

    def give(self, kind, wrong):
        rng = self.rng
        notify = ("notify", "x", "one")
        if kind == "taketicket":
            give, notify = ("add", "x", 1), ("notify", "x", "all")
            if wrong:
                return rng.choice(([give, ("notify", "x", "one")], [give], [notify, give],
                                   [give, ("locked", [notify])]))
            return [give, notify]
        if kind == "takethree":
            if not wrong:
                return [("swapped", "x", 0, 2, [notify])]
            return rng.choice(([("swapped", "x", 0, 1, [notify])], [("store", "x", 0)],
                               [("when", "x", 2, [notify]), ("store", "x", 0)],
                               [("store", "x", 0), ("when", "x", 2, [notify])],
                               [("store", "x", 0), notify]))
        give = ("store", "x", 0)
        if not wrong:
            return [give, ("notify", "x", self.how())]
        return rng.choice(([give], [notify, give], [give, ("notify", "y", "one")],
                           [give, ("when", "y", 0, [notify])], [give, ("inc",), notify],
                           [give, ("wait", "y", 0), notify],
                           [("store", "y", 1), give, ("notify", "y", "all")],
                           [give, ("when", "x", 0, [notify])],
                           [give, ("when", "x", 1, [notify])],
                           [give, ("store", "x", 0), notify], [notify]))

    def turns(self):
        """Each waits for its turn, and gives it to the next one."""
        rng = self.rng
        count, rounds = rng.choice(((2, 1), (2, 2), (3, 1), (2, 1)))
        if count * rounds > 2:
            self.types["x"] = rng.choice(("int", "int", "char", "long"))
        bodies = [[] for _ in range(count)]
        how = self.how()
        for turn in range(count * rounds):
            body = bodies[turn % count]
            binary = self.types["x"] in ("bool", "flag")
            body.append(("until", "x", turn % 2 if binary else turn))
            if rng.random() < 0.4:
                body.append(rng.choice((("inc",), ("load", "y"), ("store", "y", 1))))
            if rng.random() < 0.85:
                to = (turn + 1) % 2 if binary else turn + 1
                body.append(("store", "x", to))
                if rng.random() < 0.9:
                    body.append(("notify", "x", how if rng.random() < 0.9 else self.how()))
        return bodies

    def mixed(self):
        """Anything, in any order."""
        rng = self.rng
        bodies, waits = [], 0
        for _ in range(rng.choice((2, 2, 3))):
            body = []
            for _ in range(rng.choice((1, 2, 2, 3))):
                w = rng.choice("xxy")
                kind = rng.random()
                if kind < 0.3 and waits < 3:
                    waits += 1
                    body.append(self.wait(w))
                elif kind < 0.6:
                    body += self.tell(w, 1)
                elif kind < 0.75:
                    body.append(("notify", w, self.how()))
                else:
                    body.append(self.small())
            bodies.append(body)
        return bodies

    def units(self):
        rng = self.rng
        self.more["units"] = rng.choice((0, 0, 1, 1, 2))
        bodies = []
        if rng.random() < 0.35:
            self.more["units"] = 1
            for _ in range(rng.choice((2, 2, 3))):
                bodies.append([("acquire",), rng.choice((("inc",), ("load", "y"))),
                               ("release", 1)])
            return bodies
        for number in range(rng.choice((2, 2, 3))):
            body = []
            for _ in range(rng.choice((1, 1, 2))):
                body.append(rng.choice((("acquire",), ("acquire",), ("release", 1),
                                        ("release", 1), ("release", 2), ("try",), ("store", "y", 1),
                                        ("load", "y"))))
            if rng.random() < 0.2:
                body += self.tell("y", 1) if number else [("wait", "y", 0)]
            bodies.append(body)
        return bodies

    def latches(self):
        rng = self.rng
        bodies, left = [], rng.choice((1, 2, 2, 3))
        self.more["latch"] = left
        for _ in range(rng.choice((2, 2, 3))):
            body = []
            for _ in range(rng.choice((1, 2, 2))):
                choices = [("lwait",), ("ltry",), ("load", "y"), ("store", "y", 1), ("inc",)]
                if left:
                    choices += [("count", 1)] * 3 + [("larrive",)] * 4
                if left > 1:
                    choices.append(("count", 2))
                statement = rng.choice(choices)
                left -= {"count": statement[-1], "larrive": 1}.get(statement[0], 0)
                body.append(statement)
            bodies.append(body)
        if left and rng.random() < 0.8:
            bodies[-1].insert(0, ("count", left))
        return bodies

    def barriers(self):
        """Who arrives without a wait does so last, as more arrivals than are expected are wrong."""
        rng = self.rng
        # The barrier may share its waiters with a word of less than four bytes.
        self.types = {"x": "int", "y": "int"}
        count = rng.choice((2, 2, 2, 3))
        self.more["expected"] = count + (rng.random() < 0.1)
        self.more["completion"] = rng.choice((None, None, "x", "p"))
        rounds = rng.choice((1, 2, 2)) if count == 2 else 1
        bodies = []
        for _ in range(count):
            body = []
            for _ in range(rounds + (rng.random() < 0.07)):
                if rng.random() < 0.5:
                    body.append(rng.choice((("store", "y", 1), ("load", "y"), ("add", "y", 1))))
                if rng.random() < 0.2:
                    body.append(("barrive", [rng.choice((("load", "y"), ("add", "y", 1)))]))
                else:
                    body.append(("bwait",))
            if rng.random() < 0.25:
                body[-1] = (rng.choice(("bleave", "bdrop", "bdrop")),)
            elif rng.random() < 0.6:
                body.append(rng.choice((("load", "x"), ("load", "y"), ("plain",))
                                       if not self.more["completion"] else
                                       (("load", "x"), ("plain",))))
            bodies.append(body)
        return bodies

    def sleepers(self):
        """Two sleep at one word, for different things, and few notifications."""
        rng = self.rng
        self.types["x"] = rng.choice(("int", "int", "int", "char", "long"))
        first = rng.choice((("wait", "x", 0), ("until", "x", 1), ("until", "x", 2),
                            ("atleast", "x", 1), ("waitseen", "x")))
        second = rng.choice((("wait", "x", 0), ("wait", "x", 1), ("until", "x", 2),
                             ("atleast", "x", 2), ("until", "x", 1)))
        bodies = [[first], [second]]
        for body in bodies:
            if rng.random() < 0.35:
                body.append(("notify", "x", self.how()))
            elif rng.random() < 0.3:
                body.append(("load", "x"))
        body = []
        for v in rng.choice(((1,), (1,), (1, 2), (2,), (1, 0))):
            body.append(rng.choice((("store", "x", v), ("add", "x", 1))))
            if rng.random() < 0.8:
                body.append(("notify", "x", rng.choice(("one", "one", "all"))))
        if rng.random() < 0.3:
            body.append(("notify", "x", "one"))
        bodies.append(body)
        return bodies

    def acknowledged(self):
        """An event and its answer, or an event that is armed again."""
        rng = self.rng
        body = [self.rng.choice((("wait", "x", 0), ("until", "x", 1))), *self.tell("y", 1)]
        if rng.random() < 0.5:
            body.insert(1, ("store", "x", 0))
        back = [*self.tell("x", 1), rng.choice((("wait", "y", 0), ("until", "y", 1)))]
        if rng.random() < 0.3:
            back.append(("load", "x"))
        bodies = [body, back]
        if rng.random() < 0.25:
            bodies.append([self.wait(rng.choice("xy"))])
        return bodies

    def late(self):
        """Between the change and the notification its thread waits for another one, in some way."""
        rng = self.rng
        waiter = [rng.choice((("wait", "x", 0), ("until", "x", 1), ("waitseen", "x")))]
        change, notify = self.change_to("x", 1), ("notify", "x", self.how())
        answer, wait = rng.choice((
            ([("release", 1)], ("acquire",)), ([("count", 1)], ("lwait",)),
            ([("larrive",)], ("larrive",)), ([("bwait",)], ("bwait",)), ([], ("join", 0)),
            ([], ("join", 0)), ([("store", "y", 1), ("notify", "y", "all")], ("wait", "y", 0))))
        self.more["latch"] = 2 if wait[0] == "larrive" else 1
        if wait[0] in ("bwait", "larrive") or rng.random() < 0.5:
            self.types = {"x": "int", "y": "int"}
        if rng.random() < 0.3:
            answer = answer + [rng.choice((("load", "x"), ("inc",)))]
        if rng.random() < 0.3:
            waiter, answer = answer, waiter  # then it is not too late
        teller = [change, wait, notify]
        rng.choice((lambda: None, lambda: None, lambda: teller.insert(1, notify),
                    lambda: teller.reverse()))()
        if wait[0] == "join":
            self.more.update(main=True, cxx=False)
        bodies = [waiter + answer, teller]
        if rng.random() < 0.2:
            bodies.insert(1, [rng.choice((("load", "x"), notify, ("wait", "x", 0)))])
        return bodies

    def looks(self):
        """What ends a loop is not, or not only, the word that it waits for."""
        rng = self.rng
        notify = ("notify", "x", self.how())
        if rng.random() < 0.5:
            waiter = [("either", "x", 1, "y", 1)]
            teller = rng.choice(([("store", "y", 1)], [("store", "y", 1), notify],
                                 [("store", "x", 1), notify],
                                 [("store", "y", 1), ("notify", "y", "all")],
                                 [("store", "x", 1), ("store", "y", 1), notify],
                                 [("store", "y", 1), ("store", "x", 1), notify],
                                 [("store", "x", 1), notify, ("store", "y", 1)]))
        else:
            if self.types["x"] == "flag":
                self.types["x"] = "bool"
            waiter = [("checked", "x")]
            change = ("add", "x", 1)
            if self.types["x"] == "bool":
                change = ("store", "x", 1)
            put = ("locked", [("put", 1)])
            teller = rng.choice(([put, change, notify], [put, change, notify], [put, notify],
                                 [change, put, notify], [put, change], [change, notify, put],
                                 [("locked", [("put", 1), change]), notify],
                                 [("locked", [("put", 1), change, notify])]))
        if rng.random() < 0.4:
            waiter.append(rng.choice((("load", "x"), ("load", "y"), ("plain",))))
        bodies = [waiter, teller]
        if rng.random() < 0.3:
            bodies.append(rng.choice(([("load", "x")], [("store", "x", 0)], [notify], waiter[:1])))
        return bodies

    def handed(self):
        """A lock that is taken at first is given back, and others may want something else."""
        rng = self.rng
        self.types["x"] = rng.choice(("int", "int", "int", "bool", "char"))
        self.more["start"] = {"x": 1}
        give = [("store", "x", 0), ("notify", "x", rng.choice(("one", "one", "all")))]
        wrong = rng.choice((give[:1], give[::-1], give + give[1:]))
        bodies = [give if rng.random() < 0.8 else wrong]
        for _ in range(rng.choice((1, 2, 2))):
            if rng.random() < 0.6:
                take = rng.choice(("takeswap", "takeswap", "takelate", "takecas"))
                body = [(take, "x"), *(give if rng.random() < 0.7 else give[:1])]
            else:
                body = [rng.choice((("wait", "x", 1), ("until", "x", 0), ("waitseen", "x")))]
                if rng.random() < 0.5:
                    body.append(rng.choice((give[1], ("load", "x"))))
            bodies.append(body)
        return bodies


def draw(seed):
    return Draw(seed).program


# ---- Smaller ones ----


def smaller_bodies(body):
    """Bodies with a statement less, or with what is inside of it in its place."""
    for i, statement in enumerate(body):
        yield body[:i] + body[i + 1:]
        for part in statement[1:]:
            if isinstance(part, list):
                yield body[:i] + part + body[i + 1:]
                at = statement.index(part)
                for less in smaller_bodies(part):
                    yield body[:i] + [statement[:at] + (less,) + statement[at + 1:]] + body[i + 1:]


def smaller(program):
    """Programs that are a bit smaller or simpler."""
    for i in range(len(program.bodies)):
        if len(program.bodies) > 1 and "join" not in program.kinds():
            less = program.copy()
            last = i == len(program.bodies) - 1
            less.bodies.pop(i)
            less.main = program.main and not last
            yield less
    for i, body in enumerate(program.bodies):
        for shorter in smaller_bodies(body):
            less = program.copy()
            less.bodies[i] = shorter
            yield less
    for name, plain in (("heap", False), ("cxx", False), ("main", False), ("completion", None)):
        if getattr(program, name) != plain and (name != "main" or "join" not in program.kinds()):
            less = program.copy()
            setattr(less, name, plain)
            yield less
    used = {w for body in program.bodies for w in statements.words(body)} | {program.completion}
    for w in program.types:
        less = program.copy()
        if w not in used:
            del less.types[w]
            yield less
        elif program.types[w] != "int":
            less.types[w] = "int"
            yield less
