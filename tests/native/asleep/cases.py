"""Programs with known answers: what they print, whether they can get stuck, and how many executions
a search by sdpor needs at most at -O1, where that can be explained: one for each order of what the
threads do, as at a lock or a latch, and of accesses beside.  "old" gets stuck only because of the
C++ library (statements.py, `do_acquire`).  Slow ones are left out with TEST_BUILDS=few: they are
explored as the library makes them, and three threads do that."""
import collections

from programs import Program

Case = collections.namedtuple("Case", "name program outputs stuck most slow")

INT = {"x": "int"}
TWO = {"x": "int", "y": "int"}


def case(name, types, bodies, outputs, stuck, most=None, slow=False, **more):
    return Case(name, Program(types, bodies, **more), set(outputs), stuck, most, slow)


def lock(kind, give, w="x"):
    return [(kind, w), ("inc",), *give]


GIVE = [("store", "x", 0), ("notify", "x", "one")]
GIVE_THREE = [("swapped", "x", 0, 2, [("notify", "x", "one")])]
TICKET = [("taketicket", "x", "y"), ("inc",), ("add", "x", 1)]

CASES = [
    # Events.
    case("an event for one", INT,
         [[("wait", "x", 0)], [("store", "x", 1), ("notify", "x", "one")]], ["1 0"], False, 1),
    case("an event for two, all notified", INT,
         [[("wait", "x", 0)], [("wait", "x", 0)], [("store", "x", 1), ("notify", "x", "all")]],
         ["1 0"], False, 1),
    case("an event for two, one notified", INT,
         [[("wait", "x", 0)], [("wait", "x", 0)], [("store", "x", 1), ("notify", "x", "one")]],
         ["1 0"], True, slow=True),
    # Not a futex: all are woken.
    case("an event of a char for two, one notified", {"x": "char"},
         [[("wait", "x", 0)], [("wait", "x", 0)], [("store", "x", 1), ("notify", "x", "one")]],
         ["1 0"], False, slow=True),
    case("one after the other is notified", INT,
         [[("wait", "x", 0), ("notify", "x", "one")], [("wait", "x", 0), ("notify", "x", "one")],
          [("store", "x", 1), ("notify", "x", "one")]], ["1 0"], False, slow=True),
    case("no notification", INT, [[("wait", "x", 0)], [("store", "x", 1)]], ["1 0"], True),
    case("a notification before the change", INT,
         [[("wait", "x", 0)], [("notify", "x", "all"), ("store", "x", 1)]], ["1 0"], True),
    case("a notification of another word", TWO,
         [[("wait", "x", 0)], [("store", "x", 1), ("notify", "y", "all")]], ["1 0 0"], True),
    case("a notification by who does not know whether it is time", INT,
         [[("wait", "x", 0)], [("store", "x", 1)], [("notify", "x", "all")]], ["1 0"], True),
    case("a notification by who knows that it is time", TWO,
         [[("wait", "x", 0)], [("store", "x", 1), ("store", "y", 1), ("notify", "y", "all")],
          [("wait", "y", 0), ("notify", "x", "all")]], ["1 1 0"], False),
    case("the one that is woken waits for something else", INT,
         [[("until", "x", 2)], [("wait", "x", 0)], [("store", "x", 1), ("notify", "x", "one")]],
         [], True, slow=True),
    case("a notification after a wait for the answer", TWO,
         [[("wait", "x", 0), ("store", "y", 1), ("notify", "y", "one")],
          [("store", "x", 1), ("wait", "y", 0), ("notify", "x", "one")]], ["1 1 0"], True),
    case("a notification under a mutex that the sleeper holds", INT,
         [[("locked", [("wait", "x", 0)])], [("store", "x", 1), ("locked", []),
                                             ("notify", "x", "one")]], ["1 0"], True),
    case("an event that is taken back", INT,
         [[("wait", "x", 0)], [("store", "x", 1), ("notify", "x", "one"), ("store", "x", 0)]],
         ["0 0"], True),
    case("an event that is taken back before the notification", INT,
         [[("wait", "x", 0)], [("store", "x", 1), ("store", "x", 0), ("notify", "x", "one")]],
         ["0 0"], True),
    case("an event that is armed again by who waited", TWO,
         [[("wait", "x", 0), ("store", "x", 0), ("store", "y", 1), ("notify", "y", "one"),
           ("wait", "x", 0)],
          [("store", "x", 1), ("notify", "x", "one"), ("wait", "y", 0), ("store", "x", 1),
           ("notify", "x", "one")]], ["1 1 0"], False, 1),
    case("two stores, one notification", INT,
         [[("until", "x", 2)], [("store", "x", 1), ("store", "x", 2), ("notify", "x", "one")]],
         ["2 0"], False, 2),
    case("a store of the same value", INT,
         [[("wait", "x", 0)], [("store", "x", 0), ("notify", "x", "all")]], [], True),
    case("a notification after a join", INT,
         [[("wait", "x", 0)], [("store", "x", 1), ("join", 0), ("notify", "x", "one")]], ["1 0"],
         True, main=True),
    case("a notification after a latch", INT,
         [[("wait", "x", 0), ("count", 1)],
          [("store", "x", 1), ("lwait",), ("notify", "x", "one")]],
         ["1 0"], True),
    case("a word that tells about a variable", INT,
         [[("checked", "x")],
          [("locked", [("put", 1)]), ("add", "x", 1), ("notify", "x", "all")]], ["1 1"], False),
    case("a word that tells about a variable too early", INT,
         [[("checked", "x")],
          [("add", "x", 1), ("notify", "x", "all"), ("locked", [("put", 1)])]],
         ["1 1"], True, slow=True),
    case("two words are looked at, and one is waited for", TWO,
         [[("either", "x", 1, "y", 1)], [("store", "y", 1), ("notify", "y", "all")]], ["0 1 0"],
         True),
    # Locks.
    case("the one that is notified does not want the lock", INT,
         [GIVE, [("wait", "x", 1)], lock("takeswap", GIVE)], ["0 1"], True, start={"x": 1},
         slow=True),
    case("a lock of exchange", INT, [lock("takeswap", GIVE)] * 2, ["0 2"], False, 2),
    case("a lock of exchange, three threads", INT,
         [lock("takeswap", [GIVE[0], ("notify", "x", "all")])] * 3, ["0 3"], False, 6),
    case("a lock of atomic_flag", {"x": "flag"}, [lock("takeswap", GIVE)] * 2, ["0 2"], False, 2),
    case("a lock of compare_exchange", {"x": "bool"}, [lock("takecas", GIVE)] * 2, ["0 2"], False,
         2),
    case("a lock that is given back without notification", INT,
         [lock("takeswap", GIVE[:1])] * 2, ["0 2"], True),
    case("a lock with three states", INT, [lock("takethree", GIVE_THREE)] * 2, ["0 2"], False),
    case("a lock with three states and a wrong one", INT,
         [lock("takethree", [("swapped", "x", 0, 1, [("notify", "x", "one")])])] * 2, ["0 2"],
         True),
    case("tickets, all notified", TWO, [[*TICKET, ("notify", "x", "all")]] * 2, ["2 2 2"], False,
         2),
    case("tickets of three, all notified", TWO, [[*TICKET, ("notify", "x", "all")]] * 3,
         ["3 3 3"], False, 6),
    case("tickets of three, one notified", TWO, [[*TICKET, ("notify", "x", "one")]] * 3,
         ["3 3 3"], True, slow=True),
    # Turns.
    *[case(f"ping-pong, two rounds, notify_{how}", INT,
           [[(kind, "x", *more) for turn in turns
             for kind, *more in (("until", turn), ("store", turn + 1), ("notify", how))]
            for turns in ((0, 2), (1, 3))], ["4 0"], False, most, slow=how == "one")
      # Which of several sleepers notify_one wakes could matter.
      for how, most in (("one", None), ("all", 1))],
    case("ping-pong of two values, two rounds", {"x": "bool"},
         [[("until", "x", me), ("inc",), ("store", "x", 1 - me), ("notify", "x", "all")] * 2
          for me in (0, 1)], ["0 4"], False, 1),
    # Semaphores.
    case("a semaphore for an event", {}, [[("acquire",), ("plain",)], [("put", 1), ("release", 1)]],
         ["1 1"], False),
    case("a semaphore as a mutex", {}, [[("acquire",), ("inc",), ("release", 1)]] * 2, ["2"], "old",
         units=1),
    case("one unit for two", {}, [[("acquire",)], [("acquire",)], [("release", 1)]], [], True,
         slow=True),
    case("two units for two", {}, [[("acquire",)], [("acquire",)], [("release", 2)]], ["0"], False,
         slow=True),
    # Latches.
    case("a latch for two", {}, [[("larrive",), ("plain",)], [("put", 1), ("larrive",)]], ["1 1"],
         False, 2, latch=2),
    case("a latch for main", {}, [[("count", 1)], [("count", 1)], [("lwait",)]], ["0"], False, 2,
         latch=2, main=True),
    case("a latch that stays closed", {}, [[("larrive",)], [("count", 1)]], [], True, latch=3),
    # Barriers.
    case("a barrier, two rounds", INT,
         [[("add", "x", 1), ("bwait",), ("load", "x"), ("bwait",)]] * 2, ["2 2 2 0"], False, 8),
    case("a barrier that counts its rounds", INT, [[("bwait",), ("load", "x"), ("bwait",)]] * 2,
         ["1 1 2 0"], False, 4, completion="x"),
    case("a barrier that one leaves", {}, [[("bdrop",)], [("bwait",), ("bwait",)]], ["0"], False,
         2),
    case("a barrier that one does not come to", {}, [[("bwait",)], [("bwait",), ("bwait",)]], [],
         True),
]
