"""What the cases of tests/fault/run share: a folder of its own for heddle, and what it leaves there."""
import ctypes
import os
import pathlib
import signal
import subprocess
import tempfile
import time

SIGNALS = {"INT": 2, "TERM": 15, "HUP": 1, "QUIT": 3, "KILL": 9}
PR_SET_CHILD_SUBREAPER = 36
SOON = 30


class Skipped(str):
    """Why a case cannot be judged here."""


def usual_signals():
    for number in (1, 2, 3, 15):
        signal.signal(number, signal.SIG_DFL)


def children():
    """Processes that have become ours."""
    text = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return [int(word) for word in text.split()]


def reap_left():
    """The processes that are still running a second later, by their words; ends them."""
    left = []
    for _ in range(50):
        time.sleep(0.02)
        for child in children():
            try:
                os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                pass
        if not children():
            return []
    while children():
        for child in children():
            try:
                name = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ")
                left.append(name.decode(errors="replace").strip())
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            except (ProcessLookupError, ChildProcessError, FileNotFoundError):
                pass
    return left


def _waited(pid):
    """Seconds that the process was ready to run and had no processor; 0 if not known."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) * 1e-9
    except (OSError, IndexError, ValueError):
        return 0.0


def slowness():
    """How much longer than alone something takes now, about."""
    return max(1.0, os.getloadavg()[0] / os.cpu_count())


def let_run(process, seconds, most=20):
    """Lets it run so long, not counting the time that others had the processors; whether it still
    runs then."""
    begun = time.monotonic()
    while process.poll() is None:
        passed = time.monotonic() - begun
        if passed >= most or passed - _waited(process.pid) >= seconds:
            return True
        time.sleep(0.01)
    return False


def is_pending(pid, number):
    """Whether the signal was sent to the process, and not yet taken."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            masks = [line.split()[1] for line in file if line.startswith(("SigPnd:", "ShdPnd:"))]
    except OSError:
        return False
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


class Sandbox:
    """A folder to work in, one for temporary files, and a process that becomes the parent of all
    that is left running."""

    def __init__(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.top = tempfile.TemporaryDirectory(prefix="fault-")
        self.work = pathlib.Path(self.top.name) / "work"
        self.tmp = pathlib.Path(self.top.name) / "tmp"
        self.work.mkdir()
        self.tmp.mkdir()
        self.text = ""
        self.left = []

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.top.cleanup()

    def run(self, words, act=None, limit=None, stdin=subprocess.DEVNULL, **environment):
        """The exit status, None if it does not end; then self.text has what it said.  act(process)
        is called while it runs, limit() in the child before it becomes heddle."""
        def prepare():
            usual_signals()
            if limit:
                limit()
        with open(self.tmp.parent / "said", "w+", encoding="utf-8", errors="replace") as said:
            process = subprocess.Popen(words, cwd=self.work, stdin=stdin, stdout=said, stderr=said,
                                       start_new_session=True, preexec_fn=prepare,
                                       env={**os.environ, "TMPDIR": str(self.tmp), **environment})
            if act:
                act(process)
            try:
                status = process.wait(SOON * slowness())
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                status = None
            self.left = reap_left()
            said.seek(0)
            self.text = said.read()
        return status

    def leftovers(self):
        """Why the place is not clean, None if it is."""
        if self.left:
            return f"left running: {self.left}"
        files = [str(p.relative_to(folder)) for folder in (self.work, self.tmp)
                 for p in folder.rglob("*") if ".tmp" in p.name or p.name.startswith("heddle-")]
        return f"left behind: {files}" if files else None

    def crash(self, status):
        if status is None:
            return "it does not end"
        if "Sanitizer" in self.text or "runtime error" in self.text:
            return self.text[-2000:]
        return None

    def bad_traces(self, heddle):
        for trace in sorted(self.work.rglob("*.htr")):
            result = subprocess.run([heddle, "validate", trace], capture_output=True, text=True,
                                    check=False)
            if result.returncode != 0:
                return f"{trace.name}: validate: {result.returncode}: {result.stdout}{result.stderr}"
        return None
