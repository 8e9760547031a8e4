"""Faults of the system: full disks, failing calls, short reads and writes, no memory."""
import errno
import os
import pathlib
import resource
import signal
import subprocess

from fault_tools import Sandbox, Skipped

MODELS = pathlib.Path(__file__).resolve().parents[2] / "examples/models"
MAKE = ["generate", "locks", "4", "1000", "-o", "in.std"]
FAULTS = {  # name: the variable FAULT, what is said
    "full at once": (f"write=0:{errno.ENOSPC}", "No space left on device"),
    "full after 100 bytes": (f"write=100:{errno.ENOSPC}", "No space left on device"),
    "full after 4096 bytes": (f"write=4096:{errno.ENOSPC}", "No space left on device"),
    "quota": (f"write=10:{errno.EDQUOT}", "Disk quota exceeded"),
    "write error": (f"write=64:{errno.EIO}", "Input/output error"),
    "sync error": (f"fsync={errno.EIO}", "Input/output error"),
    "rename error": (f"rename={errno.EACCES}", "Permission denied"),
    "close error": (f"close={errno.EIO}", "Input/output error"),
}
WRITERS = {
    "convert": ["convert", "in.std", "out.std"],
    "generate": ["generate", "locks", "4", "3000", "-o", "out.std"],
    "record": ["record", "-o", "out.htr", "--", "PROGRAM", "long"],
    "explore": ["explore", "-o", "out.std", MODELS / "philosophers.hdm"],
    "view": ["view", "--html=out.html", "in.std"],
}
# Bytes until the disk is full, while check writes its folder: recordings, witnesses, the answer.
CHECKED = (0, 600, 1000, 1500, 3000, 6000, 7000, 8000, 9000, 10000)
# What stands for the compiler: it links, and the linker says what it lacks, or nothing.
LINKERS = {
    "says it": "echo '/usr/bin/ld: final link failed: No space left on device' >&2\n"
               "echo 'collect2: error: ld returned 1 exit status' >&2\n",
    "dies": "echo 'collect2: fatal error: ld terminated with signal 7 [Bus error]' >&2\n",
}
LINKED = {
    "check": ["check", "-o", "out", "a.c"],
    "several": ["check", "-o", "out", "a.c", "b.c"],
    "sv-comp": ["check", "--sv-comp=no-data-race", "-o", "out", "a.c"],
    "explore": ["explore", "a.c"],
}
SHORT = ("record", "explore")  # of these: write less than 4096 bytes
READERS = {
    "info": ["info", "in.std"],
    "convert": ["convert", "in.std", "out.htr"],
    "back": ["convert", "-t", "text", "out.htr", "-"],
    "states": ["states", "in.std"],
    "nondet": ["nondet", "--all", "in.std"],
    "race": ["race", "--all", "in.std"],
    "deadlock": ["deadlock", "in.std"],
    "detect": ["detect", "in.std", "race"],
    "model": ["explore", "--stop=never", MODELS / "philosophers.hdm"],
    "view": ["view", "--html=out.html", "in.std"],
    "record": ["record", "-o", "out.htr", "--", "PROGRAM", "long"],
    "explore": ["explore", "--", "PROGRAM", "deadlock"],
    "check": ["check", "--time=20", "--", "PROGRAM", "deadlock"],
}
POSITIONS = 24  # at which memory ends, for each command


def cases(quick):
    for fault in FAULTS:
        for writer in ("convert", "record") if quick else WRITERS:
            if writer not in SHORT or "4096" not in fault:
                yield "disk", writer, fault
    for size in CHECKED[::5] if quick else CHECKED:
        yield "folder", "check", size
    for linker in LINKERS:
        for command in LINKED:
            yield "linker", command, linker
    for reader in ("convert", "race") if quick else READERS:
        yield "short", reader, "7"
    for reader in ("convert", "record") if quick else READERS:
        for position in range(0, POSITIONS, 8 if quick else 1):
            yield "memory", reader, position
    for limit in ("stack 64", "data 4096", "file 4096", "descriptors 8", "link"):
        yield "limit", "convert", limit
        yield "limit", "record", limit


def title(case):
    return f"{case[0]} {case[1]} {case[2]}"


def words_of(table, name, heddle, program):
    return [heddle] + [program if w == "PROGRAM" else w for w in table[name]]


def prepare(box, heddle):
    if box.run([heddle, *MAKE]) != 0 or \
            box.run([heddle, "convert", "in.std", "out.htr"]) != 0:
        return f"no input: {box.text}"
    return None


def wrong_disk(case, heddle, program, shim):
    _, name, fault = case
    variable, said = FAULTS[fault]
    with Sandbox() as box:
        bad = prepare(box, heddle)
        (box.work / "out.htr").unlink()
        status = box.run(words_of(WRITERS, name, heddle, program), LD_PRELOAD=shim, FAULT=variable)
        bad = bad or box.crash(status) or box.leftovers()
        if not bad and status != 2:
            bad = f"status {status}, not 2"
        if not bad and said not in box.text:
            bad = "the cause is not named"
        if not bad and list(box.work.glob("out.*")):
            bad = "part of the output is there"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None


def wrong_folder(case, heddle, program, shim):
    """What could not be kept is not said to be kept."""
    _, _, size = case
    with Sandbox() as box:
        status = box.run([heddle, "check", "--time=20", "-o", "out", program, "deadlock"],
                         LD_PRELOAD=shim, FAULT=f"write={size}:{errno.ENOSPC}")
        bad = box.crash(status) or box.leftovers()
        # 1 if something was found before the disk was full
        if not bad and status != (1 if " error" in box.text else 2):
            bad = f"status {status}"
        if not bad and "No space left on device" not in box.text:
            bad = "the cause is not named"
        if not bad and "kept in" in box.text:
            bad = "it says that something is kept"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None


def wrong_linker(case, heddle, *_):
    """The disk is named, where the linker does not."""
    _, name, linker = case
    with Sandbox() as box:
        for source in ("a.c", "b.c"):
            (box.work / source).write_text("int main(void) { return 0; }\n" if source == "a.c" else "")
        fake = box.work.parent / "linker"
        fake.write_text('#!/bin/sh\ncase " $* " in *" -E "*|*" -c "*) exec gcc "$@" ;; esac\n' +
                        LINKERS[linker] + "exit 1\n")
        fake.chmod(0o755)
        # A file system of almost nothing, where the program is to be written.
        full = box.work / "full"
        full.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "heddle-fault", full],
                          stderr=subprocess.DEVNULL).returncode:
            return Skipped("no file system can be mounted here")
        try:
            status = box.run([heddle, *(w.replace("out", "full/out") for w in LINKED[name])],
                             HEDDLE_CC=str(fake), CC=str(fake),
                             **({"TMPDIR": str(full)} if name == "explore" else {}))
        finally:
            subprocess.run(["umount", full], check=True)
        bad = box.crash(status)
        if not bad and status != 2:
            bad = f"status {status}, not 2"
        named = ("No space left on device",) if linker == "says it" else ("KiB are left in full/out",) \
            if name != "explore" else ("KiB are left in",)
        if not bad and not any(word in box.text for word in named):
            bad = "the disk is not named"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None


def same(text):
    """Without what differs from run to run."""
    return [line for line in text.splitlines() if "second" not in line and " s)" not in line and
            " s " not in line]


def wrong_short(case, heddle, program, shim):
    _, name, size = case
    with Sandbox() as box:
        bad = prepare(box, heddle)
        words = words_of(READERS, name, heddle, program)
        usual = (box.run(words, LD_PRELOAD=shim), same(box.text))  # which check names
        kept = {p: p.read_bytes() for p in box.work.glob("out.*")}
        status = box.run(words, LD_PRELOAD=shim, FAULT=f"short={size}")
        bad = bad or box.crash(status) or box.leftovers()
        if not bad and (status, same(box.text)) != usual:
            bad = f"another answer, status {status}, not {usual[0]}"
        for path, data in kept.items():
            if not bad and path.suffix != ".html" and name != "record" and path.read_bytes() != data:
                bad = f"{path.name} is another"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None


# The table of libdw ends the process where it cannot grow: nothing is left to clean up with.
ABORTS = "dynamicsizehash_concurrent.c"


def wrong_memory(case, heddle, program, shim):
    """One allocation fails: the command says so and ends, or does without."""
    _, name, position = case
    with Sandbox() as box:
        bad = prepare(box, heddle)
        words = words_of(READERS, name, heddle, program)
        count = box.work.parent / "count"
        usual = box.run(words, LD_PRELOAD=shim, FAULT="memory=0", FAULT_COUNT=str(count))
        if bad or usual is None or not count.exists():
            return bad or f"cannot count: {box.text}"
        number = int(count.read_text())
        # The first ones, where everything begins, then evenly.
        at = position + 1 if position < 6 else number * (position - 5) // (POSITIONS - 5)
        status = box.run(words, LD_PRELOAD=shim, FAULT=f"memory={at}")
        if status == -signal.SIGABRT and ABORTS in box.text:
            return None
        bad = box.crash(status) or box.leftovers()
        if not bad and status not in (usual, 2, 3):
            bad = f"status {status}, usually {usual}"
        if not bad and status == 2 and "memory" not in box.text and "allocate" not in box.text:
            bad = "the cause is not named"
        bad = bad or box.bad_traces(heddle)
        return f"{bad}; allocation {at} of {number}; it said: {box.text[-500:]}" if bad else None


LIMITS = {
    "stack": resource.RLIMIT_STACK, "data": resource.RLIMIT_DATA, "file": resource.RLIMIT_FSIZE,
    "descriptors": resource.RLIMIT_NOFILE,
}
CAUSES = {"stack": ("stack", "memory"), "data": ("memory", "allocate"), "file": ("too large",),
          "descriptors": ("open files",), "link": ("No such file",)}


def wrong_limit(case, heddle, program, _):
    """Works as usual, or says what it lacks."""
    _, name, limit = case
    kind, _, size = limit.partition(" ")
    with Sandbox() as box:
        bad = prepare(box, heddle)
        (box.work / "out.htr").unlink()
        words = words_of(WRITERS, name, heddle, program)
        if kind == "link":
            out = next(w for w in words if str(w).startswith("out."))
            (box.work / out).symlink_to("nowhere/at/all")
        amount = int(size or 0) * (1024 if kind in ("stack", "data") else 1)
        status = box.run(words, limit=(lambda: resource.setrlimit(LIMITS[kind], (amount, amount)))
                         if size else None)
        bad = bad or box.crash(status) or box.leftovers()
        if not bad and status not in ((2,) if kind in ("stack", "link") else (0, 2, 3)):
            bad = f"status {status}"
        if not bad and status and not any(cause in box.text for cause in CAUSES[kind]):
            bad = f"status {status}, and the cause is not named"
        return f"{bad}; it said: {box.text[-500:]}" if bad else None


def wrong(case, heddle, program):
    shim = str(pathlib.Path(program).parent / "shim.so")
    judge = {"disk": wrong_disk, "folder": wrong_folder, "linker": wrong_linker, "short": wrong_short, "memory": wrong_memory,
             "limit": wrong_limit}[case[0]]
    return judge(case, heddle, program, shim)


def make_shim(folder):
    shim = os.path.join(folder, "shim.so")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", shim,
                    pathlib.Path(__file__).resolve().parent / "shim.c", "-ldl"], check=True)
