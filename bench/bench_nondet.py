"""heddle nondet on the shapes of table A1 of Sinha, Malik and Gupta, with their columns
beside ours, on traces of a million events, and on traces recorded from programs of its kind.

Exact: every witness decided; `asked` are questions put to the solver, `branches` what
its searches took.  As published (--paper): the table's columns, on recorded traces only: how many
witnesses are left with a choice depends on the structure of a program, which generated traces do
not have.  Seconds are CPU seconds of one core here, and the paper's own (i7, 2.67 GHz) beside them.
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.set_int_max_str_digits(0)  # possible choice graphs have thousands of digits

# name, then of the paper: witnesses, cyclic, no choice, with choice, seconds, feasible,
# explored choice graphs per witness with choice, graphs per witness
TABLE = """
conpool 252 221 31 0 0.007 31 - 1
liveness 855 709 146 0 0.064 146 - 1
SynchBench 47526 39474 8052 0 8.85 8052 - 1
Barrier1 3975 3231 744 0 0.62 744 - 1
Barrier2 6516 5305 1211 0 1.17 1211 - 1
account1 1416 1042 326 48 1.352 374 2.83 1.06
account2 2796 2063 647 86 3.819 733 1.65 1.02
DaisyTest1 383007 305635 61852 15520 244 77372 1.12 1.005
DaisyTest2 1100814 871935 183794 45085 1130 228879 1.04 1.001
DaisyTest3 3025419 2386632 516746 122041 6393 638787 1.02 1.0006
Elevator1 3249 2671 578 0 0.8 578 - 1
Elevator2 12285 9999 2286 0 8.1 2286 - 1
Elevator3 24627 20061 4566 0 24 4566 - 1
philo 4893 4118 775 0 0.65 775 - 1
ThriftTrace1 618 361 96 161 1.6 257 1 1
ThriftTrace2 618 361 96 161 1.6 257 1 1
ThriftTrace3 2811 2374 435 2 1.2 437 1 1
ThriftTrace4 35610 29441 5804 365 21.5 6169 1 1
ThriftTrace5 9615 8058 1537 20 5.9 1557 1 1
ThriftTrace6 35610 29441 5804 365 28 6169 1 1
ThriftTrace7 9609 8055 1536 18 8.1 1554 1 1
ThriftTrace8 35748 29887 5809 52 35 5861 1 1
ThriftTrace9 2577 2194 382 1 2.9 383 1 1
ThriftTrace10 479142 399814 79326 2 243 79328 1 1
ThriftTrace11 479142 399814 79326 2 477 79328 1 1
"""
PAPER_SECONDS = 30  # for one trace as published, then it is given up
LARGE = [("bank 15 800 --accounts=64", 1), ("bank 15 8000 --accounts=64", 10),
         ("locks 16 100000 --locks=16 --variables=64 --joins=0", 1),
         ("locks 16 1000000 --locks=16 --variables=64 --joins=0", 10)]


def run_nondet(bench, trace, *options, limit=600):
    """The "result", CPU seconds and peak memory of one run; None if it took too long."""
    command = [bench.heddle, "nondet", "--json", "--summary", *options, trace]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)))
    answer = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    if child.returncode not in (0, 1, 3):
        raise SystemExit(f"bench: {' '.join(command)}: exit status {child.returncode}")
    return (json.loads(answer)["result"], usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def share(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def shapes(bench):
    rows = [line.split() for line in TABLE.split("\n") if line]
    for row in rows:
        bench.prepare(bench.heddle, "generate", "like", row[0], "-o", bench.path(row[0] + ".htr"))
    return rows


def exact(bench, rows):
    table, total, witnesses, theirs = [], 0.0, 0, 0.0
    for name, possible, _, _, _, seconds, feasible, _, _ in rows:
        result, cpu, _ = run_nondet(bench, bench.path(name + ".htr"))
        counts, effort = result["witnesses"], result["effort"]
        assert counts["possible"] == int(possible), name
        table.append([name, possible, share(counts["feasible"], counts["possible"]),
                      share(int(feasible), int(possible)), counts["unknown"], effort["queries"],
                      effort["branches"], f"{cpu:.2f}", seconds])
        total, witnesses, theirs = total + cpu, witnesses + counts["possible"], theirs + float(seconds)
    table.append(["all", witnesses, "", "", "", "", "", f"{total:.2f}", f"{theirs:.0f}"])
    bench.table("nondet, exact, on the shapes of table A1",
                ["shape", "witnesses", "feasible %", "paper's", "unknown", "asked", "branches",
                 "seconds", "paper's"], table)


# Program of examples/nondet, its words, the row of table A1 that it stands for.  The last three are
# of the same kind, but no subject of the paper.
PROGRAMS = [
    ("conpool.c", "3 2", "conpool"), ("liveness.c", "6 1 2", "liveness"),
    ("synch_bench.c", "15 4", "SynchBench"),
    ("barrier.c", "9 2", "Barrier1"), ("barrier.c", "12 2 tournament", "Barrier2"),
    ("account.c", "10 2", "account1"), ("account.c", "20 1", "account2"),
    ("daisy.c", "2 20", "DaisyTest1"), ("daisy.c", "2 40", "DaisyTest2"),
    ("elevator.c", "3 10 12 24", "Elevator1"), ("philo.c", "5 6", "philo"),
    ("thrift.cc", "3 12 5", "ThriftTrace1"), ("thrift.cc", "9 18 0", "ThriftTrace3"),
    ("bounded_buffer.c", "2 2 20", None), ("bubble_sort.c", "8", None),
    ("ping_pong.c", "2 20 2", None)]
KEYS = ("cyclic", "no_choice", "with_choice")


class Columns:
    """What table A1 has of one trace, or of several together."""

    def __init__(self):
        self.traces, self.possible, self.explored, self.unknown, self.seconds = 0, 0, 0, 0, 0.0
        self.counts = dict.fromkeys(KEYS, 0)

    def add(self, result, seconds):
        witnesses = result["witnesses"]
        self.traces += 1
        self.possible += witnesses["possible"]
        self.unknown += witnesses["unknown"]
        self.explored += result["choice_graphs"]["explored"]
        self.seconds += seconds
        for key in KEYS:
            self.counts[key] += witnesses[key]

    def add_all(self, other):
        self.traces += other.traces
        self.possible += other.possible
        self.unknown += other.unknown
        self.explored += other.explored
        self.seconds += other.seconds
        for key in KEYS:
            self.counts[key] += other.counts[key]

    def cells(self):
        chosen = self.counts["with_choice"]
        return ([f"{self.possible:,}"] + [share(self.counts[key], self.possible) for key in KEYS]
                + [f"{self.explored / chosen:.2f}" if chosen else "-",
                   f"{(self.possible - chosen + self.explored) / self.possible:.3f}",
                   self.unknown, f"{self.seconds:.2f}"])


def record(bench, source, words, seed):
    """Records a program of examples/nondet; its trace, and what `info` says of it."""
    program, trace = bench.path(source + ".made"), bench.path("recorded.htr")
    if not os.path.exists(program):
        compiler = "c++" if source.endswith(".cc") else "cc"
        bench.prepare(bench.heddle, compiler, "-O1", "-g", "-pthread", f"-I{ROOT / 'include'}",
                      str(ROOT / "examples/nondet" / source), "-o", program)
    done = subprocess.run([bench.heddle, "record", "-q", f"--seed={seed}", "-o", trace, program,
                           *words.split()], stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        raise SystemExit(f"bench: {source}: the recording ended with {done.returncode}")
    info = subprocess.run([bench.heddle, "info", "--json", trace], check=True,
                          stdout=subprocess.PIPE).stdout
    return trace, json.loads(info)["result"]


def span(values):
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def as_published(bench, programs=None, seeds=3):
    """Table A1 on traces recorded from programs of the paper's kind, each with some seeds.  The
    columns are of all its traces together."""
    theirs = {row[0]: row for row in (line.split() for line in TABLE.split("\n") if line)}
    table, sums = [], {"Phase I": Columns(), "Both phases": Columns()}
    for source, words, name in programs or PROGRAMS:
        columns, threads, events = Columns(), [], []
        for seed in range(1, seeds + 1):
            trace, info = record(bench, source, words, seed)
            answer = run_nondet(bench, trace, "--paper", limit=PAPER_SECONDS)
            if answer is None:
                continue
            threads.append(info["threads"])
            events.append(info["events"])
            columns.add(answer[0], answer[1])
        row = theirs.get(name)
        published = ([f"{int(row[1]):,}"] + [share(int(row[i]), int(row[1])) for i in (2, 3, 4)]
                     + [row[7], row[8], row[5]] if row else ["-"] * 7)
        if not columns.traces:
            table.append([f"{source} {words}"] + [""] * 11 + [name or "-"] + published)
            continue
        table.append([f"{source} {words}", columns.traces, span(threads), span(events)]
                     + columns.cells() + [name or "-"] + published)
        sums["Both phases" if columns.counts["with_choice"] else "Phase I"].add_all(columns)
    bench.table("table A1 on recorded traces (nondet --paper): shares in %, the published after ours",
                ["program", "traces", "threads", "events", "witnesses", "cyclic", "no choice",
                 "choice", "explored", "graphs", "unknown", "s", "published", "witnesses", "cyclic",
                 "no choice", "choice", "explored", "graphs", "s"], table)
    bench.table("table I of these traces (there: 104,178 and 5,604,552 witnesses; 82.4, 17.7, 0 and "
                "79.9, 16.8, 3.3 %; 1.03 choice graphs; 1.001 graphs a witness)",
                ["category", "traces", "witnesses", "cyclic", "no choice", "choice", "explored",
                 "graphs", "unknown", "s"],
                [[kind, columns.traces] + columns.cells() for kind, columns in sums.items()
                 if columns.traces])


def large(bench):
    table = []
    for words, most in LARGE:
        path = bench.path("large.htr")
        bench.prepare(bench.heddle, "generate", *words.split(), "-o", path)
        result, cpu, peak = run_nondet(bench, path, "--reads")
        table.append([words, result["reads"], result["nondeterministic_reads"],
                      share(result["unknown_reads"], result["reads"]), most,
                      f"{result['witnesses']['possible']:,}", f"{cpu:.1f}", f"{peak >> 20} MiB"])
        os.unlink(path)
    bench.table("nondet, exact, a verdict for every read (--reads) of large traces of 16 threads "
                "(asked for: 60 s, 2 GiB)",
                ["trace", "reads", "can differ", "unknown %", "at most", "witnesses", "seconds",
                 "memory"], table)


def run(bench):
    rows = shapes(bench)
    exact(bench, rows)
    large(bench)
    as_published(bench)
