"""Detection beside a program that runs: what it costs the program, and how fast events are taken.

    make bench live

Three programs: the server of examples/detect, whose predicate asks about marks, and two kernels of
bench/programs, whose every access is looked at for races.  Each natively, recorded, and with
`heddle detect --online` beside it, controlled and free-running.  CPU seconds are of the program and
the tool together; the slowdown is of wall time, against the native run.  Memory is that of the
larger of the two processes.  Below, what Chang's dissertation gives for online detection of races
(tables 3.4, 3.5 and 4.3, milliseconds, Java), as a slowdown too.
"""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Source, words of the program, predicate.
PROGRAMS = {
    "server, marks": (ROOT / "examples/detect/server.c", ["100000"], "count(commit) > 3"),
    "server, races": (ROOT / "examples/detect/server.c", ["999"], "race"),
    "table, races": (ROOT / "bench/programs/table.c", [], "race"),
    "sort, marks": (ROOT / "bench/programs/sort.c", [], "count(never) > 1"),
}

# Benchmark, base, ParaMount with lex and quicklex, RV, FastTrack, in ms; None: not given.
PUBLISHED = [
    ("banking", 3, 72, 20, 32000, 40),
    ("set (faulty)", 61, 152, 69, 37000, 428),
    ("set (correct)", 94, 110, 51, 39000, 468),
    ("arraylist1", 3, 7, 19, None, 29),
    ("arraylist2", 4, 5, 15, None, 4),
    ("sor", 19, 81, 25, 41000, 179),
    ("elevator", 16000, 16000, None, 83000, 16000),
    ("tsp", 7, 114, 42, None, 146),
    ("raytracer", 32, 1240, 236, None, 998),
    ("hedc", 241, 940, 335, None, 1140),
]


def detect(bench, words, predicate, *options):
    """The command, with a shell in front: what it found is no failure here."""
    return ["sh", "-c", '"$@" >&2; test $? -ne 2', "sh", bench.heddle, "detect", "-q", "--online",
            "--all", *options, "-e", predicate, "--", *words]


def events_of(bench, words, predicate, *options):
    done = subprocess.run([bench.heddle, "detect", "--json", "--online", "--all", *options, "-e",
                           predicate, "--", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    result = json.loads(done.stdout)["result"]
    return result["events"], result["intervals"]


def measure(bench, name):
    source, words, predicate = PROGRAMS[name]
    flags = ["-O2", "-g", "-pthread", f"-I{ROOT / 'include'}"]
    native, made = bench.path("live.native"), bench.path("live.heddle")
    bench.prepare("cc", *flags, str(source), "-o", native)
    bench.prepare(bench.heddle, "cc", *flags, str(source), "-o", made)
    trace = bench.path("live.htr")
    commands = {
        "native": [native, *words],
        "record": [bench.heddle, "record", "-q", "-o", trace, made, *words],
        "live": detect(bench, [made, *words], predicate),
        "record --free": [bench.heddle, "record", "-q", "--free", "-o", trace, made, *words],
        "live --free": detect(bench, [made, *words], predicate, "--free"),
    }
    times = dict(zip(commands, bench.best(list(commands.values()), 2)))
    rows = []
    for what, (wall, cpu, peak) in times.items():
        cells = [what, f"{cpu:.3f}", f"{wall:.3f}", f"{wall / max(times['native'][0], 1e-3):.1f}x"]
        if what.startswith("live"):
            options = ["--free"] if what.endswith("--free") else []
            events, intervals = events_of(bench, [made, *words], predicate, *options)
            plain = times[what.replace("live", "record")]
            cells += [f"{wall / plain[0]:.2f}", f"{events:,}", f"{intervals:,}",
                      f"{events / wall / 1e6:.2f}"]
        else:
            cells += [""] * 4
        rows.append(cells + [f"{peak / 2**20:.0f}"])
    bench.table(f"live: {name}", ["", "CPU s", "wall s", "slowdown", "to record", "events",
                                  "intervals", "M events/s", "MiB"], rows)


def run(bench):
    for name in PROGRAMS:
        measure(bench, name)

    def times(value, base):
        return f"{value / base:.1f}x" if value else "-"

    bench.table("live: published, races online, slowdown against the base run",
                ["benchmark", "base ms", "ParaMount lex", "quicklex", "RV", "FastTrack"],
                [[name, base, *(times(value, base) for value in rest)]
                 for name, base, *rest in PUBLISHED])
