"""Global states: every algorithm on the shapes of Chang's tables, beside his figures.

All of ours are CPU seconds in one process, clocks included, the best of a few
rounds (bench_cut.c).  A figure is symbolic (no state is visited), block (every
state is visited, many at a time) or single (one after the other); `call` is a C
call for each state with a pointer to 16 bytes, `batch` stores them.

Published: Yen-Jung Chang, Predicate Detection for Parallel Computations, 2016,
tables 4.2 and 3.2 (Java, one thread, Xeon 2.67 GHz), 6.1 and 3.4/4.3.
"""
import subprocess

# name there, our shape, states there, seconds there of bfs tree lex quicklex (None: out of memory)
POSETS = [
    ("d-300", ["poset", "10", "300", "--seed", "5"], 42695907, 58.43, 3.80, 3.41, 0.76),
    ("d-500", ["poset", "10", "500", "--seed", "1"], 237475992, 375.06, 19.40, 18.67, 3.78),
    ("w-4", ["poset", "4", "480", "--probability", "300", "--lag", "200", "--seed", "2"],
     9381251, 2.51, 0.88, 0.38, 0.16),
    ("w-8", ["poset", "8", "480", "--probability", "500", "--lag", "40", "--seed", "1"],
     7392009768, None, 609.74, 454.28, 128.03),
    ("d-10K", ["poset", "10", "10000", "--seed", "3"],
     4962876973, 8211.87, 393.74, 448.28, 86.38),
    ("bank", ["grid", "8", "12"], 815730721, None, 56.67, 64.37, 9.69),
    ("w-12", ["poset", "12", "480", "--probability", "1000", "--lag", "30", "--seed", "2"],
     206379406870, None, 19225.98, 21303.66, 3996.17),
    ("w-16", ["poset", "16", "480", "--seed", "2"],
     991493848554, None, 111452.52, 179844.62, 23263.05),
]

# ParaMount's seconds with 1, 2, 4, 8 threads, Lex as its subroutine (table 3.2).
PARAMOUNT = {"d-300": (3.5, 1.5, 0.8, 0.5), "d-500": (15.3, 7.6, 3.9, 2.1),
             "d-10K": (327.3, 163.4, 105.0, 43.1), "bank": (40.3, 20.5, 11.0, 5.8)}

# Families on which nothing of ours may be much slower than quicklex.
FAMILIES = [
    ["chains", "8", "4000", "--every", "2", "--ring", "1"],
    ["chains", "16", "2000", "--every", "2", "--ring", "1"],
    ["chains", "3", "60", "--every", "2", "--ring", "1"],
    ["chains", "12", "24", "--every", "2", "--ring", "1"],
    ["chains", "2", "3000", "--every", "2"],
    ["chains", "6", "24", "--every", "2"],
    ["product", "30", "2"],
    ["forkjoin", "10", "3"],
    ["grid", "6", "10"],
]

# benchmark, n, states, bfs dfs lex1 lex2 (table 6.1); what has the same count here
LOSETS = [
    ("arraylist1", 12, 354293, 0.57, 1.06, 0.11, 0.07, ["forkjoin", "11", "2"]),
    ("sor", 14, 3188645, 9.16, 32.29, 0.29, 0.22, ["forkjoin", "13", "2"]),
    ("sor", 16, 28697813, 174.48, None, 2.47, 1.64, ["forkjoin", "15", "2"]),
    ("bank", 9, 53808433, 350.27, None, 21.76, 4.47, None),
    ("set (correct)", 7, 78130591, 452.43, None, 1476.82, 160.38, None),
    ("tsp", 10, 25000001, 115.77, None, 807.08, 52.33, None),
]

OURS = [["handover", "5", "8"], ["bank", "5", "3"], ["handover", "6", "10"], ["handover", "7", "8"],
        ["bank", "7", "3"]]
LEX2_UP_TO = 1e7  # states: it goes through a few millions a second

# benchmark, ParaMount with lex and quicklex, RV, FastTrack, in ms (tables 3.4, 3.5, 4.3)
ONLINE = [
    ("banking", 72, 20, "32000", "40"), ("set (faulty)", 152, 69, "37000", "428"),
    ("raytracer", 1240, 236, "out of memory", "998"), ("hedc", 940, 335, "exception", "1140"),
]

SKIP_AFTER = 3e9  # states: what goes through them one by one takes minutes


class Tool:
    def __init__(self, bench):
        self.bench = bench
        build = bench.heddle.removesuffix("/heddle")
        subprocess.run(["ninja", "-C", build, "bench/bench_cut"], check=True,
                       stdout=subprocess.DEVNULL)
        self.program = build + "/bench/bench_cut"
        self.made = {}

    def trace(self, words):
        key = " ".join(words)
        if key not in self.made:
            self.made[key] = self.bench.path(f"s{len(self.made)}.std")
            self.bench.prepare(self.bench.heddle, "generate", *words, "-o", self.made[key])
        return self.made[key]

    def run(self, words, kind, rounds=3, model="poset", which="consistent"):
        """States, seconds, bytes, the algorithm that did it."""
        done = subprocess.run([self.program, self.trace(words), model, which, kind, str(rounds)],
                              check=True, capture_output=True, text=True)
        states, seconds, memory, used = done.stdout.split()
        return int(states), float(seconds), float(memory), used


def span(seconds):
    if seconds is None:
        return "-"
    if seconds < 0.1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s"


def times(ratio):
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"


def rate(states, seconds):
    return f"{states / seconds / 1e9:.3g}"


def posets(tool):
    rows, more = [], []
    for name, words, there, *theirs in POSETS:
        states, ours, memory, used = tool.run(words, "auto", 9)
        small = states < SKIP_AFTER
        cells = [name, f"{states:,}", span(ours), used, f"{memory / 2**20:.1f}"]
        seconds = {}
        for kind in ("quicklex", "lex", "tree", "bfs", "bounds"):
            wanted = small and (kind != "bfs" or states < 5e7)
            seconds[kind] = tool.run(words, kind, 2 if states < 3e8 else 1)[1] if wanted else None
            cells.append(span(seconds[kind]))
        cells.append(times(seconds["quicklex"] / ours) if small else "-")
        rows.append(cells)
        more.append([name, f"{there:,}"] + [span(t) for t in theirs]
                    + [span(t) for t in PARAMOUNT.get(name, (None,) * 4)])
    tool.bench.table(
        "states: counting a poset (auto is symbolic, bounds by blocks, the others singly)",
        ["shape", "states", "auto", "by", "MiB", "quicklex", "lex", "tree", "bfs", "bounds",
         "quicklex/auto"], rows)
    tool.bench.table("states: published, of the dissertation's own posets",
                     ["shape", "states", "bfs", "tree", "lex", "quicklex", "ParaMount 1", "2", "4",
                      "8 threads"], more)


def black_box(tool):
    rows = []
    for name in ("d-500", "w-4", "bank", "w-8"):
        words = next(row[1] for row in POSETS if row[0] == name)
        cells = [name]
        for kind in ("bounds", "sums", "call", "tail-call", "batch", "tail-batch"):
            if name == "w-8" and kind in ("call", "tail-call", "batch"):
                cells.append("-")
                continue
            states, seconds, _, _ = tool.run(words, kind, 3 if name != "w-8" else 1)
            cells.append(rate(states, seconds))
        rows.append(cells)
    tool.bench.table("states: every state of a poset looked at, G states a second (tails: stored "
                     "completions)",
                     ["shape", "bounds (block)", "weight sum (block, tails)", "call (black-box)",
                      "call, tails", "batch (black-box)", "batch, tails"], rows)


def shared(tool):
    rows = []
    for name in ("d-300", "d-500", "bank"):
        words = next(row[1] for row in POSETS if row[0] == name)
        for kind in ("bounds", "quicklex"):
            alone = tool.run(words, kind, 2)[1]
            two = tool.run(words, kind + "/2", 2)[1]
            four = tool.run(words, kind + "/4", 2)[1]
            rows.append([name, kind, span(alone), times(alone / two), times(alone / four)])
    tool.bench.table("states: shared out (CPU seconds alone / of the busiest thread)",
                     ["shape", "algorithm", "alone", "2 threads", "4 threads"], rows)


def families(tool):
    rows = []
    for words in FAMILIES:
        states, ours, _, used = tool.run(words, "auto", 9)
        theirs = tool.run(words, "quicklex", 9)[1]
        right = ours <= 1.1 * theirs + 0.2e-3
        rows.append([" ".join(words), f"{states:,}", span(ours), used, span(theirs),
                     "yes" if right else "NO"])
    tool.bench.table("states: no family much slower than quicklex (1.1 times, and 0.2 ms)",
                     ["family", "states", "auto", "by", "quicklex", "kept"], rows)


def losets(tool):
    rows = []
    for words in OURS:
        cells = [" ".join(words)]
        lex2 = None
        for which in ("feasible", "viable", "reachable"):
            states, seconds, _, used = tool.run(words, "auto", 3 if which != "reachable" else 1,
                                                "loset", which)
            cells += [f"{states:,}", span(seconds)]
            if which == "reachable":
                cells.append(f"{states / seconds / 1e6:.0f}")
                if states < LEX2_UP_TO:  # as published, of strongly feasible states
                    lex2 = tool.run(words, "lex2", 1, "loset", "strongly-feasible")[1]
                cells += [span(lex2), times(lex2 / seconds) if lex2 else "-"]
        rows.append(cells)
    tool.bench.table(
        "states: losets (feasible and viable symbolic; reachable by blocks, M states a second)",
        ["trace", "feasible", "", "viable", "", "reachable", "", "M/s", "lex2", "lex2/sweep"], rows)
    rows = []
    for name, n, states, *theirs, words in LOSETS:
        cells = [name, n, f"{states:,}"] + [span(t) for t in theirs]
        if words:
            counted, seconds, _, used = tool.run(words, "auto", 3, "loset", "reachable")
            assert counted == states
            cells += [" ".join(words), span(seconds), used]
        else:
            cells += ["-"] * 3
        rows.append(cells)
    tool.bench.table("states: published reachable states, and ours where the shape is known",
                     ["benchmark", "n", "states", "bfs", "dfs", "lex1", "lex2", "here", "auto",
                      "by"], rows)


def online(tool):
    tool.bench.table("states: published, races by online detection, ms",
                     ["benchmark", "ParaMount lex", "quicklex", "RV", "FastTrack"],
                     [list(row) for row in ONLINE])


def run(bench):
    tool = Tool(bench)
    posets(tool)
    black_box(tool)
    shared(tool)
    families(tool)
    losets(tool)
    online(tool)
