"""Signals while a source is compiled: the compiler ends, with all processes that it has started."""
import itertools
import os

from fault_tools import SIGNALS, Sandbox, let_run

SOURCE = """#include <pthread.h>
#ifdef PIPE
#include "pipe.h"
#endif
int x;
static void *other(void *none) { x = 1; return none; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); x = 2; pthread_join(t, 0); return 0; }
"""
PREDICATE = '#include "pipe.h"\n'
# What stands for the compiler.  The second preprocesses as usual; the third does not end when it is
# asked to; the last one is the compiler itself, which reads a pipe that nobody writes to.
COMPILERS = {
    "waits": "sleep 60; exit 1\n",
    "waits later": 'case " $* " in *" -E "*) exec gcc "$@" ;; esac; sleep 60\n',
    "stays": "trap '' TERM INT HUP QUIT; sleep 60 & sleep 60; sleep 60\n",
    "forks": "(setsid sleep 60) & sleep 60 & exec sleep 60\n",
    "gcc": 'exec gcc -DPIPE "$@"\n',
}
COMMANDS = {
    "check": ["check", "a.c"],
    "several": ["check", "a.c", "b.c"],
    "sv-comp": ["check", "--sv-comp=no-data-race", "a.c"],
    "race": ["race", "a.c"],
    "deadlock": ["deadlock", "a.c"],
    "explore": ["explore", "a.c"],
    "preprocessed": ["explore", "a.i"],
    "online": ["detect", "--online", "-e", "count(x) > 9", "a.c"],
    "predicate": ["detect", "--predicate", "p.c", "in.std"],
    "cc": ["cc", "-c", "a.c"],
}
# Of cc the preprocessor: then heddle becomes the compiler, whose signals are its own.
BEGUN, AGAIN = 0.4, 0.25


def cases(quick):
    """(command, compiler, signal, to the group, twice)"""
    for command, compiler, name, group, twice in itertools.product(
            COMMANDS, COMPILERS, SIGNALS, (False, True), (False, True)):
        if name == "KILL" and twice or command == "preprocessed" and compiler == "gcc" or \
                command == "cc" and (compiler == "waits later" or compiler != "waits" and name == "KILL") or \
                group and name != "INT" or twice and compiler != "stays":
            continue
        few = compiler in ("stays", "gcc") and name in ("TERM", "KILL") and not group and \
            command in ("check", "explore", "predicate")
        if not quick or few and not twice:
            yield command, compiler, name, group, twice


def title(case):
    command, compiler, name, group, twice = case
    return f"{command}, the compiler {compiler}, SIG{name}{' to the group' if group else ''}" \
        f"{' twice' if twice else ''}"


def fill(box, compiler):
    """The files of a case."""
    work = box.work
    for name in ("a.c", "b.c"):
        (work / name).write_text(SOURCE)
    (work / "a.i").write_text("int main(void) { return 0; }\n")
    (work / "p.c").write_text(PREDICATE)
    (work / "in.std").write_text("t1|w(x)|a.c:1\n")
    os.mkfifo(work / "pipe.h")
    slow = work.parent / "slow"
    slow.write_text(f"#!/bin/sh\n{COMPILERS[compiler]}")
    slow.chmod(0o755)
    return {"HEDDLE_CC": str(slow), "CC": str(slow)}


def wrong(case, heddle, _):
    command, compiler, name, group, twice = case
    number = SIGNALS[name]
    again = cut = False

    def act(process):
        nonlocal again, cut
        cut = let_run(process, BEGUN)
        send = (lambda: os.killpg(process.pid, number)) if group else (lambda: process.send_signal(number))
        send()
        if twice and let_run(process, AGAIN):
            again = True
            send()

    with Sandbox() as box:
        status = box.run([heddle, *COMMANDS[command]], act, **fill(box, compiler))
        left = [p.name for p in box.tmp.iterdir()] if name != "KILL" else []
        bad = None if cut else f"it ended by itself, with status {status}"
        bad = bad or box.crash(status) or (f"left running: {box.left}" if box.left else None) or \
            (f"left behind: {left}" if left else None)
        right = {-number} if name == "KILL" or command == "cc" else {3, -number} if again else {3}
        if not bad and status not in right:
            bad = f"status {status}, not one of {sorted(right)}"
        if not bad and status == 3 and f"ended by SIG{name}" not in box.text:
            bad = "the signal is not named"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None
