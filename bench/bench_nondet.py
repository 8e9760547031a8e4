"""heddle nondet on the shapes of table A1 of Sinha, Malik and Gupta, with their columns
beside ours, and on traces of a million events.

Exact: every witness decided; `asked` are questions put to the solver, `branches` what
its searches took.  As published (--paper): the table's columns.  Seconds are CPU seconds
of one core here, and the paper's own (i7, 2.67 GHz) beside them.
"""
import json
import os
import resource
import signal
import subprocess

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
PAPER_SECONDS = 30  # for one shape as published, then it is given up
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


def as_published(bench, rows):
    table, sums = [], {}
    for row in rows:
        name, possible, cyclic, no_choice, with_choice, seconds, _, explored, graphs = row
        answer = run_nondet(bench, bench.path(name + ".htr"), "--paper", limit=PAPER_SECONDS)
        if answer is None:
            table.append([name] + [""] * 11 + [f"over {PAPER_SECONDS}", seconds])
            continue
        result, cpu, _ = answer
        counts, choice = result["witnesses"], result["choice_graphs"]
        explored_here = choice["explored"]
        per_witness = (counts["possible"] - counts["with_choice"] + explored_here) / counts["possible"]
        per_choice = explored_here / counts["with_choice"] if counts["with_choice"] else None
        table.append([name] + sum(([share(counts[key], counts["possible"]),
                                    share(int(their), int(possible))]
                                   for key, their in (("cyclic", cyclic), ("no_choice", no_choice),
                                                      ("with_choice", with_choice))), [])
                     + [f"{per_choice:.2f}" if per_choice else "-", explored,
                        f"{per_witness:.3f}", graphs, counts["unknown"], f"{cpu:.2f}", seconds])
        kind = "Both phases" if counts["with_choice"] else "Phase I"
        line = sums.setdefault(kind, [0, 0, 0, 0, 0, 0, 0.0])
        for i, value in enumerate([1, counts["possible"], counts["cyclic"], counts["no_choice"],
                                   counts["with_choice"], explored_here, cpu]):
            line[i] += value
    bench.table("nondet --paper: shares in %, the paper's behind ours",
                ["shape", "cyclic", "", "no choice", "", "choice", "", "explored", "", "graphs",
                 "", "unknown", "seconds", "paper's"], table)
    bench.table("nondet --paper, as table I (there: 104,178 and 5,604,552 witnesses, 1.001 "
                "graphs a witness, 1.03 choice graphs)",
                ["category", "shapes", "witnesses", "cyclic", "no choice", "choice", "explored",
                 "seconds", "graphs a witness"],
                [[kind] + line[:6] + [f"{line[6]:.1f}",
                                      f"{(line[1] - line[4] + line[5]) / line[1]:.3f}"]
                 for kind, line in sorted(sums.items())])


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
    as_published(bench, rows)
