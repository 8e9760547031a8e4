"""The tables of the four papers, measured here, each beside the published figures.

    make bench papers
    bench/run papers --only chang,metzler
    bench/run papers --quick

What the other words of `make bench` measure is taken from them; this one puts it in the order of
the papers and adds what only the papers ask for: speed-ups of ParaMount, memory, online detection
of races and states of losets in programs of the dissertation's kind, and dependency checks of eager
POR.  --quick leaves out what takes longer than some seconds each; --seconds bounds one run of what
may take for ever.  Rows of the papers that have none here are listed at the end of each paper.

Published: the .tsv files beside this one, as doc/papers.md says, and what the parts of this
measure.  Times are CPU seconds unless a table says otherwise.
"""
import argparse
import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PAPERS = ["sinha", "chang", "shacham", "metzler"]
TAKES_OPTIONS = True


def part(name):
    """Another benchmark, as a module."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"bench_{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def published(name):
    with open(HERE / name, newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")),
                                   delimiter="\t"))


# ---- Chang: Predicate Detection for Parallel Computations ----

def workers(quick):
    return [1, 2] if quick else [1, 2, 4, 8, 16]


# Rows of tables 3.2, 3.3 and 4.2 whose posets are recorded from programs of the same kind, with as many
# threads: source, arguments, and a seed that has about as many states, or most of the first 60.
POSETS = {"tsp": ("races/tsp.c", ["7"], 6), "hedc": ("races/crawler.c", ["11"], 25),
          "elevator": ("nondet/elevator.c", ["11", "2", "2", "2"], 2)}


def recorded_posets(bench, tool):
    """Makes them known to the tool: row -> its words."""
    words = {}
    for name, (source, arguments, seed) in POSETS.items():
        made, trace = bench.path(f"poset.{name}"), bench.path(f"poset.{name}.htr")
        bench.prepare(bench.heddle, "cc", "-O1", "-g", "-o", made, str(ROOT / "examples" / source))
        bench.prepare(bench.heddle, "record", "-q", f"--seed={seed}", "-o", trace, made, *arguments)
        words[name] = ["recorded", name]
        tool.know(words[name], trace)
    return words


def speedups(bench, states, tool, quick, recorded):
    """Tables 3.2 and 3.3, figures 3.8 to 3.10: an algorithm alone, and as ParaMount's subroutine
    with one worker and more.  CPU seconds of the busiest worker: what a run would take if there
    were a processor for each."""
    rows = {row["benchmark"]: row for row in published("states.tsv")}
    shapes = ["d-300"] if quick else ["d-300", "d-500", "bank", "tsp", "hedc"]
    for algorithm, title, prefix in (("bfs", "table 3.2, figure 3.8", "bpara"),
                                     ("lex", "table 3.3, figure 3.9", "lpara"),
                                     ("quicklex", "ParaMount with QuickLex (ch. 4)", None)):
        lines = []
        for shape in shapes if algorithm != "bfs" else shapes[:1]:
            words = recorded.get(shape) or states.SHAPES[shape]
            count, alone, memory, _ = tool.run(words, algorithm, 1)
            line = [shape, f"{count:,}", f"{alone:.2f}", f"{memory / 2**20:.1f}"]
            for k in workers(quick):
                _, seconds, memory, _ = tool.run(words, f"{algorithm}/{k}", 1)
                line += [f"{seconds:.2f}", f"{alone / seconds:.2f}", f"{memory / 2**20:.1f}"]
            row = rows[shape]
            line += [row[algorithm], row[prefix + "1"] if prefix else "-",
                     row[prefix + "8"] if prefix else "-",
                     f"{float(row[algorithm]) / float(row[prefix + '8']):.2f}"
                     if prefix and row[algorithm] != "oom" else "-"]
            lines.append(line)
        head = ["poset", "states", "alone, s", "MiB"]
        for k in workers(quick):
            head += [f"{k} worker{'s' if k > 1 else ''}, s", "speed-up", "MiB"]
        bench.table(f"{title}: {algorithm} and ParaMount with it, CPU seconds of the busiest worker",
                    head + ["published alone", "1 worker", "8 workers", "speed-up"], lines)


def normalized(bench, states, tool, quick, recorded):
    """Table 4.2, figures 4.6 and 4.8: what each algorithm takes, against Tree; memory."""
    rows = {row["benchmark"]: row for row in published("states.tsv")}
    lines = []
    for shape in ["d-300", "w-4"] if quick else ["d-300", "d-500", "bank", "tsp", "hedc", "elevator",
                                                 "w-4", "w-8", "w-12", "w-16", "d-10K"]:
        words, row = recorded.get(shape) or states.SHAPES[shape], rows[shape]
        count, auto, _, _ = tool.run(words, "auto", 3)
        took = {kind: tool.singly(words, kind, count) for kind in ("tree", "lex", "quicklex")}
        memory = {kind: tool.run(words, kind, "@1")[2] / 2**20 for kind in took}
        line = [shape, f"{count:,}"]
        for kind, (seconds, by_part) in took.items():
            line += [states.span(seconds, by_part), f"{seconds / took['tree'][0]:.2f}",
                     f"{memory[kind]:.1f}"]
        theirs = {kind: float(row[kind]) for kind in took}
        lines.append(line + [states.span(auto), f"{int(row['states']):,}", row["lex"], row["quicklex"]]
                     + [f"{theirs[kind] / theirs['tree']:.2f}" for kind in ("lex", "quicklex")])
    head = ["poset", "states"]
    for kind in ("tree", "lex", "quicklex"):
        head += [kind, "/ tree", "MiB"]
    bench.table("table 4.2, figures 4.6 and 4.8: seconds, normalized to tree, memory beside the input",
                head + ["auto", "published states", "lex, s", "quicklex, s", "lex / tree",
                        "quicklex / tree"], lines)


# Row of tables 3.4, 3.5 and 4.3, and what stands for it here.
ONLINE = [("banking", "banking", []), ("set (faulty)", "set", []),
          ("set (correct)", "set", ["-DFIXED"]), ("arraylist1", "array_list", []),
          ("arraylist2", "array_list", ["-DFIXED"]), ("sor", "sor", ["-DFIXED"]),
          ("elevator", "elevator", ["-DFIXED"]), ("tsp", "tsp", []), ("raytracer", "raytrace", []),
          ("hedc", "crawler", [])]


def seconds_of(command):
    """Wall seconds, by a clock that is finer than that of os.times, and what it printed."""
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    return time.monotonic() - begin, done.stdout


def online(bench):
    """Tables 3.4, 3.5 and 4.3: races found by detection beside the program as it runs."""
    rows = {row["benchmark"]: row for row in published("online.tsv")}
    lines = []
    for name, source, flags in ONLINE:
        path = ROOT / "examples/races" / f"{source}.c"
        native, made = bench.path("on.native"), bench.path("on.heddle")
        common = ["-O1", "-g", "-pthread", *flags, f"-I{ROOT / 'include'}", str(path)]
        bench.prepare("cc", *common, "-o", native)
        bench.prepare(bench.heddle, "cc", *common, "-o", made)
        base = min(seconds_of([native, "4"])[0] for _ in range(5))
        command = [bench.heddle, "detect", "--online", "--all", "--json", "-e", "race", "--", made,
                   "4"]
        best, answer = float("inf"), None
        for _ in range(3):
            seconds, text = seconds_of(command)
            best, answer = min(best, seconds), json.loads(text)
        result = answer["result"]
        row = rows[name]
        lines.append([name, f"{source}.c{' ' + flags[0] if flags else ''}",
                      sum(1 for _ in open(path)), f"{result['events']:,}", f"{base * 1e3:.1f}",
                      f"{best * 1e3:.1f}", len(answer["findings"]), row["loc"], row["base_ms"],
                      row["paramount_lex_ms"], row["paramount_quicklex_ms"] or "-", row["rv_ms"],
                      row["fasttrack_ms"], row["found_paramount"]])
    bench.table("tables 3.4, 3.5, 4.3: races by online detection, wall ms (4 threads); found here: "
                "states in which two accesses race, there: variables",
                ["benchmark", "here", "lines", "events", "base", "online", "found", "published lines",
                 "base", "lex", "quicklex", "RV", "FastTrack", "found"], lines)


# Row of table 6.1, and what is recorded for it: a kernel with so many threads.
RECORDED = [("bank", "7", "banking", [], "5"), ("bank", "9", "banking", [], "7"),
            ("set (faulty)", "6", "set", [], "3"), ("set (faulty)", "7", "set", [], "4"),
            ("set (correct)", "6", "set", ["-DFIXED"], "3"),
            ("set (correct)", "7", "set", ["-DFIXED"], "4"),
            ("arraylist2", "7", "array_list", ["-DFIXED"], "6"),
            ("arraylist2", "8", "array_list", ["-DFIXED"], "7"),
            ("tsp", "8", "tsp", [], "2"), ("tsp", "10", "tsp", [], "3"),
            ("raytracer", "9", "raytrace", [], "7"), ("raytracer", "10", "raytrace", [], "8"),
            ("hedc", "7", "crawler", [], "7"), ("hedc", "9", "crawler", [], "8")]


def states_of(bench, trace, algorithm, which, limit):
    """States of a recorded loset, CPU seconds, and whether it came to the end."""
    command = [bench.heddle, "states", "--json", "--model=loset", f"--class={which}",
               f"--algorithm={algorithm}", f"--time={limit}", "--threads=1", trace]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0  # it is waited for already
    answer = json.loads(text)
    return answer["result"]["states"], usage.ru_utime + usage.ru_stime, answer["complete"]


def recorded_losets(bench, states, quick, limit):
    """Table 6.1, the rows whose shape is not known: losets recorded from programs of the same kind,
    with other numbers of events and states."""
    rows = {(row["benchmark"], row["n"]): row for row in states.table("loset.tsv")}
    lines = []
    for name, n, source, flags, threads in RECORDED[::2] if quick else RECORDED:
        made, trace = bench.path("loset.made"), bench.path("loset.htr")
        bench.prepare(bench.heddle, "cc", "-O1", "-g", "-pthread", *flags,
                      str(ROOT / "examples/races" / f"{source}.c"), "-o", made)
        subprocess.run([bench.heddle, "record", "-q", "-o", trace, made, threads],
                       stdout=subprocess.DEVNULL)
        count, seconds, whole = states_of(bench, trace, "auto", "reachable", limit)
        cells = [f"{source}.c{' ' + flags[0] if flags else ''} {threads}",
                 f"{count:,}" if whole else "-", states.span(seconds, False) if whole else "-"]
        for algorithm, which in (("bfs", "reachable"), ("lex1", "strongly-feasible"),
                                 ("lex2", "strongly-feasible")):
            part_of, spent, all_of = states_of(bench, trace, algorithm, which, limit)
            assert not all_of or not whole or part_of == count, (source, algorithm)
            cells.append(states.span(spent) if all_of else
                         f"~{count * spent / part_of:.0f} s" if whole and part_of else "-")
        row = rows[name, n]
        lines.append([f"{name} {n}"] + cells + [f"{int(row['states']):,}"]
                     + [row[c] for c in ("bfs", "lex1", "lex2")])
    bench.table(f"table 6.1, on losets recorded from programs of the same kind (~: by what was done "
                f"in {limit} s); published after ours",
                ["row", "here", "states", "auto", "bfs", "lex1", "lex2", "published states", "bfs",
                 "lex1", "lex2"], lines)


def chang(bench, options):
    states, quick = part("states"), options.quick
    tool = states.Tool(bench)
    recorded = recorded_posets(bench, tool)
    speedups(bench, states, tool, quick, recorded)
    normalized(bench, states, tool, quick, recorded)
    online(bench)
    states.table_6_1(tool)
    recorded_losets(bench, states, quick, options.seconds)
    print("\n  no row here: of tables 3.2 and 3.3 elevator and d-10K, which take hours; table 3.1 lists "
          "the machine;\n  table 3.6 compares detectors by what they do: see doc/papers.md")


# ---- Metzler et al.: Eager POR ----

CHECKS = [("Readers-Writers", [9, 12]), ("Indexer", [13, 14]), ("Last Zero", [9, 12]),
          ("Shared Pointer", [30, 60]), ("Ring", [10, 12]), ("Branching", [7, 8]),
          ("Ring Extended", [4, 5])]


LARGE = [("Readers-Writers", [20]), ("Indexer", [15, 16]), ("Last Zero", [14, 16]),
         ("Shared Pointer", [100]), ("Ring", [16, 20]), ("Branching", [9, 11]),
         ("Ring Extended", [6, 8])]


def seconds_of_large(bench, explore, theirs, limit):
    """Tables 1 and 2: seconds of the largest ones."""
    rows = []
    for name, sizes in LARGE:
        benchmark = next(b for b in explore.BENCHMARKS if b[0] == name)
        for n in sizes:
            cells = [f"{name} {n}", f"{benchmark[3](n):,}"]
            for algorithm in ("sdpor", "epor", "auto"):
                row = explore.Row(bench, benchmark, n, algorithm, limit)
                assert row.executions in (None, row.traces), row.name()
                cells.append(f"{row.cpu:.3f}" if row.status == 0 else f"over {limit}")
            rows.append(cells + [theirs.get((name, n, a), {}).get("seconds") or "-"
                                 for a in ("sdpor", "epor")])
    bench.table("tables 1 and 2: CPU seconds, published after ours",
                ["benchmark", "executions", "sdpor", "epor", "auto", "SDPOR", "EPOR"], rows)


# C versions of the benchmarks: source, definitions, sizes.
PROGRAMS = [("Readers-Writers", "readers_writers", [], [12, 16]), ("Indexer", "indexer", [], [14]),
            ("Last Zero", "last_zero", [], [9, 12]),
            ("Shared Pointer", "shared_pointer", [], [60]), ("Ring", "ring", ["-DR=1"], [10, 14]),
            ("Branching", "branching", [], [6, 8]), ("Ring Extended", "ring", ["-DR=2"], [5, 6])]
WAYS = [("sdpor",), ("odpor",), ("epor",), ("epor", "--source-sets"), ("epor-sh", "--source-sets")]


def sections_of_programs(bench, quick):
    """The same algorithms on C programs, whose sections are learnt."""
    rows = []
    for name, source, defines, sizes in PROGRAMS:
        for n in sizes[:1] if quick else sizes:
            program, base = bench.path("program"), None
            subprocess.run([bench.heddle, "cc", "-w", "-O1", f"-DN={n}", *defines, "-o", program,
                            ROOT / "tests/native/explore" / f"{source}.c"], check=True)
            for way in WAYS:
                before = os.times()
                done = subprocess.run([bench.heddle, "explore", "--json", "-a", *way, program],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
                after = os.times()
                result = json.loads(done.stdout)["result"]
                base = base or result
                assert result["executions"] == base["executions"], (name, n, way)
                checks = result["dependency_checks"]
                rows.append([f"{name} {n}", " ".join(way), f"{result['executions']:,}",
                             result["blocked"], f"{checks:,}",
                             f"{checks / base['dependency_checks']:.2f}",
                             f"{result['race_checks']:,}", result.get("sections", "-"),
                             result.get("taken_back", "-"),
                             f"{sum(after[2:4]) - sum(before[2:4]):.2f}"])
    bench.table("C programs: executions, blocked ends, dependency checks (and against sdpor), race "
                "checks, sections learnt and taken back, CPU seconds",
                ["benchmark", "algorithm", "executions", "blocked", "checks", "/ sdpor", "races",
                 "sections", "back", "s"], rows)


def metzler(bench, options):
    """Dependency and race checks, and executions, of source sets and of both eager algorithms."""
    explore, quick = part("explore"), options.quick
    theirs = {(r["benchmark"], int(r["n"]), r["algorithm"].lower()): r for r in published("epor.tsv")}
    rows = []
    for name, sizes in CHECKS:
        benchmark = next(b for b in explore.BENCHMARKS if b[0] == name)
        for n in sizes[:1] if quick else sizes:
            base = {}
            for algorithm, more in (("sdpor", []), ("epor", ["--source-sets"]),
                                    ("epor-sh", ["--source-sets"]), ("epor", [])):
                row = explore.Row(bench, benchmark, n, algorithm, 60, more)
                paper = theirs.get((name, n, algorithm), {}) if more or algorithm == "sdpor" else {}
                checks = row.result.get("dependency_checks", 0)
                published_checks = int(paper.get("dependency_checks") or 0)
                base.setdefault("here", checks)
                base.setdefault("there", published_checks)
                assert row.executions in (None, row.traces), row.name()
                rows.append([f"{name} {n}", algorithm + (", trees" if algorithm == "epor" and not more
                                                         else ""), row.traces,
                             row.executions if row.executions is not None else "-",
                             f"{row.cpu:.3f}", f"{checks:,}",
                             f"{checks / base['here']:.2f}" if base["here"] else "-",
                             f"{row.result.get('race_checks', 0):,}",
                             paper.get("seconds") or "-", paper.get("paper_traces") or "-",
                             f"{published_checks:,}" if published_checks else "-",
                             f"{published_checks / base['there']:.2f}"
                             if published_checks and base["there"] else "-",
                             paper.get("race_checks") or "-"])
    if not quick:
        seconds_of_large(bench, explore, theirs, options.seconds)
    bench.table("tables 1 to 3, appendix A: executions, CPU seconds, dependency checks (and against "
                "sdpor), race checks; published after them (epor as published, with source sets; "
                "'trees': with wakeup trees, which is the default here)",
                ["benchmark", "algorithm", "traces", "executions", "s", "checks", "/ sdpor", "races",
                 "published s", "executions", "checks", "/ sdpor", "races"], rows)
    sections_of_programs(bench, quick)


# ---- Sinha et al. and Shacham et al. ----

def sinha(bench, options):
    nondet, quick = part("nondet"), options.quick
    rows = [r for r in nondet.shapes(bench) if not quick or float(r[5]) < 5]
    nondet.exact(bench, rows)
    nondet.as_published(bench, nondet.PROGRAMS[:4] if quick else None, 1 if quick else 3)
    print("\n  no program here: liveness")


def memory_of(command):
    """Peak bytes of the larger of the tool and the program."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0  # it is waited for already
    return usage.ru_maxrss * 1024


def sizes_and_memory(bench, race):
    """Tables 1 and 2: lines and bits; and the megabytes of tables 3 to 5."""
    rows = {(row["program"], row["mode"]): row for row in published("hybrid.tsv")}
    lines = []
    for source, name in race.PROGRAMS:
        if not name:
            continue
        path = ROOT / "examples/races" / f"{source}.c"
        cells = [name, sum(1 for _ in open(path)), "32"]
        for threads in "234":
            peak = memory_of([bench.heddle, "race", "--no-extend", "--time=5", bench.path(source),
                              threads])
            cells.append(f"{peak / 2**20:.0f}")
        row = rows[name, "hint"]
        lines.append(cells + [row["lines"], row["bits"]] + [row[f"t{t}_mb"] or "-" for t in "234"])
    bench.table("tables 1 and 2, and the memory of table 4: lines, bits of an integer, MiB with 2, 3 "
                "and 4 threads; published after ours",
                ["program", "lines", "bits", "2", "3", "4", "lines", "bits", "2", "3", "4"], lines)


def shacham(bench, options):
    race = part("race")
    race.run_programs(bench, [])
    sizes_and_memory(bench, race)
    race.run_hints(bench)


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run papers")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller ones")
    parser.add_argument("--seconds", type=int, default=10, help="for one run of what may take long")
    parser.add_argument("--only", default=",".join(PAPERS), help="of " + ", ".join(PAPERS))
    options = parser.parse_args(bench.options)
    for name in options.only.split(","):
        if name not in PAPERS:
            raise SystemExit(f"bench: no paper '{name}'; there are {', '.join(PAPERS)}")
        print(f"\n==== {name} ====")
        begin = time.monotonic()
        globals()[name](bench, options)
        print(f"\n  {name}: {time.monotonic() - begin:.0f} s")
