"""Programs of bench/waits whose threads wait for each other in loops, explored whole.

    make bench native
    bench/run native_waits --only TURNS --seconds 60

For each program: the executions of -a sdpor, the ends that are blocked beside them, the classes by
reads-from (--classes=reads) with its blocked ends, and CPU seconds of both, one run each, without
compiling.  All that an execution needs is that no thread reads too early what it waits for; a
blocked end is a run in which one did.  The programs are described in bench/waits/waits.c.
"""
import argparse
import json
import pathlib
import resource
import subprocess

TAKES_OPTIONS = True
SOURCE = pathlib.Path(__file__).resolve().parent / "waits" / "waits.c"
PROGRAMS = [  # -D, N, ROUNDS
    ("FLAGS", 4, 1), ("FLAGS", 16, 1), ("ALL", 4, 3), ("ALL", 8, 4), ("COUNT", 2, 4),
    ("JOINED", 2, 4), ("PHASES", 3, 3), ("STOPPED", 3, 2), ("STOPPED", 4, 2), ("PLAIN", 3, 2),
    ("PLAIN", 6, 4), ("TURNS", 4, 3), ("TURNS", 8, 8), ("TICKETS", 3, 2), ("TICKETS", 6, 1),
    ("TTAS", 3, 2), ("SENSE", 3, 2), ("SENSE", 4, 1), ("ITEMS", 3, 3), ("LOCKED", 2, 1)]


def explore(bench, program, seconds, *options):
    """Executions and blocked ends as a text, and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([bench.heddle, "explore", "--json", "--stop=never", "--no-race", "-j1",
                           f"--time={seconds}", *options, program], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = json.loads(done.stdout)
    result = answer["result"]
    count = f"{result['executions']:,} + {result['blocked']:,}"
    return (count if answer["verdict"]["complete"] else "over " + count,
            f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f}")


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run native_waits")
    parser.add_argument("--only", default="", help="programs whose name has this")
    parser.add_argument("--seconds", type=int, default=20, help="time for each search")
    options = parser.parse_args(bench.options)
    rows = []
    for name, threads, rounds in PROGRAMS:
        if options.only not in name:
            continue
        program = bench.path(f"{name}_{threads}_{rounds}")
        bench.prepare(bench.heddle, "cc", "-O1", "-w", f"-D{name}", f"-DN={threads}",
                      f"-DROUNDS={rounds}", "-o", program, str(SOURCE))
        rows.append([f"{name} {threads} x {rounds}",
                     *explore(bench, program, options.seconds, "-a", "sdpor"),
                     *explore(bench, program, options.seconds, "--classes=reads")])
    bench.table("Threads that wait in loops: executions + blocked ends, CPU seconds",
                ["", "sdpor", "CPU s", "classes", "CPU s"], rows)
