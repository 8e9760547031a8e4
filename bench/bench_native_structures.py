"""Locks and structures of bench/structures, explored whole: executions and CPU seconds.

    make bench native
    bench/run native_structures --only treiber --seconds 60

Each program has three or four threads.  GenMC beside it, with --sc, if it is installed, and without
its race detection, which stops at some of the locks; executions that it counts as blocked come
after a plus.  CPU seconds are those of all processes, the best of a
few runs; compiling is not counted for heddle, and cannot be left out for GenMC.  Lines that begin
with `targets missed` name what has more executions than GenMC, or takes longer.
"""
import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess

TAKES_OPTIONS = True
SOURCES = pathlib.Path(__file__).resolve().parent / "structures"
STRUCTURES = ["ttas", "spin", "exchange", "ticket", "mcs", "twa", "seqlock", "rwlock", "treiber",
              "queue", "deque", "mpmc"]
ROUNDS, SHORT = 3, 1.0


def cpu_of(command, seconds):
    """Output and CPU seconds; None if it took too long."""
    least, out = None, None
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            out = subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
        except subprocess.TimeoutExpired:
            return None, None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = cpu if least is None else min(least, cpu)
        if cpu > SHORT:
            break
    return out, least


def explore(bench, source, threads, seconds):
    program = bench.path(f"{source.stem}_{threads}")
    bench.prepare(bench.heddle, "cc", "-O2", f"-DN={threads}", "-o", program, str(source))
    out, cpu = cpu_of([bench.heddle, "explore", "--json", "--stop=never", "--threads=1",
                       f"--time={seconds}", program], 2 * seconds)
    answer = json.loads(out)
    complete = answer["verdict"]["complete"]
    return answer["result"]["executions"], cpu, complete


def ask_genmc(source, threads, seconds):
    out, cpu = cpu_of(["genmc", "--sc", "--disable-estimation", "--disable-race-detection", "--",
                       f"-DN={threads}", str(source)], seconds)
    if out is None:
        return None, None, None
    whole = re.search(r"complete executions explored: (\d+)", out)
    blocked = re.search(r"blocked executions seen: (\d+)", out)
    if not whole:
        return None, None, None
    return int(whole[1]), int(blocked[1]) if blocked else 0, cpu


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run native_structures")
    parser.add_argument("--only", default="", help="programs whose name has this")
    parser.add_argument("--seconds", type=int, default=20, help="time for each search")
    options = parser.parse_args(bench.options)
    beside = shutil.which("genmc") is not None
    rows, missed = [], []
    for name in STRUCTURES:
        for threads in (3, 4):
            if options.only not in name:
                continue
            source = SOURCES / f"{name}.c"
            count, cpu, complete = explore(bench, source, threads, options.seconds)
            row = [f"{name} {threads}", f"{count:,}" if complete else f"over {count:,}",
                   f"{cpu:.2f}"]
            whole, blocked, seconds = (ask_genmc(source, threads, 3 * options.seconds)
                                       if beside else (None, None, None))
            if whole is not None:
                row += [f"{whole:,} + {blocked:,}", f"{seconds:.2f}", f"{seconds / cpu:.1f}"]
                if not complete or count > whole:
                    missed.append(f"{name} {threads}: {row[1]} executions, GenMC {whole:,}")
                if cpu > seconds:
                    missed.append(f"{name} {threads}: {cpu:.2f} s, GenMC {seconds:.2f}")
            else:
                row += ["-", "-", "-"]
            rows.append(row)
    bench.table("Locks and structures: executions and CPU seconds",
                ["", "executions", "CPU s", "GenMC", "CPU s", "ratio"], rows)
    print("\n  targets missed:" if missed else "\n  all targets met" if beside else
          "\n  GenMC is not installed: nothing to compare with")
    for text in missed:
        print("    " + text)
