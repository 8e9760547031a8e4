"""Races and deadlocks: of programs, the time to a witness that was replayed, beside the
figures of Shacham, Sagiv and Schuster (bench/hybrid.tsv); of traces, events a CPU second,
with what each method finds as pairs of places.  What misses its target is listed at the
end."""
import csv
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

METHODS = ("lockset", "hb", "shb", "predictive")
SECONDS, REPORTED, PREDICTED, MEMORY = 1.0, 5.0, 0.2, 2**30  # the targets

# Our programs, and what the paper calls theirs.
PROGRAMS = [("our_tsp", "our_tsp"), ("sort_array", "SortArray"), ("prime_finder", "PrimeFinder"),
            ("elevsim", "Elevsim"), ("dqueries", "DQueries"), ("crawler", "hedc"), ("tsp", "tsp"),
            ("raytrace", None), ("running", None)]

# Ways to look: the options, and the rows of the paper.  The search alone, without stage III,
# is what the paper's model checker did.
WAYS = [("solver and search", [], None),
        ("table 3: no hint", ["--no-extend", "--no-hint"], "plain"),
        ("table 4: hint", ["--no-extend"], "hint"),
        ("table 5: t1 kept", ["--no-extend", "--keep-t1", "--time=5"], "full")]

SHAPES = [
    ("bank 8", ["bank", "8", "16000"]),
    ("locks 8", ["locks", "8", "1000000", "--joins", "0"]),
    ("locks 8, 1000 variables",
     ["locks", "8", "1000000", "--locks", "50", "--variables", "1000", "--joins", "0"]),
    ("handover 8", ["handover", "8", "30000"]),
    ("like DaisyTest3", ["like", "DaisyTest3"]),
    ("like ThriftTrace4", ["like", "ThriftTrace4"]),
    ("like Elevator3", ["like", "Elevator3"]),
]


def ask(command):
    """The answer of a run, whatever its status says about findings."""
    out = subprocess.run([*command, "--json"], capture_output=True)
    return json.loads(out.stdout)


def paper_figures():
    """(program, mode, threads): seconds, or why there are none."""
    figures = {}
    with open(ROOT / "bench" / "hybrid.tsv", newline="") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        for row in rows:
            for threads in "234":
                seconds, memory = row[f"t{threads}_s"], row[f"t{threads}_mb"]
                figures[row["program"], row["mode"], threads] = seconds or memory or "-"
    return figures


def witness_of(bench, program, threads, options, rounds=3):
    """Best seconds until the first race was found and replayed, the states searched until
    then, and those of the whole answer."""
    best, states, all_states, way = float("inf"), 0, 0, "-"
    for _ in range(rounds):
        answer = ask([bench.heddle, "race", *options, program, threads])
        if answer["findings"] and answer["findings"][0]["seconds"] < best:
            first = answer["findings"][0]
            best, way = first["seconds"], first["way"]
            states, all_states = first["states"], answer["result"]["states"]
    return best, states, all_states, way


def run_programs(bench, missed):
    figures = paper_figures()
    for title, options, mode in WAYS:
        rows = []
        for name, theirs in PROGRAMS:
            program = bench.path(name)
            bench.prepare(bench.heddle, "cc", "-g", "-O1", "-o", program,
                          str(ROOT / "examples/races" / (name + ".c")))
            row = [name]
            for threads in "234":
                seconds, states, all_states, way = witness_of(bench, program, threads, options,
                                                              1 if mode == "full" else 3)
                row += [f"{seconds:.3f}", f"{states:,}", f"{all_states:,}", way,
                        figures.get((theirs, mode or "hint", threads), "-")]
                if mode != "full" and seconds >= SECONDS:
                    missed.append(f"{title}: {name} with {threads} threads: {seconds:.3f} s")
            rows.append(row)
        head = ["program"]
        for threads in "234":
            head += [f"{threads} threads", "states", "in all", "way", "paper"]
        bench.table(f"seconds to a replayed witness, states until then and of all searches, "
                    f"{title}; the paper's seconds{'' if mode else ' of table 4'}",
                    head, rows)


def run_hints(bench):
    """The hint where it matters: examples/races/gate.c, whose race needs the second thread to go
    before all others."""
    program = bench.path("gate")
    bench.prepare(bench.heddle, "cc", "-g", "-O1", "-o", program,
                  str(ROOT / "examples/races/gate.c"))
    rows = []
    for guards in "12345":
        row = [guards]
        for options in (["--no-extend", "--no-hint"], ["--no-extend"]):
            seconds, states, all_states, _ = witness_of(bench, program, guards,
                                                        [*options, "--time=10"], 1)
            found = seconds < float("inf")
            row += [f"{seconds:.3f}" if found else "not found", f"{states:,}" if found else "-"]
        rows.append(row)
    bench.table("the hint: seconds to a replayed witness and states until then, of gate.c with so "
                "many guards, within 10 s",
                ["guards", "no hint, s", "states", "hint, s", "states"], rows)


def sync_preserving(bench, trace, seconds=60):
    """What sync-preserving prediction finds, by a plain implementation of its closure, as a
    number; None if that takes longer."""
    build = pathlib.Path(bench.heddle).resolve().parent
    subprocess.run(["ninja", "-C", build, "bench/bench_sync"], check=True,
                   stdout=subprocess.DEVNULL)
    out = subprocess.run([build / "bench/bench_sync", trace, str(seconds)], check=True,
                         capture_output=True, text=True).stdout.strip()
    return None if out == "-" else int(out)


def run_traces(bench, missed):
    rows = []
    for name, words in SHAPES:
        trace = bench.path("t.htr")
        bench.prepare(bench.heddle, "generate", *words, "-o", trace)
        info = subprocess.run([bench.heddle, "info", "--json", trace], check=True,
                              capture_output=True)
        events = json.loads(info.stdout)["result"]["events"]
        # `true` behind it: finding something is no failure.
        commands = [[bench.heddle, "race", "--summary", "--method=" + m, trace] for m in METHODS]
        commands.append([bench.heddle, "deadlock", "--summary", trace])
        quiet = [["sh", "-c", '"$@" || true', "sh", *command] for command in commands]
        best = bench.best(quiet[:-1], 3) + bench.best(quiet[-1:], 1)
        results = [ask(command)["result"] for command in commands]
        # A short trace takes less than the clock can tell.
        rates = [events / max(b[1], 0.01) / 1e6 for b in best]
        memory = best[METHODS.index("predictive")][2]
        found = {m: r["races"] for m, r in zip(METHODS, results)}
        sync = sync_preserving(bench, trace)
        rows.append([name, f"{events:,}", *(f"{rate:.2f}" for rate in rates),
                     f"{memory / 2**20:.0f}", *(str(found[m]) for m in METHODS[:-1]),
                     "-" if sync is None else str(sync), str(found["predictive"]),
                     str(results[-1]["deadlocks"]) + (" *" if results[-1]["cut"] else ""),
                     str(results[len(METHODS) - 1]["unproved"] + results[-1]["unproved"])])
        if events >= 100000:
            missed += [f"{name}: {m} {rate:.2f} M events/s" for m, rate in zip(METHODS, rates)
                       if rate < (PREDICTED if m == "predictive" else REPORTED)]
        if memory >= MEMORY:
            missed.append(f"{name}: {memory / 2**20:.0f} MiB")
        if found["predictive"] < max(found["shb"], sync or 0):
            missed.append(f"{name}: predictive proves {found['predictive']}, shb {found['shb']}, "
                          f"sync-preserving {sync}")
    bench.table(
        "races: million events a CPU second, reading the trace included; MiB of predictive; "
        "what was found",
        ["trace", "events", *METHODS, "deadlock", "MiB", *(m + " found" for m in METHODS[:-1]),
         "sync-preserving", "predictive found", "deadlocks (* cut off)", "unproved"],
        rows)


def run(bench):
    missed = []
    run_programs(bench, missed)
    run_hints(bench)
    run_traces(bench, missed)
    print("\n  all targets are met" if not missed else "\n  missed targets:")
    for line in missed:
        print("    " + line)
