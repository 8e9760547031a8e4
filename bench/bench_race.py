"""Races and deadlocks of traces, in events a CPU second, with what each method finds
as pairs of places."""
import json
import subprocess

METHODS = ("lockset", "hb", "shb", "predictive")

SHAPES = [
    ("bank 8", ["bank", "8", "16000"]),
    ("locks 8", ["locks", "8", "1000000"]),
    ("locks 8, 1000 variables",
     ["locks", "8", "1000000", "--locks", "50", "--variables", "1000"]),
    ("handover 8", ["handover", "8", "30000"]),
    ("like DaisyTest3", ["like", "DaisyTest3"]),
    ("like ThriftTrace4", ["like", "ThriftTrace4"]),
    ("like Elevator3", ["like", "Elevator3"]),
]


def ask(command):
    """The result of a run, whatever its status says about findings."""
    out = subprocess.run([*command, "--json"], capture_output=True)
    return json.loads(out.stdout)["result"]


def run(bench):
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
        best = bench.best(quiet)
        results = [ask(command) for command in commands]
        rows.append([name, f"{events:,}",
                     *(f"{events / b[1] / 1e6:.2f}" for b in best),
                     f"{best[METHODS.index('predictive')][2] / 2**20:.0f}",
                     *(str(r["races"]) for r in results[:-1]),
                     str(results[-1]["deadlocks"]),
                     str(results[len(METHODS) - 1]["unproved"] + results[-1]["unproved"])])
    bench.table(
        "races: million events a CPU second, reading the trace included; MiB of predictive; "
        "what was found",
        ["trace", "events", *METHODS, "deadlock", "MiB", *(m + " found" for m in METHODS),
         "deadlocks", "unproved"],
        rows)
