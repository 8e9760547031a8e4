"""Global states: every algorithm on the shapes of Chang's tables, beside his figures.

All of ours are CPU seconds in one process, clocks included, the best of a few
rounds (bench_cut.c).  A figure is symbolic (no state is visited), block (every
state is visited, many at a time) or single (one after the other); `call` is a C
call for each state with a pointer to 16 bytes (black-box), `batch` stores them.
What would take minutes runs for a few seconds, and its time is what the rest
would take at this rate (~).

Published: Yen-Jung Chang, Predicate Detection for Parallel Computations, 2016, in
states.tsv, loset.tsv and online.tsv (Java, Xeon 2.67 GHz).
"""
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent

# The shapes of tables 3.2 and 4.2 that are described, as near as `generate` comes.
SHAPES = {
    "d-300": ["poset", "10", "300", "--seed", "5"],
    "d-500": ["poset", "10", "500", "--seed", "1"],
    "w-4": ["poset", "4", "480", "--probability", "300", "--lag", "200", "--seed", "2"],
    "w-8": ["poset", "8", "480", "--probability", "500", "--lag", "40", "--seed", "1"],
    "d-10K": ["poset", "10", "10000", "--seed", "3"],
    "bank": ["grid", "8", "12"],
    "w-12": ["poset", "12", "480", "--probability", "1000", "--lag", "30", "--seed", "2"],
    "w-16": ["poset", "16", "480", "--seed", "2"],
}

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

# Rows of table 6.1 whose shape is known: the same number of states.
KNOWN_LOSETS = {("arraylist1", "12"): ["forkjoin", "11", "2"], ("sor", "14"): ["forkjoin", "13", "2"],
                ("arraylist1", "16"): ["forkjoin", "15", "2"], ("sor", "16"): ["forkjoin", "15", "2"]}

OURS = [["handover", "5", "8"], ["bank", "5", "3"], ["handover", "6", "10"], ["handover", "7", "8"],
        ["bank", "7", "3"]]

MINUTES = 1.5e9  # states: more are counted singly for a few seconds only
SECONDS = 3


class Tool:
    def __init__(self, bench):
        self.bench = bench
        build = bench.heddle.removesuffix("/heddle")
        subprocess.run(["ninja", "-C", build, "bench/bench_cut"], check=True,
                       stdout=subprocess.DEVNULL)
        self.program = build + "/bench/bench_cut"
        self.made = {}
        self.goals = []

    def know(self, words, path):
        """These words stand for that trace."""
        self.made[" ".join(words) + " 0"] = path

    def trace(self, words, shared=0):
        """A generated trace; with `shared`, its own writes go to so many shared variables."""
        key = " ".join(words) + f" {shared}"
        if key not in self.made:
            path = self.made[key] = self.bench.path(f"s{len(self.made)}.std")
            self.bench.prepare(self.bench.heddle, "generate", *words, "-o", path)
            if shared:
                share_variables(path, shared)
        return self.made[key]

    def run(self, words, kind, rounds=3, model="poset", which="consistent", shared=0):
        """States, seconds, bytes, the algorithm that did it."""
        done = subprocess.run([self.program, self.trace(words, shared), model, which, kind,
                               str(rounds)], check=True, capture_output=True, text=True)
        states, seconds, memory, used = done.stdout.split()
        return int(states), float(seconds), float(memory), used

    def singly(self, words, kind, states, model="poset", which="consistent"):
        """Seconds for all states, and whether that is by a part of them."""
        if states < MINUTES:
            return self.run(words, kind, 2 if states < 3e8 else 1, model, which)[1], False
        part, seconds, _, _ = self.run(words, kind, f"@{SECONDS}", model, which)
        return states * seconds / part, True

    def goal(self, what, kind, measured, wanted, kept):
        self.goals.append([what, kind, measured, wanted, "met" if kept else "MISSED"])

    def at_least(self, what, kind, value, wanted, unit):
        self.goal(what, kind, f"{value:,.3g} {unit}", f"{wanted:,g} {unit}", value >= wanted)

    def at_most(self, what, kind, value, wanted, unit):
        self.goal(what, kind, f"{value:,.3g} {unit}", f"at most {wanted:,g}", value <= wanted)


def share_variables(path, shared):
    lines = pathlib.Path(path).read_text().splitlines()
    for i, line in enumerate(lines):
        number = i * 7919 % shared
        lines[i] = re.sub(r"\|w\([^)]*\)", f"|{'rw'[number % 2]}(v{number})", line)
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def table(name):
    """The rows of a published table, as dictionaries."""
    lines = [line for line in (HERE / name).read_text().splitlines() if not line.startswith("#")]
    head = lines[0].split("\t")
    return [dict(zip(head, line.split("\t"))) for line in lines[1:]]


def span(seconds, part=False):
    if seconds is None:
        return "-"
    mark = "~" if part else ""
    return f"{mark}{seconds * 1e3:.3g} ms" if seconds < 0.1 else f"{mark}{seconds:.3g} s"


def times(ratio):
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"


def giga(states, seconds):
    return states / seconds / 1e9


COUNT_GOALS = {"d-300": 100, "d-500": 500, "w-8": 10000}
TIME_GOALS = {"d-10K": 0.05, "w-16": 0.2}
MEMORY_GOALS = {"w-4": 4, "w-8": 4, "d-500": 4, "w-16": 16, "d-10K": 20}


def posets(tool):
    rows = []
    for name, words in SHAPES.items():
        states, ours, memory, used = tool.run(words, "auto", 9)
        cells, seconds = [name, f"{states:,}", span(ours), used, f"{memory / 2**20:.1f}"], {}
        for kind in ("quicklex", "lex", "tree", "bfs", "bounds"):
            if kind == "bfs" and states > 5e7:
                cells.append("-")
                continue
            seconds[kind], part = tool.singly(words, kind, states)
            cells.append(span(seconds[kind], part))
        rows.append(cells + [times(seconds["quicklex"] / ours)])
        if name[0] in "dw":
            others = min(seconds[k] for k in ("lex", "tree", "bfs") if k in seconds)
            tool.at_least(f"{name}: the next published / quicklex", "single",
                          others / seconds["quicklex"], 1, "times")
        if name in COUNT_GOALS:
            tool.at_least(f"{name}: counted, quicklex / auto", "symbolic",
                          seconds["quicklex"] / ours, COUNT_GOALS[name], "times")
        if name in TIME_GOALS:
            tool.at_most(f"{name}: counted", "symbolic", ours, TIME_GOALS[name], "s")
        if name in MEMORY_GOALS:
            tool.at_most(f"{name}: memory beside the input", "symbolic", memory / 2**20,
                         MEMORY_GOALS[name], "MiB")
    tool.bench.table(
        "states: counting a poset (auto is symbolic, bounds by blocks, the others singly)",
        ["shape", "states", "auto", "by", "MiB", "quicklex", "lex", "tree", "bfs", "bounds",
         "quicklex/auto"], rows)
    columns = ["benchmark", "states", "bfs", "tree", "lex", "quicklex", "lpara1", "lpara2",
               "lpara4", "lpara8", "bpara1", "bpara8"]
    tool.bench.table("states: published, of the dissertation's own posets, seconds (para: ParaMount "
                     "with lex or bfs)", columns,
                     [[row[c] or "-" for c in columns] for row in table("states.tsv")])


def looks(tool):
    rows, calls = [], 0
    for name in ("d-500", "w-4", "bank", "w-8"):
        words, rates = SHAPES[name], {}
        for kind in ("bounds", "sums", "race", "call", "batch"):
            if name == "w-8" and kind in ("bounds", "call"):
                continue
            states, seconds, _, _ = tool.run(words, kind, 9 if name != "w-8" else 2,
                                             shared=4 if kind == "race" else 0)
            rates[kind] = giga(states, seconds)
        calls = max(calls, giga(*tool.run(words, "calls", 3)[:2]))
        rows.append([name] + [f"{rates[k]:.3g}" if k in rates else "-"
                              for k in ("bounds", "sums", "race", "call", "batch")])
        if name in ("d-500", "w-8"):
            tool.at_least(f"{name}: a weight sum on every state", "block", rates["sums"], 10, "G/s")
        if name == "w-8":
            tool.at_least("w-8: races on every state", "block", rates["race"], 5, "G/s")
        else:
            tool.at_least(f"{name}: a call a state", "black-box", rates["call"], 0.55, "G/s")
        tool.at_least(f"{name}: 16-byte states into a ring", "black-box", rates["batch"], 1.3, "G/s")
    rows.append(["calls alone", "-", "-", "-", f"{calls:.3g}", "-"])
    tool.bench.table("states: every state of a poset looked at, G states a second (race: with 4 "
                     "shared variables)",
                     ["shape", "bounds (block)", "weight sum (block)", "race (block)",
                      "call (black-box)", "batch (black-box)"], rows)


def shared(tool):
    rows = []
    work = [("d-500", "bounds"), ("d-500", "quicklex"), ("bank", "bounds"), ("w-8", "bounds"),
            ("d-10K", "diagram"), ("w-16", "diagram")]
    for name, kind in work:
        words = SHAPES[name]
        alone, two, four = (tool.run(words, kind + more, 5)[1] for more in ("", "/2", "/4"))
        rows.append([name, kind, span(alone), times(alone / two), times(alone / four)])
        if name == "w-8":
            tool.at_least("w-8: two threads", "block", alone / two, 1.8, "times")
    for words in OURS[2:]:
        alone, two, four = (tool.run(words, "sweep" + more, 2, "loset", "reachable")[1]
                            for more in ("", "/2", "/4"))
        rows.append([" ".join(words), "sweep", span(alone), times(alone / two),
                     times(alone / four)])
    tool.bench.table("states: shared out (CPU seconds alone / of the busiest thread)",
                     ["shape", "algorithm", "alone", "2 threads", "4 threads"], rows)


def families(tool):
    rows, kept = [], 0
    for words in FAMILIES:
        states, ours, _, used = tool.run(words, "auto", 15)
        theirs = tool.run(words, "quicklex", 15)[1]
        right = ours <= 1.1 * theirs + 0.2e-3
        kept += right
        rows.append([" ".join(words), f"{states:,}", span(ours), used, span(theirs),
                     "yes" if right else "NO"])
    tool.bench.table("states: no family much slower than quicklex (1.1 times, and 0.2 ms)",
                     ["family", "states", "auto", "by", "quicklex", "kept"], rows)
    tool.goal("families within 1.1 quicklex + 0.2 ms", "any", f"{kept}", f"{len(rows)}",
              kept == len(rows))


def losets(tool):
    rows = []
    for words in OURS:
        name, cells, took = " ".join(words), [" ".join(words)], {}
        for which in ("feasible", "viable", "reachable"):
            states, took[which], _, used = tool.run(words, "auto", 9 if which != "reachable" else 2,
                                                    "loset", which)
            cells += [f"{states:,}", span(took[which])]
        speed = states / took["reachable"] / 1e6
        # As published, of strongly feasible states; as far as it comes.
        part, spent, _, _ = tool.run(words, "lex2", f"@{SECONDS}", "loset", "strongly-feasible")
        lex2 = states * spent / part
        cells += [f"{speed:.0f}", span(lex2, part < states), times(lex2 / took["reachable"])]
        for which in ("feasible", "viable"):
            some, spent, _, _ = tool.run(words, "lex2", f"@{SECONDS}", "loset", which)
            every = int(cells[1 if which == "feasible" else 3].replace(",", ""))
            ratio = every * spent / some / took[which]
            cells.append(times(ratio))
            if words in OURS[2:] and every > 1e6:
                tool.at_least(f"{name}: {which}, lex2 / diagram", "symbolic", ratio, 1000, "times")
        rows.append(cells)
        if words in OURS[2:]:
            tool.at_least(f"{name}: reachable", "block", speed, 50, "M/s")
            tool.at_least(f"{name}: reachable, lex2 / sweep", "block", lex2 / took["reachable"], 20,
                          "times")
    tool.bench.table(
        "states: losets (feasible and viable symbolic; reachable by blocks, M states a second; the "
        "last two: lex2 of feasible and viable states / diagram)",
        ["trace", "feasible", "", "viable", "", "reachable", "", "M/s", "lex2", "lex2/sweep",
         "feasible", "viable"], rows)
    words = SHAPES["bank"]
    as_poset, as_loset = (tool.run(words, "auto", 9, *m)[1]
                          for m in (("poset", "consistent"), ("loset", "reachable")))
    tool.at_most("bank without locks: loset / poset", "symbolic", as_loset / as_poset, 1.2, "times")
    table_6_1(tool)


def table_6_1(tool):
    rows = []
    for row in table("loset.tsv"):
        cells = [row[c] for c in ("benchmark", "n", "states", "bfs", "dfs", "lex1", "lex2")]
        words = KNOWN_LOSETS.get((row["benchmark"], row["n"]))
        if words:
            counted, seconds, _, used = tool.run(words, "auto", 3, "loset", "reachable")
            assert counted == int(row["states"])
            cells += [" ".join(words), span(seconds), used]
        else:
            cells += ["-"] * 3
        rows.append(cells)
    tool.bench.table("states: published reachable states, seconds, and ours where the shape is known",
                     ["benchmark", "n", "states", "bfs", "dfs", "lex1", "lex2", "here", "auto",
                      "by"], rows)


def online(tool):
    columns = ["benchmark", "threads", "variables", "base_ms", "paramount_lex_ms",
               "paramount_quicklex_ms", "rv_ms", "fasttrack_ms"]
    tool.bench.table("states: published, races by online detection, ms", columns,
                     [[row[c] or "-" for c in columns] for row in table("online.tsv")])


def run(bench):
    tool = Tool(bench)
    posets(tool)
    looks(tool)
    shared(tool)
    families(tool)
    losets(tool)
    online(tool)
    bench.table("states: what was aimed at", ["figure", "kind", "measured", "wanted", ""], tool.goals)
