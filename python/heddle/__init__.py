"""Ask heddle's questions from Python, through libheddle.

    import heddle
    answer = heddle.explore("./bank", seconds=10)
    for finding in answer.findings:
        print(finding.rule, finding.message)
    print(answer.status, answer.complete)

The module needs only ctypes.  It loads libheddle.so.0, or the file that the environment variable
HEDDLE_LIBRARY names.
"""
import ctypes
import dataclasses
import os
import typing

__all__ = ["Answer", "Error", "Finding", "Place", "Step", "Outcome", "Reason", "Basis", "Test",
           "ask", "check", "deadlock", "detect", "explore", "nondet", "race", "record", "replay",
           "states", "test", "version"]

WHATS = ("race", "deadlock", "nondet", "states", "detect", "explore", "replay", "check", "record",
         "test")
FRAMEWORKS = ("kit", "gtest", "catch2")
ENDS = ("proved", "fails as declared", "fails as known", "failed", "not complete")
FINDS = {"failure": 1, "deadlock": 2, "race": 4, "outcome": 8}
LEVELS = ("note", "warning", "error")
PROOFS = ("unproved", "checked", "seen", "replayed")


class Error(Exception):
    """The question could not be asked: bad input, or not enough memory."""


# ---- The structs of heddle/ask.h ----

class _Error(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


class _Place(ctypes.Structure):
    _fields_ = [("role", ctypes.c_char_p), ("thread", ctypes.c_char_p), ("text", ctypes.c_char_p),
                ("file", ctypes.c_char_p), ("line", ctypes.c_uint32), ("event", ctypes.c_uint32)]


class _Step(ctypes.Structure):
    _fields_ = [("thread", ctypes.c_char_p), ("text", ctypes.c_char_p), ("file", ctypes.c_char_p),
                ("line", ctypes.c_uint32), ("event", ctypes.c_uint32)]


class _Finding(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("rule", ctypes.c_char_p), ("message", ctypes.c_char_p),
                ("variable", ctypes.c_char_p), ("witness", ctypes.c_char_p),
                ("level", ctypes.c_int), ("proof", ctypes.c_int),
                ("fingerprint", ctypes.c_uint64), ("count", ctypes.c_uint64),
                ("places", ctypes.POINTER(_Place)), ("place_count", ctypes.c_size_t),
                ("steps", ctypes.POINTER(_Step)), ("step_count", ctypes.c_size_t)]


_FOUND = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Finding))
_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double)


class _Question(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("what", ctypes.c_int), ("path", ctypes.c_char_p),
                ("arguments", ctypes.POINTER(ctypes.c_char_p)),
                ("argument_count", ctypes.c_size_t), ("predicate", ctypes.c_char_p),
                ("witness", ctypes.c_char_p), ("output", ctypes.c_char_p),
                ("accept", ctypes.c_char_p), ("seconds", ctypes.c_double),
                ("executions", ctypes.c_uint64), ("depth", ctypes.c_uint64),
                ("effort", ctypes.c_uint64), ("memory", ctypes.c_uint64),
                ("seeds", ctypes.c_uint64), ("find", ctypes.c_uint), ("first", ctypes.c_bool),
                ("found", _FOUND), ("progress", _PROGRESS), ("context", ctypes.c_void_p),
                ("threads", ctypes.c_uint), ("seed", ctypes.c_uint64),
                ("filter", ctypes.c_char_p), ("framework", ctypes.c_int),
                ("test_seconds", ctypes.c_double), ("blocks", ctypes.c_uint64)]


class _Reason(ctypes.Structure):
    _fields_ = [("code", ctypes.c_char_p), ("text", ctypes.c_char_p)]


class _Basis(ctypes.Structure):
    _fields_ = [("code", ctypes.c_char_p), ("what", ctypes.c_char_p), ("text", ctypes.c_char_p),
                ("shaky", ctypes.c_bool), ("accepted", ctypes.c_bool)]


class _Outcome(ctypes.Structure):
    _fields_ = [("killed", ctypes.c_bool), ("status", ctypes.c_int), ("output", ctypes.c_char_p),
                ("bytes", ctypes.c_uint64), ("executions", ctypes.c_uint64)]


class _Test(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("end", ctypes.c_int), ("reason", ctypes.c_char_p),
                ("replay", ctypes.c_char_p), ("history", ctypes.c_char_p),
                ("executions", ctypes.c_uint64), ("seconds", ctypes.c_double)]


# ---- What callers see ----

@dataclasses.dataclass(frozen=True)
class Place:
    """One place that a finding speaks of."""
    role: str
    thread: typing.Optional[str]
    text: typing.Optional[str]
    file: typing.Optional[str]
    line: int
    event: int


@dataclasses.dataclass(frozen=True)
class Step:
    """One step of a schedule."""
    thread: typing.Optional[str]
    text: typing.Optional[str]
    file: typing.Optional[str]
    line: int
    event: int


@dataclasses.dataclass(frozen=True)
class Finding:
    """One finding, such as a race or a failed assertion.

    `level` is one of LEVELS and `proof` one of PROOFS.  `witness` is the file of the schedule.
    `fingerprint` stays the same from run to run, and when lines above the finding are added.
    `count` says how often the finding was met.
    """
    rule: str
    message: str
    variable: typing.Optional[str]
    witness: typing.Optional[str]
    level: str
    proof: str
    fingerprint: int
    count: int
    places: typing.Tuple[Place, ...]
    steps: typing.Tuple[Step, ...]


@dataclasses.dataclass(frozen=True)
class Reason:
    """A reason why the search was not complete."""
    code: str
    text: str


@dataclasses.dataclass(frozen=True)
class Basis:
    """An assumption that an answer rests on."""
    code: str
    what: typing.Optional[str]
    text: str
    shaky: bool
    accepted: bool


@dataclasses.dataclass(frozen=True)
class Outcome:
    """A way in which executions of an explored program ended.

    `status` is the exit status, or the signal if `killed` is true.  `output` is the beginning of
    what the program printed, and `bytes` the length of all of it.
    """
    killed: bool
    status: int
    output: str
    bytes: int
    executions: int


@dataclasses.dataclass(frozen=True)
class Test:
    """How one of a program's tests ended.

    `end` is one of ENDS.  `reason` says why it is not proved, `replay` is a command line that shows
    the failure again, and `history` the calls over time, of a test of heddle/linear.h.
    """
    name: str
    end: str
    reason: typing.Optional[str]
    replay: typing.Optional[str]
    history: typing.Optional[str]
    executions: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class Answer:
    """The answer to a question.

    `status` is 1 if something was found.  It is 0 if nothing was found, the search was complete,
    and no assumption is shaky.  It is 3 if nothing was found, but that is no proof.
    """
    status: int
    asked: str
    found: bool
    complete: bool
    reasons: typing.Tuple[Reason, ...]
    rests_on: typing.Tuple[Basis, ...]
    findings: typing.Tuple[Finding, ...]
    figures: typing.Dict[str, float]
    outcomes: typing.Tuple[Outcome, ...]
    messages: typing.Tuple[str, ...]
    seconds: float
    tests: typing.Tuple[Test, ...] = ()


# ---- The library ----

# The lists of an answer: functions heddle_answer_ONE(answer, number) and heddle_answer_MANY(answer).
_LISTS = {
    "reason": ("reasons", ctypes.POINTER(_Reason)),
    "basis": ("bases", ctypes.POINTER(_Basis)),
    "finding": ("findings", ctypes.POINTER(_Finding)),
    "outcome": ("outcomes", ctypes.POINTER(_Outcome)),
    "test": ("tests", ctypes.POINTER(_Test)),
    "message": ("messages", ctypes.c_char_p),
}


def _load():
    library = ctypes.CDLL(os.environ.get("HEDDLE_LIBRARY", "libheddle.so.0"))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    signatures = {
        "heddle_version": (ctypes.c_char_p, []),
        "heddle_ask": (pointer, [ctypes.POINTER(_Question), ctypes.POINTER(_Error)]),
        "heddle_answer_free": (None, [pointer]),
        "heddle_answer_status": (ctypes.c_int, [pointer]),
        "heddle_answer_asked": (ctypes.c_char_p, [pointer]),
        "heddle_answer_found": (ctypes.c_bool, [pointer]),
        "heddle_answer_complete": (ctypes.c_bool, [pointer]),
        "heddle_answer_figure": (ctypes.c_bool, [pointer, ctypes.c_char_p,
                                                 ctypes.POINTER(ctypes.c_double)]),
        "heddle_answer_figure_name": (ctypes.c_char_p, [pointer, size]),
        "heddle_answer_seconds": (ctypes.c_double, [pointer]),
    }
    for one, (many, kind) in _LISTS.items():
        signatures["heddle_answer_" + many] = (size, [pointer])
        signatures["heddle_answer_" + one] = (kind, [pointer, size])
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = None


def _lib():
    global _library
    if _library is None:
        _library = _load()
    return _library


def version():
    """The version of libheddle, as a string."""
    return _lib().heddle_version().decode()


def _text(value):
    return None if value is None else value.decode("utf-8", "replace")


def _bytes(value):
    if value is None:
        return None
    text = os.fsencode(value)
    if b"\0" in text:
        raise ValueError(f"{value!r} has a NUL in it")
    return text


def _words(name, values):
    """A list of texts: one text alone would be taken for its letters."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} takes a list, such as [{values!r}]")
    return list(values)


def _number(name, value, bits=64):
    """ctypes would take the last bits of any number."""
    if value != int(value) or not 0 <= value < 1 << bits:
        raise ValueError(f"{name} takes a number from 0 to {(1 << bits) - 1}, not {value!r}")
    return int(value)


def _seconds(name, value):
    if not value >= 0:
        raise ValueError(f"{name} takes seconds, 0 for no limit, not {value!r}")
    return value


def _one_of(name, value, names):
    if value not in names:
        raise ValueError(f"{name} takes {', '.join(names)}, not {value!r}")
    return value


def _plain(kind, raw, **others):
    """What callers see of a struct: the members of the same names, texts decoded."""
    for field in dataclasses.fields(kind):
        if field.name not in others:
            value = getattr(raw, field.name)
            others[field.name] = _text(value) if isinstance(value, bytes) else value
    return kind(**others)


def _finding(raw):
    return _plain(Finding, raw, level=LEVELS[raw.level], proof=PROOFS[raw.proof],
                  places=tuple(_plain(Place, place) for place in raw.places[:raw.place_count]),
                  steps=tuple(_plain(Step, step) for step in raw.steps[:raw.step_count]))


def _all(library, answer, one, make):
    """A list of the answer, each of it made into what callers see."""
    give = getattr(library, "heddle_answer_" + one)
    count = getattr(library, "heddle_answer_" + _LISTS[one][0])(answer)
    return tuple(make(give(answer, i)) for i in range(count))


def _figures(library, answer):
    figures, value, number = {}, ctypes.c_double(), 0
    while (name := library.heddle_answer_figure_name(answer, number)) is not None:
        library.heddle_answer_figure(answer, name, ctypes.byref(value))
        figures[name.decode()] = value.value
        number += 1
    return figures


def _answer(library, answer):
    return Answer(
        status=library.heddle_answer_status(answer),
        asked=_text(library.heddle_answer_asked(answer)),
        found=library.heddle_answer_found(answer),
        complete=library.heddle_answer_complete(answer),
        reasons=_all(library, answer, "reason", lambda raw: _plain(Reason, raw.contents)),
        rests_on=_all(library, answer, "basis", lambda raw: _plain(Basis, raw.contents)),
        findings=_all(library, answer, "finding", lambda raw: _finding(raw.contents)),
        figures=_figures(library, answer),
        outcomes=_all(library, answer, "outcome", lambda raw: _plain(Outcome, raw.contents)),
        messages=_all(library, answer, "message", _text),
        seconds=library.heddle_answer_seconds(answer),
        tests=_all(library, answer, "test",
                   lambda raw: _plain(Test, raw.contents, end=ENDS[raw.contents.end])))


class _Calls:
    """The callbacks of a question.

    An exception in a callback ends the question, and is raised again after it.
    """

    def __init__(self, found, progress):
        self.raised = None
        self.found = _FOUND(lambda _, raw: self.call(found, lambda: _finding(raw.contents)))
        self.progress = _PROGRESS(lambda _, seconds: self.call(progress, lambda: seconds))

    def call(self, function, make):
        if self.raised:
            return 1
        try:
            return 1 if function and function(make()) else 0
        except BaseException as error:  # pylint: disable=broad-except
            self.raised = error
            return 1


def ask(what, path, arguments=(), *, predicate=None, witness=None, output=None, accept=None,
        seconds=0, executions=0, depth=0, effort=0, memory=0, seeds=0, find=(), first=False,
        found=None, progress=None, threads=0, seed=0, filter=None, framework="kit",
        test_seconds=0, blocks=False):
    """Ask a question and return its Answer.

    what        one of WHATS
    path        the trace, model, program or source
    arguments   arguments of the program
    predicate   for detect; for check, one more thing to ask
    witness     for replay: the file
    output      file for witnesses; for check and test the folder, which must exist; for record
                the trace
    accept      assumptions to accept: "CODE,CODE:WHAT" (`heddle help verdict` lists the codes)
    seconds     limit on time; 0 is no limit, for check 60
    executions  limit on executions of a search
    depth       limit on steps of a thread
    effort      work for one question to the solver, in nanoseconds, approximately
    memory      bytes for states
    seeds       number of runs to start from, or to record
    find        for explore: names from FINDS
    first       for explore: stop at the first failure
    found       called with each Finding as soon as it is known
    progress    called a few times a second with the seconds so far
    threads     for states, detect and explore: threads that share the work; for test: tests that
                are explored at a time
    seed        for record: the first schedule
    filter      for test: names with * and ?
    framework   for test: one of FRAMEWORKS
    test_seconds  for test: limit on the time of each; 0 is 60
    blocks      for race of a trace: ask instead which blocks are not serializable

    If `found` or `progress` returns a true value, the question ends early.
    Raises Error if the question cannot be asked.
    """
    arguments = _words("arguments", arguments)
    wanted = [_one_of("find", name, FINDS) for name in _words("find", find)]
    words = (ctypes.c_char_p * len(arguments))(*[_bytes(word) for word in arguments])
    calls = _Calls(found, progress)
    question = _Question(size=ctypes.sizeof(_Question),
                         what=WHATS.index(_one_of("what", what, WHATS)), path=_bytes(path),
                         arguments=words, argument_count=len(arguments),
                         predicate=_bytes(predicate), witness=_bytes(witness),
                         output=_bytes(output), accept=_bytes(accept),
                         seconds=_seconds("seconds", seconds),
                         executions=_number("executions", executions),
                         depth=_number("depth", depth), effort=_number("effort", effort),
                         memory=_number("memory", memory), seeds=_number("seeds", seeds),
                         find=sum({FINDS[name] for name in wanted}), first=bool(first),
                         found=calls.found, progress=calls.progress,
                         threads=_number("threads", threads, 32), seed=_number("seed", seed),
                         filter=_bytes(filter),
                         framework=FRAMEWORKS.index(_one_of("framework", framework, FRAMEWORKS)),
                         test_seconds=_seconds("test_seconds", test_seconds),
                         blocks=bool(blocks))
    error, library = _Error(), _lib()
    answer = library.heddle_ask(ctypes.byref(question), ctypes.byref(error))
    try:
        if calls.raised:
            raise calls.raised
        if not answer:
            raise Error(_text(error.text))
        return _answer(library, answer)
    finally:
        if answer:
            library.heddle_answer_free(answer)


def race(path, arguments=(), **options):
    """Can two accesses race?  For a trace or a program."""
    return ask("race", path, arguments, **options)


def deadlock(path, arguments=(), **options):
    """Can threads wait for each other for ever?  For a trace or a program."""
    return ask("deadlock", path, arguments, **options)


def nondet(path, **options):
    """Can a read see another write than it did?  For a trace."""
    return ask("nondet", path, **options)


def states(path, **options):
    """How many global states does a trace have?"""
    return ask("states", path, **options)


def detect(path, predicate, **options):
    """Can a predicate become true in a global state?  For a trace."""
    return ask("detect", path, predicate=predicate, **options)


def explore(path, arguments=(), **options):
    """Does any schedule fail?  For a model, a program or a source."""
    return ask("explore", path, arguments, **options)


def replay(path, witness, arguments=(), **options):
    """Does the schedule of a witness show its failure again?"""
    return ask("replay", path, arguments, witness=witness, **options)


def check(path, folder, arguments=(), **options):
    """Ask all questions that apply to the input; traces and witnesses go to the folder."""
    return ask("check", path, arguments, output=folder, **options)


def record(path, output, arguments=(), **options):
    """Record some runs of a program; the traces go to the output."""
    return ask("record", path, arguments, output=output, **options)


def test(path, folder, **options):
    """Explore each test of a program or source; witnesses go to the folder."""
    return ask("test", path, output=folder, **options)
