"""A free recording whose process ends while a thread is in the midst of recording something: at each
instruction of that, or at some of them.  The thread is stopped there by hold.c."""
import os
import pathlib
import subprocess

from fault_tools import Sandbox, Skipped

HERE = pathlib.Path(__file__).resolve().parent
# What the thread does, and how many instructions it may take; '+': they are counted from its birth.
ACTS = {"page": 1000, "again": 1000, "lock": 1500, "block": 1500, "thread": 4000, "+birth": 30000}
ENDS = ("_exit", "exit", "abort", "segfault", "kill")
MOMENTS = {False: 300, True: 3000}  # of a case, at most; the second with --long
KILLED = {False: 5, True: 25}       # a free program that is killed is waited for, as heddle may be killed too
long = False
RECORDED = ("w8(used=11)", "w8(fresh[1]=33)")  # before the moment, and after it by the other thread


def cases(quick):
    """(what the thread does, how the process ends, instructions from moment to moment)"""
    if quick:
        yield "page", "_exit", 16
        yield "+birth", "abort", 3000
        return
    for act, most in ACTS.items():
        for end in ENDS:
            wanted = KILLED[long] if end == "kill" else MOMENTS[long]
            yield act, end, max(most // wanted, 1)


def title(case):
    act, end, step = case
    return f"{end} in the midst of {act.strip('+')}, at {len(moments(case))} moments, {step} instructions apart"


def moments(case):
    act, _, step = case
    return range(0, ACTS[act], step)


def make(heddle, folder):
    """The programs, in the folder."""
    subprocess.run(["cc", "-O1", "-o", os.path.join(folder, "hold"), HERE / "hold.c"], check=True)
    subprocess.run([heddle, "cc", "-O1", "-g", "-Wl,-z,now", "-o", os.path.join(folder, "moment"),
                    HERE / "moment.c"], check=True)


def wrong_at(moment, act, end, heddle, folder):
    """What is wrong if the thread is stopped after so many instructions."""
    birth = "+" if act[0] == "+" else ""
    what = "again" if birth else act
    with Sandbox() as box:
        box.run([heddle, "record", "--free", "-o", "out.htr", "--", os.path.join(folder, "hold"),
                 f"{birth}{moment}", os.path.join(folder, "moment"), what, end])
        if "not allowed to trace" in box.text:
            return Skipped("processes may not be traced here")
        bad = box.crash(0) or box.leftovers()
        if "let go" in box.text and end != "exit":  # which takes locks of the C library
            bad = "the process does not end while the thread is stopped"
        status = box.run([heddle, "convert", "out.htr", "-"]) if not bad else 0
        if bad or status or "incomplete" in box.text:
            return f"{bad or ''}{box.text}"
        events = box.text.replace(".certain", "")
        lost = [text for text in RECORDED[bool(birth):] if text not in events]
        return f"{lost} is not in the trace" if lost else None


def wrong(case, heddle, program):
    act, end, _ = case
    for moment in moments(case):
        bad = wrong_at(moment, act, end, heddle, os.path.dirname(program))
        if bad:
            return bad if isinstance(bad, Skipped) else f"after {moment} instructions: {bad}"
    return None
