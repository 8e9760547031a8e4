"""The tables of the four papers, measured here, each beside the published figures.

    make bench papers
    bench/run papers --only chang,metzler
    bench/run papers --quick

What the other words of `make bench` measure is taken from them; this one puts it in the order of
the papers and adds what only the papers ask for: speed-ups of ParaMount for the processors there
are, memory, online detection of races in the programs of the dissertation's kind, and dependency
checks of eager POR.  --quick leaves out what takes longer than some seconds each.

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

def workers():
    """1, 2, 4, ... up to the processors there are."""
    count, most = [1], len(os.sched_getaffinity(0))
    while count[-1] * 2 <= most:
        count.append(count[-1] * 2)
    return count


def speedups(bench, states, tool, quick):
    """Tables 3.2 and 3.3, figures 3.8 to 3.10: an algorithm alone, and as ParaMount's subroutine
    with one worker and more.  CPU seconds of the busiest worker."""
    rows = {row["benchmark"]: row for row in published("states.tsv")}
    shapes = ["d-300"] if quick else ["d-300", "d-500", "bank"]
    for algorithm, title, prefix in (("bfs", "table 3.2, figure 3.8", "bpara"),
                                     ("lex", "table 3.3, figure 3.9", "lpara"),
                                     ("quicklex", "ParaMount with QuickLex (ch. 4)", None)):
        lines = []
        for shape in shapes if algorithm != "bfs" else shapes[:1]:
            words = states.SHAPES[shape]
            count, alone, memory, _ = tool.run(words, algorithm, 1)
            line = [shape, f"{count:,}", f"{alone:.2f}", f"{memory / 2**20:.1f}"]
            for k in workers():
                _, seconds, memory, _ = tool.run(words, f"{algorithm}/{k}", 1)
                line += [f"{seconds:.2f}", f"{alone / seconds:.2f}", f"{memory / 2**20:.1f}"]
            row = rows[shape]
            line += [row[algorithm], row[prefix + "1"] if prefix else "-",
                     row[prefix + "8"] if prefix else "-",
                     f"{float(row[algorithm]) / float(row[prefix + '8']):.2f}"
                     if prefix and row[algorithm] != "oom" else "-"]
            lines.append(line)
        head = ["poset", "states", "alone, s", "MiB"]
        for k in workers():
            head += [f"{k} worker{'s' if k > 1 else ''}, s", "speed-up", "MiB"]
        bench.table(f"{title}: {algorithm} and ParaMount with it",
                    head + ["published alone", "1 worker", "8 workers", "speed-up"], lines)


def normalized(bench, states, tool, quick):
    """Table 4.2, figures 4.6 and 4.8: what each algorithm takes, against Tree; memory."""
    rows = {row["benchmark"]: row for row in published("states.tsv")}
    lines = []
    for shape in ["d-300", "w-4"] if quick else ["d-300", "d-500", "bank", "w-4", "w-8"]:
        words, row = states.SHAPES[shape], rows[shape]
        count = tool.run(words, "auto", 1)[0]
        took = {kind: tool.singly(words, kind, count) for kind in ("tree", "lex", "quicklex")}
        memory = {kind: tool.run(words, kind, "@1")[2] / 2**20 for kind in took}
        line = [shape, f"{count:,}"]
        for kind, (seconds, by_part) in took.items():
            line += [states.span(seconds, by_part), f"{seconds / took['tree'][0]:.2f}",
                     f"{memory[kind]:.1f}"]
        theirs = {kind: float(row[kind]) for kind in took}
        lines.append(line + [row["states"]] + [f"{theirs[kind] / theirs['tree']:.2f}"
                                               for kind in ("lex", "quicklex")])
    head = ["poset", "states"]
    for kind in ("tree", "lex", "quicklex"):
        head += [kind, "/ tree", "MiB"]
    bench.table("table 4.2, figures 4.6 and 4.8: seconds, normalized to tree, memory beside the input",
                head + ["published states", "lex / tree", "quicklex / tree"], lines)


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


def chang(bench, quick):
    states = part("states")
    tool = states.Tool(bench)
    speedups(bench, states, tool, quick)
    normalized(bench, states, tool, quick)
    online(bench)
    states.table_6_1(tool)
    print("\n  table 3.6 compares detectors by what they do, not by figures: see doc/papers.md")


# ---- Metzler et al.: Eager POR ----

CHECKS = [("Readers-Writers", [9, 12]), ("Indexer", [13, 14]), ("Last Zero", [9, 12]),
          ("Shared Pointer", [30, 60]), ("Ring", [10, 12]), ("Branching", [7, 8]),
          ("Ring Extended", [4, 5])]


def metzler(bench, quick):
    """Dependency and race checks, and executions, of source sets and of both eager algorithms."""
    explore = part("explore")
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
    bench.table("tables 1 to 3, appendix A: executions, CPU seconds, dependency checks (and against "
                "sdpor), race checks; published after them (epor as published, with source sets; "
                "'trees': with wakeup trees, which is the default here)",
                ["benchmark", "algorithm", "traces", "executions", "s", "checks", "/ sdpor", "races",
                 "published s", "executions", "checks", "/ sdpor", "races"], rows)


# ---- Sinha et al. and Shacham et al. ----

def sinha(bench, quick):
    nondet = part("nondet")
    rows = [r for r in nondet.shapes(bench) if not quick or float(r[5]) < 5]
    nondet.exact(bench, rows)
    nondet.as_published(bench, nondet.PROGRAMS[:4] if quick else None, 1 if quick else 3)


def shacham(bench, quick):
    race = part("race")
    race.run_programs(bench, [])
    race.run_hints(bench)


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run papers")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller ones")
    parser.add_argument("--only", default=",".join(PAPERS), help="of " + ", ".join(PAPERS))
    options = parser.parse_args(bench.options)
    for name in options.only.split(","):
        if name not in PAPERS:
            raise SystemExit(f"bench: no paper '{name}'; there are {', '.join(PAPERS)}")
        print(f"\n==== {name} ====")
        globals()[name](bench, options.quick)
