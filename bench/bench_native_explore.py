"""Exploring real programs: the seven published benchmarks as C programs with C11 atomics, one
load, store or compare-and-swap a step, made by heddle cc -O2.

    make bench native
    bench/run native_explore --quick --only branching --reset fork --threads 2

CPU seconds are those of the tool and of the program's processes together, the best of a few
runs; memory is the tool's own and the largest process of the program's.  The other tools'
figures, GenMC 0.11 and Nidhugg with source sets, were measured once on another, loaded machine:
they show the order of magnitude.  What misses a target, a wrong number of executions above
all, is listed at the end.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

TAKES_OPTIONS = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests" / "native" / "explore"
BRANCHING = [11, 28, 103, 311, 1010, 3165, 10063, 31780, 100651, 318363]
RING_TWICE = [19, 151, 1039, 6751, 42559]
SHORT, ROUNDS = 0.5, 3
FLAT = 64 << 20  # bytes that a small program may need, the tool's own included

# Name, source, definitions, N, executions, target, and CPU seconds of GenMC and Nidhugg.
PROGRAMS = [
    ("Readers-Writers", "readers_writers", "", 18, 2 ** 17, ("rate", 100_000), 4.6, 38.5),
    ("Readers-Writers", "readers_writers", "", 20, 2 ** 19, None, 19.5, None),
    ("Indexer", "indexer", "", 15, 8 ** 4, ("rate", 20_000), 2.7, 3.3),
    ("Last Zero", "last_zero", "", 14, 14 * 2 ** 12, None, 10.9, None),
    ("Ring", "ring", "-DR=1", 16, 2 ** 16 - 1, None, 3.3, 19.0),
    ("Branching", "branching", "", 9, BRANCHING[7], ("rate", 100_000), 1.0, 7.4),
    ("Branching", "branching", "", 11, BRANCHING[9], None, 10.5, None),
    ("Ring Extended", "ring", "-DR=2", 6, RING_TWICE[4], None, 1.6, 6.2),
    ("Shared Pointer", "shared_pointer", "", 100, 201, ("seconds", 0.3), 1.2, 0.47),
]
QUICK = 140_000  # --quick leaves out what has more executions


def measure(command):
    """The answer, CPU seconds of all processes, and the largest of them in bytes."""
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if child == 0:  # so that what its children needed is counted apart
            done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE)
            if done.returncode not in (0, 1):
                os.write(2, done.stderr)
            os._exit(done.returncode)
        _, status, _ = os.wait4(child, 0)
        out.seek(0)
        answer = json.loads(out.read() or b"{}")
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"bench: {' '.join(command)}: exit status {status}")
    return answer


def best(command):
    """The answer, the least CPU seconds and the peak memory of a few runs."""
    least = peak = None
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = measure(command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = cpu if least is None else min(least, cpu)
        peak = after.ru_maxrss * 1024
        if cpu > 10 * SHORT:
            break
    return answer, least, peak


def missed(name, target, executions, wanted, cpu, memory):
    if executions != wanted:
        yield f"{name}: {executions} executions, not {wanted}"
    if target and target[0] == "rate" and executions / cpu < target[1]:
        yield f"{name}: {executions / cpu:,.0f} executions a second, target {target[1]:,}"
    if target and target[0] == "seconds" and cpu > target[1]:
        yield f"{name}: {cpu:.2f} s, target {target[1]} s"
    if memory > FLAT:
        yield f"{name}: {memory >> 20} MiB, target {FLAT >> 20}"


def goal(target):
    if not target:
        return "-"
    return f"{target[1] // 1000} k/s" if target[0] == "rate" else f"{target[1]} s"


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run native_explore")
    parser.add_argument("--quick", action="store_true", help="only what takes a few seconds")
    parser.add_argument("--only", default="", help="programs whose name has this")
    parser.add_argument("--reset", default="memory", help="memory or fork")
    parser.add_argument("--algorithm", default="sdpor")
    parser.add_argument("--threads", default="1", help="workers")
    options = parser.parse_args(bench.options)
    rows, wrong = [], []
    for title, source, flags, n, wanted, target, genmc, nidhugg in PROGRAMS:
        name = f"{title} {n}"
        if options.only.lower() not in name.lower() or (options.quick and wanted > QUICK):
            continue
        program = bench.path(f"{source}_{n}")
        bench.prepare(bench.heddle, "cc", "-O2", f"-DN={n}", *flags.split(), "-o", program,
                      str(SOURCES / f"{source}.c"))
        answer, cpu, memory = best([bench.heddle, "explore", "--json", "--stop=never",
                                    f"--reset={options.reset}", f"--threads={options.threads}",
                                    f"--algorithm={options.algorithm}", program])
        executions = answer["result"]["executions"]
        wrong += missed(name, target, executions, wanted, cpu, memory)
        rows.append([name, f"{executions:,}", f"{cpu:.2f}", f"{executions / cpu / 1000:.1f} k",
                     goal(target), f"{memory >> 20} MiB",
                     f"{wanted / genmc / 1000:.1f} k" if genmc else "-",
                     f"{wanted / nidhugg / 1000:.1f} k" if nidhugg else "-"])
    bench.table("Exploring real programs: executions, CPU seconds and executions a CPU second",
                ["", "executions", "CPU s", "a second", "target", "memory", "GenMC", "Nidhugg"],
                rows)
    print("\n  targets missed:" if wrong else "\n  all targets met")
    for text in wrong:
        print("    " + text)
