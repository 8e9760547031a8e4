"""Signals while a question is answered about a trace or a model: the partial answer is printed."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import time

from fault_tools import SIGNALS, Sandbox, let_run

MODELS = pathlib.Path(__file__).resolve().parents[2] / "examples/models"
GRID = ["generate", "grid", "10", "12", "-o", "in.std"]
LOCKS = ["generate", "locks", "12", "300000", "--variables=12", "--locks=12", "--joins=0", "-o",
         "in.std"]
# Its cycles take seconds, and would be gigabytes of schedules.
MORE_LOCKS = [word.replace("300000", "1000000") for word in LOCKS]
# NAME: what makes the input, the question, the status, what a partial answer says.  The status of a
# command that answers nothing is that of the signal.
QUESTIONS = {
    "states": (GRID, ["states", "-a", "lex", "in.std"], 3, "at least"),
    "states shared": (GRID, ["states", "-a", "lex", "-j", "2", "in.std"], 3, "at least"),
    "detect": (GRID, ["detect", "-a", "lex", "in.std", "(pos(T1) * 3 + pos(T2) * 5) % 1009 == 1008"], 3, "not complete"),
    "nondet": (LOCKS, ["nondet", "--all", "in.std"], 1, "can see"),
    "race": (LOCKS, ["race", "--all", "in.std"], 1, "race"),
    "deadlock": (MORE_LOCKS, ["deadlock", "--summary", "in.std"], 1, "deadlock"),
    "explore": (None, ["explore", "-a", "naive", "-D", "N=12", MODELS / "last-zero.hdm"], 3,
                "not complete"),
    "explore shared": (None, ["explore", "-a", "sdpor", "-j", "2", "-D", "N=22",
                              MODELS / "last-zero.hdm"], 3, "not complete"),
    "check": (LOCKS, ["check", "--time=60", "in.std"], 1, "not decided"),
    "convert": (None, ["convert", "-", "out.htr"], 3, ""),
    "info": (None, ["info", "-"], 3, ""),
    "generate": (None, ["generate", "grid", "1000", "200000", "-o", "out.std"], 3, ""),
    "serve": (["generate", "grid", "2", "2", "-o", "in.std"], ["view", "--serve", "in.std"],
              "signal", "http://127.0.0.1"),
}
BEGUN, AGAIN = 1.0, 0.35
LATEST = 9.0  # by then a finding is there, also on a busy machine


def cases(quick):
    names = ("TERM",) if quick else tuple(SIGNALS)
    for question, name, form in itertools.product(QUESTIONS, names, ("text", "json", "twice")):
        answers = QUESTIONS[question][3] != "" and QUESTIONS[question][2] != "signal"
        if name == "KILL" and form != "text" or not answers and form != "text" or \
                quick and (form != "text" or " " in question):
            continue
        yield question, name, form


def title(case):
    return f"question {case[0]} {case[2]} SIG{case[1]}"


def wrong_json(text):
    text = re.sub(r"heddle: [^\n]*\n", "", text)  # a note on standard error may come in between
    begin = text.find('{"heddle"')
    try:
        answer = json.loads(text[begin:text.rindex("}") + 1])
    except ValueError as error:
        return f"not JSON: {error}: {text[-300:]}"
    reasons = answer.get("verdict", {}).get("why_not", [])
    if answer["complete"] or not any(r["code"] == "interrupted" for r in reasons):
        return f"the JSON does not say that it was interrupted: {reasons}"
    return None


def wrong_answer(case, status, cut, again, text):
    question, name, form = case
    _, _, right, word = QUESTIONS[question]
    if not cut:
        return f"it ended before the signal, with status {status}"
    statuses = {-SIGNALS[name]} if name == "KILL" or right == "signal" or again else {right}
    if again:
        statuses.add(right)  # it was ending when the second came
    if status not in statuses:
        return f"status {status}, not one of {statuses}"
    if status < 0:
        return None
    if form == "json":
        return wrong_json(text)
    return None if word in text else f"no partial answer ('{word}')"


def interrupt(case, heddle, box, begun):
    """Asks, and sends the signal after so many seconds; the status, whether the question was still
    open then, and whether it still was at the second signal."""
    question, name, form = case
    words = QUESTIONS[question][1]
    cut, again = False, False

    def act(process):
        nonlocal cut, again
        cut = let_run(process, begun)
        process.send_signal(SIGNALS[name])
        if form == "twice":
            time.sleep(AGAIN)
            again = process.poll() is None
            process.send_signal(SIGNALS[name])

    if form == "json":
        words = [words[0], "--json", *words[1:]]
    silent, pipe = os.pipe()  # of which nothing ever comes
    status = box.run([heddle, *words], act, stdin=silent)
    os.close(silent)
    os.close(pipe)
    return status, cut, again


def wrong(case, heddle, _):
    question, name, _ = case
    made, _, right, _ = QUESTIONS[question]
    begun = BEGUN
    with Sandbox() as box:
        if made and box.run([heddle, *made]) != 0:
            return f"no input: {box.text}"
        status, cut, again = interrupt(case, heddle, box, begun)
        while right == 1 and name != "KILL" and status in (3, -SIGNALS[name]) and cut and \
                not again and begun < LATEST:
            begun *= 3  # the machine was busy: still reading, or nothing found yet
            status, cut, again = interrupt(case, heddle, box, begun)
        bad = box.crash(status) or (box.leftovers() if name != "KILL" else None) or \
            wrong_answer(case, status, cut, again, box.text)
        return f"{bad}; it said: {box.text[-500:]}" if bad else None


# ---- A recording that is replayed ----

def replay_cases(quick):
    for name in ("TERM",) if quick else tuple(SIGNALS):
        yield (name,)


def replay_title(case):
    return f"replay of a recording SIG{case[0]}"


def wrong_replay(case, heddle, program):
    """The program waits for its input, which is not there: with the replay stands the program."""
    name = case[0]
    number = SIGNALS[name]
    with Sandbox() as box:
        if box.run([heddle, "record", "-o", "out.htr", "--", program, "input"]) != 0:
            return f"cannot record: {box.text}"
        silent, pipe = os.pipe()

        def act(process):
            try:
                process.wait(BEGUN)
            except subprocess.TimeoutExpired:
                pass
            process.send_signal(number)

        status = box.run([heddle, "replay", program, "out.htr", "input"], act, stdin=silent)
        os.close(silent)
        os.close(pipe)
        bad = box.crash(status) or box.leftovers()
        if not bad and status != (-9 if name == "KILL" else 3):
            bad = f"status {status}"
        if not bad and name != "KILL" and f"ended by SIG{name}" not in box.text:
            bad = "the signal is not named"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None
