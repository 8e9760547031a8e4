"""Programs of realistic size with seeded errors (bench/realistic): what heddle, ThreadSanitizer and
Helgrind find of each error, and what they report of the versions without one.

    make bench realistic
    bench/run realistic --only store --seconds 20 --runs 10 --part errors

Three tables.  `errors`: for each seeded error who finds it.  `size`: the columns of the paper of
Shacham, Sagiv and Schuster, for what is a race.  `cuts`: how much of a recording a witness needs, and
what it would help to cut the threads off that it does not need.

An error counts as found if what is reported has one of the lines that are marked `bug N` in the
sources, or if the run fails or hangs as it must.  Everything else that is reported counts as another
report: of the version without error it is a false alarm.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

TAKES_OPTIONS = True
ROOT = pathlib.Path(__file__).resolve().parent / "realistic"
PARTS = ("errors", "size", "cuts")
PLACE = re.compile(r"([\w.-]+\.c):(\d+)")
# The same work, for tools that see what comes by chance: more of it finds more.
MORE = {"pack": ["-n", "100", "-b", "1000", "-w", "4"], "serve": ["-c", "6", "-r", "50", "-w", "4"],
        "store": ["-c", "4", "-r", "50"]}
HANGS = 5  # seconds after which a run without heddle hangs

Bug = collections.namedtuple("Bug", "program number kind arguments error needed")


def read_bugs(only):
    with open(ROOT / "bugs.tsv", newline="") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t",
                              quoting=csv.QUOTE_NONE)
        bugs = [Bug(row["program"], int(row["bug"]), row["kind"], row["arguments"].split(),
                    row["error"], row["needed"]) for row in rows]
    return [bug for bug in bugs if only in f"{bug.program} {bug.number}"]


def sources(program):
    return sorted(str(path) for path in (ROOT / program).glob("*.c"))


def lines_of(program):
    return sum(len(path.read_text().splitlines()) for path in (ROOT / program).glob("*.[ch]"))


def marked(bug):
    """The lines of an error: (file, line)."""
    mark = re.compile(rf"/\*.*\bbug {bug.number}\b.*\*/")
    return {(path.name, number) for path in (ROOT / bug.program).glob("*.[ch]")
            for number, line in enumerate(path.read_text().splitlines(), 1) if mark.search(line)}


def places_in(text):
    return {(name, int(line)) for name, line in PLACE.findall(text)}


def execute(words, seconds, **more):
    """Output, error output, status (None: it had to be ended), and CPU seconds."""
    before = os.times()
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors="replace",
                             start_new_session=True, **more)
    try:
        out, err = child.communicate(timeout=seconds)
        status = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        status = None
    after = os.times()
    cpu = (after.children_user + after.children_system - before.children_user -
           before.children_system)
    return out, err, status, cpu


# --- heddle ---------------------------------------------------------------------------------------

def places_of(finding):
    """Where a finding is: of a race both accesses, of a deadlock what each thread waits for."""
    found = {(pathlib.Path(place["file"]).name, place["line"])
             for place in finding.get("places", []) if place.get("file")}
    for key in ("first_location", "second_location", "message"):
        found |= places_in(str(finding.get(key) or ""))
    return found


class Heddle:
    def __init__(self, bench, seconds):
        self.bench, self.seconds = bench, seconds

    def build(self, program, number):
        path = self.bench.path(f"{program}-{number}")
        if not os.path.exists(path):
            self.bench.prepare(self.bench.heddle, "cc", "-g", "-O1", f"-DBUG={number}", "-pthread",
                               "-o", path, *sources(program))
        return path

    def ask(self, command, *words, limited=True):
        """The answer, and the findings that are no notes."""
        limit = [f"--time={self.seconds}"] if limited else []
        start = time.monotonic()
        out, err, status, cpu = execute([self.bench.heddle, command, "--json", *limit, *words],
                                    6 * self.seconds + 60)
        if status not in (0, 1, 3):
            raise SystemExit(f"bench: {command} {words}: status {status}: {err}")
        answer = json.loads(out)
        answer["wall"], answer["cpu"] = time.monotonic() - start, cpu
        findings = [f for f in answer["findings"]
                    if f.get("level") != "note" and f.get("rule") != "nondet"]
        return answer, findings

    def record(self, path, arguments):
        trace = self.bench.path("trace.htr")
        execute([self.bench.heddle, "record", "-q", f"--timeout={self.seconds}", "-o", trace, "--", path,
             *arguments], 6 * self.seconds + 60)
        return trace

    def questions(self, bug):
        """Each question with its findings, one after the other."""
        path, arguments = self.build(bug.program, bug.number), bug.arguments
        yield "race", *self.ask("race", "--", path, *arguments)
        yield "deadlock", *self.ask("deadlock", "--", path, *arguments)
        yield "check", *self.ask("check", "-o", self.bench.path("check"), "--", path, *arguments)
        trace = self.record(path, arguments)
        answer, findings = self.ask("race", trace)
        yield "record", answer, findings + self.ask("deadlock", trace)[1]


# --- the others -----------------------------------------------------------------------------------

ACCESS = re.compile(r"(?i)^  (previous )?(atomic )?(read|write) of size|^  mutex m\d+ .*acquired here"
                    r"|^  .*heap-use-after-free|^  mutex m\d+ previously acquired")
FRAME = re.compile(r"^    #\d+ .*?([\w.-]+\.c):(\d+)")


def tsan_reports(text):
    """Of each report the innermost places in the program, one for each of its stacks."""
    for report in text.split("WARNING: ThreadSanitizer: ")[1:]:
        places, looking = set(), False
        for line in report.split("SUMMARY:")[0].splitlines():
            if not line.startswith("    "):
                looking = bool(ACCESS.match(line))
                continue
            frame = FRAME.match(line)
            if looking and frame:
                places.add((frame[1], int(frame[2])))
                looking = False
        yield report.split("(")[0].strip(), places


def helgrind_reports(text):
    """The same of Helgrind: blocks of lines, of which each stack begins with `at`."""
    text = re.sub(r"^==\d+== ?", "", text, flags=re.M)
    for block in re.split(r"^-{20,}.*$", text, flags=re.M):
        if not re.search(r"data race|lock order|Thread #\d+:.*(freed|destroy|exiting|lock)", block):
            continue
        places = set()
        for stack in re.split(r"^ *at ", block, flags=re.M)[1:]:
            at = PLACE.search(stack)
            if at:
                places.add((at[1], int(at[2])))
        if places:
            yield places


def more_of(bug):
    return [*bug.arguments, *MORE[bug.program]]


class Tsan:
    """So many runs with the same work as heddle, and as many with more work; an error is found in
    as many of them."""

    def __init__(self, bench, runs):
        self.bench, self.runs = bench, runs
        self.fixed = ["setarch", "-R"] if shutil.which("setarch") else []

    def ask(self, bug, lines):
        path = self.bench.path(f"{bug.program}-tsan")
        self.bench.prepare("gcc", "-g", "-O1", "-fsanitize=thread", f"-DBUG={bug.number}", "-pthread",
                           "-o", path, *sources(bug.program))
        others = set()
        less = self.count(path, bug, bug.arguments, lines, others)
        more = self.count(path, bug, more_of(bug), lines, others)
        return (f"{less}/{self.runs}" if bug.kind else "-",
                f"{more}/{self.runs}" if bug.kind else "-", len(others))

    def count(self, path, bug, arguments, lines, others):
        found = 0
        for _ in range(self.runs):
            _, err, status, _ = execute([*self.fixed, path, *arguments], HANGS)
            reports = {frozenset(places) for _, places in tsan_reports(err)}
            hit = [places for places in reports if places & lines]
            failed = status is None or (status < 0 or "ssertion" in err)
            found += bool(hit) or (failed and bug.kind in ("failure", "hang", "cycle"))
            others |= {places for places in reports if not places & lines}
            if failed and not bug.kind:
                others.add(frozenset({("failed", status or 0)}))
        return found


class Helgrind:
    def __init__(self, bench):
        self.bench = bench

    def ask(self, bug, lines):
        path = self.bench.path(f"{bug.program}-plain")
        self.bench.prepare("gcc", "-g", "-O1", f"-DBUG={bug.number}", "-pthread", "-o", path,
                           *sources(bug.program))
        _, err, status, _ = execute(["valgrind", "--tool=helgrind", path, *more_of(bug)],
                                    12 * HANGS)
        reports = {frozenset(places) for places in helgrind_reports(err)}
        failed = status is None or "ssertion" in err
        found = any(places & lines for places in reports)
        found |= failed and bug.kind in ("failure", "hang", "cycle")
        return "yes" if found else "no" if bug.kind else "-", len({places for places in reports if not places & lines})


# --- the tables -----------------------------------------------------------------------------------

def seconds_of(findings, answer):
    first = [f["seconds"] for f in findings if "seconds" in f]
    return f"{min(first):.2f}" if first else f"({answer['wall']:.1f})"


def errors(bench, bugs, options):
    heddle = Heddle(bench, options.seconds) if options.tools != "others" else None
    tsan = Tsan(bench, options.runs) if options.tools != "heddle" else None
    helgrind = Helgrind(bench) if tsan and shutil.which("valgrind") else None
    rows, missed = [], []
    programs = list(dict.fromkeys(bug.program for bug in bugs))
    clean = [Bug(program, 0, None, [], "no error", "") for program in programs]
    clean += [Bug("pack", 0, None, ["-c", "1"], "no error", "")] if "pack" in programs else []
    for bug in bugs + clean:
        lines = marked(bug) if bug.kind else set()
        row = [f"{bug.program} {bug.number or 'clean'} {' '.join(bug.arguments)}".strip(),
               bug.kind or "-"]
        found, others = False, 0
        for name, answer, findings in heddle.questions(bug) if heddle else []:
            hits = [f for f in findings if places_of(f) & lines]
            found |= bool(hits)
            others += len(findings) - len(hits)
            row.append(seconds_of(hits, answer) if hits else "-")
        row += [others] if heddle else ["-"] * 5
        row += tsan.ask(bug, lines) if tsan else ["-"] * 3
        row += helgrind.ask(bug, lines) if helgrind else ["-"] * 2
        rows.append(row)
        print("  " + "  ".join(str(cell) for cell in row), flush=True)
        if heddle and bug.kind and not found:
            missed.append(f"{bug.program} {bug.number}: not found: {bug.error}")
        if not bug.kind and others:
            missed.append(f"{bug.program}: {others} false alarms")
    bench.table(f"seeded errors: seconds until heddle found them, of {options.seconds} (in brackets: "
                "of the whole answer), and who else did",
                ["version", "kind", "race", "deadlock", "check", "record", "other", "TSan", "more", "other",
                 "Helgrind", "other"], rows)
    return missed


def peak_of(words, seconds):
    """Most memory of the command or one of its children, in MiB."""
    script = ("import resource,subprocess,sys\n"
              "subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out, _, _, _ = execute(["python3", "-c", script, *words], seconds)
    return f"{int(out) / 1024:.0f}" if out.strip() else "-"


WAYS = [("solver", []), ("search", ["--no-predict"]), ("hint", ["--no-extend"]),
        ("no hint", ["--no-extend", "--no-hint"])]


def size(bench, bugs, options):
    """Lines, threads, events, warnings of lockset, races proved; time and states by each way."""
    heddle = Heddle(bench, options.seconds)
    rows, missed = [], []
    for bug in bugs:
        if bug.kind != "race":
            continue
        path, lines = heddle.build(bug.program, bug.number), marked(bug)
        trace = heddle.record(path, bug.arguments)
        info = json.loads(execute([bench.heddle, "info", "--json", trace], 60)[0])["result"]
        plain = heddle.ask("race", "--method=lockset-plain", "--summary", trace)[0]["result"]
        states = heddle.ask("race", "--method=lockset", "--summary", trace)[0]["result"]
        row = [f"{bug.program} {bug.number}", f"{lines_of(bug.program):,}", info["threads"],
               f"{info['events']:,}", plain["races"], states["races"]]
        for name, way in WAYS:
            answer, findings = heddle.ask("race", *way, "--", path, *bug.arguments)
            hits = [f for f in findings if places_of(f) & lines]
            if name == "solver":
                row += [len(findings), answer["result"]["unproved"]]
            first = min(hits, key=lambda f: f["seconds"], default=None)
            row += [f"{first['seconds']:.2f}" if first else "-",
                    f"{first['states']:,}" if first else f"({answer['result']['states']:,})"]
        row.append(peak_of([bench.heddle, "race", f"--time={options.seconds}", "--", path,
                            *bug.arguments], 6 * options.seconds + 60))
        rows.append(row)
        print("  " + "  ".join(str(cell) for cell in row), flush=True)
    bench.table(f"races: seconds to a replayed witness and states searched until then, of "
                f"{options.seconds} s each",
                ["race", "lines", "threads", "events", "lockset plain", "lockset", "proved",
                 "unproved", "solver, s", "states", "search, s", "states", "hint, s", "states",
                 "no hint, s", "states", "MiB"], rows)
    return missed


# --- what a witness needs --------------------------------------------------------------------------

def cut_threads(text, threads):
    """The trace without the threads that are not in the set, as if they had not been created."""
    kept = []
    for line in text.splitlines():
        parts = line.split("|")
        if line.startswith("#") or len(parts) < 2:
            continue
        about = re.fullmatch(r"(?:fork|join)\((.*)\)", parts[1])
        if parts[0] in threads and not (about and about[1] not in threads):
            kept.append(line)
    return "\n".join(kept) + "\n"


def cuts(bench, bugs, options):
    """For each race that a recording shows: the threads and events of its witness, the work of the
    solver for all questions of the trace, and the same of the trace without the threads that the
    witness does not need."""
    heddle = Heddle(bench, options.seconds)
    rows, missed = [], []
    for bug in bugs:
        if bug.kind != "race":
            continue
        path, lines = heddle.build(bug.program, bug.number), marked(bug)
        for seed in range(1, 13):
            trace = bench.path("trace.htr")
            execute([bench.heddle, "record", "-q", f"--seed={seed}", f"--timeout={options.seconds}", "-o",
                 trace, "--", path, *bug.arguments], 6 * options.seconds)
            whole, findings = heddle.ask("race", trace)
            hits = [f for f in findings if places_of(f) & lines]
            if hits:
                break
        if not hits:
            rows.append([f"{bug.program} {bug.number}", *(["-"] * 12)])
            continue
        hit = min(hits, key=lambda f: len(f["schedule"]))
        whole_text = bench.path("whole.std")
        bench.prepare(bench.heddle, "convert", "-q", "-t", "text", trace, whole_text)
        text = pathlib.Path(whole_text).read_text()
        events = [line.split("|") for line in text.splitlines()
                  if line and not line.startswith("#")]
        needed = {events[number - 1][0] for number in [*hit["schedule"], hit["first"],
                                                       hit["second"]]}
        every = {event[0] for event in events}
        part = bench.path("part.std")
        pathlib.Path(part).write_text(cut_threads(text, needed))
        cut, findings = heddle.ask("race", part)
        still = any(places_of(f) & lines for f in findings)
        row = [f"{bug.program} {bug.number}", len(every), len(needed), f"{len(events):,}",
               f"{max(hit['first'], hit['second']):,}", f"{len(hit['schedule']):,}"]
        for answer in (whole, cut):
            effort = answer["result"]["effort"]
            row += [f"{answer['result']['candidates']:,}", f"{effort.get('branches', 0):,}",
                    f"{answer['seconds']:.3f}"]
        row.append("yes" if still else "no")
        rows.append(row)
        print("  " + "  ".join(str(cell) for cell in row), flush=True)
    bench.table("what a witness needs of a recording, and all questions of that recording: with all "
                "threads, and with those of the witness only",
                ["race", "threads", "needed", "events", "until both", "in the witness", "asked",
                 "branches", "s", "cut: asked", "branches", "s", "found"], rows)
    return missed


def run_parts(bench, options):
    bugs = read_bugs(options.only)
    missed = []
    for name, part in (("errors", errors), ("size", size), ("cuts", cuts)):
        if not options.part or options.part == name:
            missed += part(bench, bugs, options)
    print("\n  targets missed:" if missed else "\n  all targets met")
    for text in missed:
        print("    " + text)


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run realistic")
    parser.add_argument("--only", default="", help="versions whose name has this: 'store 3'")
    parser.add_argument("--seconds", type=int, default=20, help="time for each question")
    parser.add_argument("--runs", type=int, default=10, help="runs of ThreadSanitizer")
    parser.add_argument("--tools", choices=("heddle", "others"), help="ask only these")
    parser.add_argument("--part", choices=PARTS, help="only this table")
    run_parts(bench, parser.parse_args(bench.options))
