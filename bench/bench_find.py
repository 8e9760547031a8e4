"""Finding: how long until the first failure of programs that fail rarely.

    make bench find
    bench/run find --seeds 5 --limit 10 --only reorder --workers 2

The programs are those of bench/find, each with a failure that few schedules have; the table below says
which.  Every program is explored by the usual strategies together, by random runs (--random), by random
runs with priorities (--pct=3), and depth first (-a sdpor), with one worker, in turn, with as many seeds
as asked for.  The depth-first search has no seed: it runs once.  Seconds are those of the processors,
tool and program together, with the start of both.  A run that finds nothing within the limit counts as
the limit.

For each the median, and in brackets the worst; `>` where a run found nothing.  The last column is the
median of the strategies together by that of the best of the others: how much it costs not to know which
one to ask.  What is found must be the failure that the program has.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess

TAKES_OPTIONS = True
HERE = pathlib.Path(__file__).resolve().parent / "find"

# Name, source, definitions, the failure, or two of which one is found.  With a `+`: with a tail (find.h).
PROGRAMS = [
    ("reorder 2", "reorder", "-DN=2", "assertion"),
    ("reorder 4", "reorder", "-DN=4", "assertion"),
    ("reorder 7", "reorder", "-DN=7", "assertion"),
    ("reorder 10", "reorder", "-DN=10", "assertion"),
    ("twostage 1", "twostage", "-DN=1", "assertion"),
    ("twostage 8", "twostage", "-DN=8", "assertion"),
    ("steal", "steal", "", "assertion"),
    ("buffer 2", "buffer", "-DN=2", "deadlock"),
    ("buffer 4", "buffer", "-DN=4", "deadlock"),
    ("peterson", "peterson", "", "assertion"),
    ("dekker", "dekker", "", "assertion"),
    ("bakery 2", "bakery", "-DN=2", "assertion"),
    ("bakery 3", "bakery", "-DN=3", "assertion"),
    ("aba", "aba", "", "assertion"),
    ("bank 8", "bank", "-DN=8", "assertion"),
    ("ring", "ring", "", "assertion"),
    ("lazy 3", "lazy", "-DN=3", "assertion"),
    ("counted 3", "counted", "-DN=3", "assertion"),
    ("circle 3", "circle", "-DN=3", "deadlock"),
    ("circle 5", "circle", "-DN=5", "deadlock"),
    ("circle 8", "circle", "-DN=8", "deadlock"),
    ("updates 3", "updates", "-DN=3", "assertion"),
    ("updates 5", "updates", "-DN=5", "assertion"),
    ("updates 8", "updates", "-DN=8", "assertion"),
    ("barrier 3", "barrier", "-DN=3", "deadlock"),
    ("upgrade 4", "upgrade", "-DN=4", "assertion"),
    ("upgrade 6", "upgrade", "-DN=6", "assertion"),
    ("ticket", "ticket", "", "assertion deadlock"),
    ("units 3", "units", "-DN=3", "assertion"),
    ("publish 4", "publish", "-DN=4", "assertion"),
    ("publish 8", "publish", "-DN=8", "assertion"),
    ("fibonacci 4", "fibonacci", "-DN=4", "assertion"),
    ("fibonacci 6", "fibonacci", "-DN=6", "assertion"),
    ("stop 2", "stop", "-DN=2", "assertion"),
    ("sequence", "sequence", "", "assertion"),
    ("waiter 3", "waiter", "-DN=3", "assertion"),
    ("missed", "missed", "", "deadlock"),
    ("long race", "long_race", "", "assertion"),
    ("safestack", "safestack", "", "assertion"),
    ("steal +", "steal", "-DTAIL=10", "assertion"),
    ("buffer 2 +", "buffer", "-DN=2 -DTAIL=10", "deadlock"),
    ("peterson +", "peterson", "-DTAIL=10", "assertion"),
    ("dekker +", "dekker", "-DTAIL=10", "assertion"),
    ("bakery 3 +", "bakery", "-DN=3 -DTAIL=10", "assertion"),
    ("aba +", "aba", "-DTAIL=10", "assertion"),
    ("bank 8 +", "bank", "-DN=8 -DTAIL=10", "assertion"),
    ("lazy 3 +", "lazy", "-DN=3 -DTAIL=10", "assertion"),
    ("counted 3 +", "counted", "-DN=3 -DTAIL=10", "assertion"),
    ("circle 5 +", "circle", "-DN=5 -DTAIL=10", "deadlock"),
    ("updates 5 +", "updates", "-DN=5 -DTAIL=10", "assertion"),
    ("barrier 3 +", "barrier", "-DN=3 -DTAIL=10", "deadlock"),
    ("upgrade 4 +", "upgrade", "-DN=4 -DTAIL=10", "assertion"),
    ("units 3 +", "units", "-DN=3 -DTAIL=10", "assertion"),
    ("publish 5 +", "publish", "-DN=5 -DTAIL=10", "assertion"),
    ("publish 8 +", "publish", "-DN=8 -DTAIL=10", "assertion"),
    ("stop 2 +", "stop", "-DN=2 -DTAIL=10", "assertion"),
    ("sequence +", "sequence", "-DTAIL=10", "assertion"),
    ("waiter 3 +", "waiter", "-DN=3 -DTAIL=10", "assertion"),
]
MANY_RUNS = 10 ** 12
WAYS = [("together", []), ("--random", [f"--random={MANY_RUNS}"]),
        ("--pct", ["--pct=3", f"--random={MANY_RUNS}"]), ("sdpor", ["-a", "sdpor"])]


def once(bench, program, options, limit, failure):
    """CPU seconds until the failure is found, and by what; None: it is not found."""
    before = os.times()
    done = subprocess.run([bench.heddle, "explore", "--json", "--quiet", "--no-race",
                           f"--time={limit}", *options, program], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after = os.times()
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"bench: {program}: {done.stderr}")
    answer = json.loads(done.stdout)
    if answer["complete"] and not answer["findings"]:
        raise SystemExit(f"bench: {program}: no schedule fails, says {options}")
    if not answer["findings"]:
        return None, None
    found = answer["findings"][0]
    if found["rule"] not in failure.split():
        raise SystemExit(f"bench: {program}: {found['rule']}, not {failure}")
    seconds = (after.children_user - before.children_user
               + after.children_system - before.children_system)
    wall = after.elapsed - before.elapsed
    return (seconds, wall), found.get("strategy")


def cell(times, limit):
    """The median and the worst."""
    known = [limit if time is None else time for time in times]
    worst = ">" if None in times else ""
    middle = statistics.median(known)
    first = ">" if middle >= limit else ""
    return f"{first}{middle:.2f} ({worst}{max(known):.2f})", middle


def run(bench):
    parser = argparse.ArgumentParser(prog="bench/run find")
    parser.add_argument("--seeds", type=int, default=20, help="runs of each that has a seed")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one of them")
    parser.add_argument("--only", default="", help="programs whose name has this")
    parser.add_argument("--ways", default="", help="only these, with commas between: together,sdpor")
    parser.add_argument("--workers", type=int, default=1, help="of the strategies together")
    parser.add_argument("--wall", action="store_true", help="seconds by the clock, not of processors")
    options = parser.parse_args(bench.options)
    ways = [way for way in WAYS if not options.ways or way[0] in options.ways.split(",")]
    rows, slow = [], []
    for name, source, flags, failure in PROGRAMS:
        if options.only not in name:
            continue
        program = bench.path(name.replace(" ", "_"))
        bench.prepare(bench.heddle, "cc", "-O1", *flags.split(), f"-I{HERE}", "-o", program,
                      str(HERE / f"{source}.c"))
        times, by = {way: [] for way, _ in ways}, {}
        for seed in range(1, options.seeds + 1):
            for way, words in ways:
                if way == "sdpor" and seed > 1:
                    continue
                words = words + ([] if way == "sdpor" else [f"--seed={seed}"])
                words += [f"-j{options.workers}"] if way == "together" else []
                took, strategy = once(bench, program, words, options.limit, failure)
                times[way].append(took and took[options.wall])
                if way == "together" and strategy:
                    by[strategy] = by.get(strategy, 0) + 1
        cells = [cell(times[way], options.limit) for way, _ in ways]
        others = [middle for (way, _), (_, middle) in zip(ways, cells) if way != "together"]
        together = [middle for (way, _), (_, middle) in zip(ways, cells) if way == "together"]
        ratio = f"{together[0] / min(others):.1f}" if others and together else "-"
        if None in times.get("together", []) or together and together[0] > 2:
            slow.append(name)
        rows.append([name, *[text for text, _ in cells],
                     " ".join(f"{key} {by[key]}" for key in sorted(by)) or "-", ratio])
        print("  " + "  ".join(rows[-1]), flush=True)
    bench.table(f"Seconds to the first failure, {options.seeds} seeds, limit {options.limit:g} s: median "
                "(worst)", ["", *[way for way, _ in ways], "found by", "to the best"], rows)
    print(f"\n  not found within 2 s by the strategies together: {', '.join(slow) or 'none'}")
