"""How programs end x what heddle does with them x signals that come meanwhile."""
import itertools
import os
import time

from fault_tools import SIGNALS, Sandbox, is_pending, let_run

MODES = {
    "record": ["record", "-o", "out.htr", "--"],
    "free": ["record", "--free", "-o", "out.htr", "--"],
    "explore": ["explore", "--"],
    "workers": ["explore", "-j", "2", "--"],
    "race": ["race", "--"],
    "deadlock": ["deadlock", "--"],
    "check": ["check", "--"],
    "nondet": ["nondet", "--"],
    "online": ["detect", "--online", "-e", "count(never) > 1", "--"],
    "online-free": ["detect", "--online", "--free", "-e", "count(never) > 1", "--"],
}
LIVE = ("record", "free", "online", "online-free")  # it runs once, for as long as it likes
FREE = ("free", "online-free")  # it may start processes
FORKING = ("fork", "family")
# Ends by itself; the statuses in the order of MODES, None where that is not asked.  Under control
# exec is refused, and the program returns 0: then answers about it are shaky.  What a run that
# crashes would have done is not known.  A deadlock of a free run is not seen as one.
ENDING = {
    "exit": [1, 1, 1, 1, 0, 0, 1, 0, 0, 0],
    "abort": [1, 1, 1, 1, 0, 0, 1, 0, 3, 3],
    "segfault": [1, 1, 1, 1, 0, 0, 1, 0, 3, 3],
    "exec": [0, 3, 3, 3, 3, 3, 3, 3, 3, 3],
    "deadlock": [1, None, 1, 1, 0, 1, 1, 0, 3, None],
}
STAYING = ["spin", "threads", "deadlock", *FORKING, "stubborn", "handler"]
DELAY, AGAIN = 0.7, 0.35
GRACE = 0.9  # a program that does not end by the first signal is killed after a second


def cases(quick):
    """(mode, how it ends, signal, to the group, twice)"""
    for how, (number, mode) in itertools.product(ENDING, enumerate(MODES)):
        if ENDING[how][number] is not None and (not quick or mode in ("record", "free")):
            yield mode, how, "", False, False
    for mode, how, name, group, twice in itertools.product(
            MODES, STAYING, SIGNALS, (False, True), (False, True)):
        if name == "KILL" and twice or how in FORKING and mode not in FREE:
            continue
        usual = (how == "spin" and not twice and not group and
                 (name == "TERM" or name == "KILL" and mode in ("record", "explore", "online-free")) or
                 how == "spin" and mode == "record" and not group and not twice or
                 mode == "free" and how in ("fork", "stubborn") and name == "HUP" and not group or
                 mode == "free" and how == "family" and not twice and
                 (name, group) in (("INT", True), ("TERM", False), ("KILL", True)) or
                 mode == "online-free" and how == "family" and name == "TERM" and group and
                 not twice or
                 mode == "explore" and how == "spin" and name == "INT" and group)
        if not quick or usual:
            yield mode, how, name, group, twice


def title(case):
    mode, how, name, group, twice = case
    words = [mode, how]
    if name:
        words += [f"SIG{name}", "to the group" if group else "to heddle"]
    return " ".join(words + (["twice"] if twice else []))


class Sender:
    """Sends the signals; .cut: it still ran then, .again: and when the second one was sent, which
    on a busy machine may be .late: when what does not end by the first one has been killed."""

    def __init__(self, name, group, twice):
        self.number, self.group, self.twice = SIGNALS.get(name), group, twice
        self.cut = self.again = self.late = False

    def send(self, process):
        try:
            (os.killpg if self.group else os.kill)(process.pid, self.number)
        except ProcessLookupError:
            pass

    def __call__(self, process):
        if not self.number:
            return
        if let_run(process, DELAY):
            self.cut = True
            first = time.monotonic()
            self.send(process)
            while self.twice and is_pending(process.pid, self.number):
                time.sleep(0.01)  # a second one would be the same one
            time.sleep(AGAIN if self.twice else 0)
            self.again = self.twice and process.poll() is None
            self.late = time.monotonic() - first > GRACE
            if self.again:
                self.send(process)


def expected(case, sender, text):
    """The statuses that are right, as far as what it said and when it was cut decide that."""
    mode, how, name, group, _ = case
    if not sender.cut:
        return {ENDING[how][list(MODES).index(mode)]} if how in ENDING else {"cut"}
    if name == "KILL":
        return {-9}
    if sender.again and not sender.late and how == "stubborn" and mode in LIVE:
        return {-SIGNALS[name]}  # it cannot have ended by the first
    right = {-SIGNALS[name]} if sender.again else set()
    if mode == "check" and "not replayed on the program" in text:
        return right | {3}  # found, but the signal came before it was shown
    if how == "deadlock" and ("deadlock:" in text or "deadlock on " in text):
        return right | {1}  # found before the signal came
    # Its own handler of SIGTERM lets it return 0; heddle was asked to end all the same.
    return right | {3}


def wrong(case, heddle, program):
    mode, how, name, group, twice = case
    with Sandbox() as box:
        sender = Sender(name, group, twice)
        status = box.run([heddle, *MODES[mode], program, how], sender)
        bad = box.crash(status) or (f"left running: {box.left}" if box.left else None)
        bad = bad or (box.leftovers() if status != -9 else None)
        right = expected(case, sender, box.text)
        if not bad and status not in right:
            bad = f"status {status}, not one of {sorted(right)}"
        if not bad and sender.cut and status == 3 and f"SIG{name}" not in box.text \
                and "interrupted" not in box.text:
            bad = "the signal is not named"
        bad = bad or box.bad_traces(heddle)
        if not bad and mode in ("record", "free") and status in (0, 1, 3) \
                and not (box.work / "out.htr").exists():
            bad = "no trace was kept"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None
