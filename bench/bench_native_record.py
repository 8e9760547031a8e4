"""Recording real programs: three kernels (bench/programs), native, under ThreadSanitizer,
Helgrind, DRD, and recorded by heddle, controlled and free-running, all with -O2.

    make bench native
    bench/run native_record --quick --only sort

Seconds are CPU seconds of the tool and the program together, the best of a few runs taken in
turn; wall seconds beside them, which mean little on a loaded machine.  heddle's part ends with
the trace in a file.  Under control threads run one at a time: on two processors ThreadSanitizer's
wall time is out of reach where the program keeps both busy; --free is for that.  What misses a target, slower than ThreadSanitizer or more than 4 bytes an
event, is listed at the end.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess

TAKES_OPTIONS = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "bench" / "programs"

# Slowdowns that were measured once, on another, loaded machine: ThreadSanitizer, Helgrind, DRD.
KERNELS = {"stencil": (33, 175, 34), "table": (18, 800, 490), "sort": (4.2, 9, 7)}


def compile_all(bench, kernel):
    source, flags = str(SOURCES / f"{kernel}.c"), ["-O2", "-g", "-pthread"]
    native, tsan, heddle = (bench.path(f"{kernel}.{kind}") for kind in ("native", "tsan", "heddle"))
    bench.prepare("cc", *flags, source, "-o", native)
    bench.prepare("cc", "-fsanitize=thread", *flags, source, "-o", tsan)
    bench.prepare(bench.heddle, "cc", *flags, source, "-o", heddle)
    return native, tsan, heddle


def events_of(bench, path):
    done = subprocess.run([bench.heddle, "info", "--json", path], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["result"]["events"]


def measure(bench, kernel, options):
    native, tsan, program = compile_all(bench, kernel)
    trace, free = bench.path(f"{kernel}.htr"), bench.path(f"{kernel}.free.htr")
    commands = {"native": [native], "ThreadSanitizer": [tsan]}
    if shutil.which("valgrind") and not options.quick:
        for tool in ("helgrind", "drd"):
            commands[tool] = ["valgrind", "-q", f"--tool={tool}", native]
    commands["heddle"] = [bench.heddle, "record", "-q", "-o", trace, program]
    commands["heddle --no-stacks"] = [bench.heddle, "record", "-q", "--no-stacks", "-o",
                                      bench.path(f"{kernel}.none.htr"), program]
    commands["heddle --free"] = [bench.heddle, "record", "-q", "--free", "-o", free, program]
    fast = ["native", "ThreadSanitizer", "heddle", "heddle --no-stacks", "heddle --free"]
    times = dict(zip(fast, bench.best([commands[name] for name in fast], 3 if options.quick else 9)))
    slow = [name for name in commands if name not in fast]
    times.update(zip(slow, bench.best([commands[name] for name in slow], 1)))
    sizes = {"heddle": (os.path.getsize(trace), events_of(bench, trace)),
             "heddle --free": (os.path.getsize(free), events_of(bench, free))}
    return {name: times[name] for name in commands}, sizes


def report(bench, kernel, times, sizes):
    rows, missed = [], []
    base, peer = times["native"], times["ThreadSanitizer"]
    known = dict(zip(("ThreadSanitizer", "helgrind", "drd"), KERNELS[kernel]))
    for name, (wall, cpu, _) in times.items():
        size, events = sizes.get(name, (0, 0))
        rows.append([name, f"{cpu:.3f}", f"{wall:.3f}", f"{cpu / base[1]:.1f}x" if base[1] >= 0.01 else "-",
                     f"{known[name]}x" if name in known else "",
                     f"{cpu / peer[1]:.2f}", f"{events:,}" if events else "",
                     f"{size / events:.2f}" if events else "",
                     f"{events / cpu / 1e6:.1f}" if events else ""])
    bench.table(f"{kernel}", ["", "CPU s", "wall s", "slowdown", "known", "to TSan", "events",
                              "bytes/event", "M events/s"], rows)
    for name in sizes:
        for what, i in (("CPU", 1), ("wall", 0)):
            if times[name][i] > peer[i]:
                missed.append(f"{kernel}: {name}: {times[name][i] / peer[i]:.2f} times "
                              f"ThreadSanitizer's {what} time")
    for name, (size, events) in sizes.items():
        if size > 4 * events:
            missed.append(f"{kernel}: {name}: {size / events:.2f} bytes an event")
    return missed


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run native_record", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three runs, no valgrind")
    parser.add_argument("--only", help="one kernel", choices=KERNELS)
    options = parser.parse_args(bench.options)
    missed = []
    for kernel in [options.only] if options.only else KERNELS:
        missed += report(bench, kernel, *measure(bench, kernel, options))
    print("\nrecording: all targets met" if not missed else "\nrecording, targets missed:")
    for line in missed:
        print(f"  {line}")
