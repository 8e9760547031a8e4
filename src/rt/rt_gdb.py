"""heddle in gdb: the threads of a program that is replayed.

All threads of the program run on one thread of the system, so gdb sees one that does
everything and some that sleep.  These commands show the program's own:

    heddle threads      each with what it is about to do, and where
    heddle thread N     look at thread N (its number or its name): bt, up, frame, print
                        then mean its stack.  Nothing is changed: the program goes on as
                        it would have.
    heddle step         how far along the schedule the run is

The runtime tells where things are in `heddle_rt_debug` (src/rt/rt_replay.c).
"""
import os
import struct

import gdb
import gdb.unwinder

KINDS = {}  # what a thread may be about to do: number -> words, from HEDDLE_GDB_KINDS
UNIT = os.environ.get("HEDDLE_GDB_UNIT", "step")  # what a schedule consists of
ENDED = 2
FIELDS = ("state_current", "state_wire", "thread_stack_pointer", "thread_wire", "thread_id",
          "wire_state", "wire_creator", "wire_birth", "wire_pending", "wire_name",
          "pending_kind", "pending_address", "pending_code", "steps")
# What the switch left on a stack (src/rt/rt_arch.S), by the debugger's register names.
SAVED = {
    "i386:x86-64": ({"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56},
                    "rsp", 64),
    "aarch64": (dict([("x29", 0), ("pc", 8)] + [(f"x{19 + i}", 16 + 8 * i) for i in range(10)]),
                "sp", 176),
}


def memory(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address):
    return struct.unpack("<Q", memory(address, 8))[0]


def half(address):
    return struct.unpack("<I", memory(address, 4))[0]


class Debug:
    """heddle_rt_debug, read anew: its parts move with the program."""

    def __init__(self):
        base = int(gdb.parse_and_eval("(unsigned long)&heddle_rt_debug"))
        version, self.most = struct.unpack("<II", memory(base, 8))
        if version != 1:
            raise gdb.GdbError("the program does not follow a schedule of heddle's")
        self.threads, self.state = struct.unpack("<QQ", memory(base + 8, 16))
        values = struct.unpack(f"<{len(FIELDS)}I", memory(base + 24, 4 * len(FIELDS)))
        self.at = dict(zip(FIELDS, values))
        self.counts = word(base + 24 + 4 * len(FIELDS))

    def current(self):
        return word(self.state + self.at["state_current"])

    def steps(self):
        return half(self.counts + self.at["steps"])


class Thread:
    def __init__(self, debug, number, address):
        at = debug.at
        self.number = number
        self.address = address
        wire = word(address + at["thread_wire"])
        self.state = half(wire + at["wire_state"])
        self.creator = half(wire + at["wire_creator"])
        self.birth = half(wire + at["wire_birth"])
        pending = wire + at["wire_pending"]
        self.kind = struct.unpack("<H", memory(pending + at["pending_kind"], 2))[0]
        self.object = word(pending + at["pending_address"])
        self.code = word(pending + at["pending_code"])
        self.given = memory(wire + at["wire_name"], 16).split(b"\0")[0].decode("ascii", "replace")
        self.stack = word(address + at["thread_stack_pointer"])
        self.runs = address == debug.current()

    def name(self, threads):
        if self.number == 0:
            return "main"
        return f"{threads[self.creator].name(threads)}.{self.birth}"

    def about(self, threads):
        if self.state == ENDED:
            return "has ended"
        if self.runs and not at_point():
            return "runs"
        text = KINDS.get(self.kind, "passes a point")
        if text in ("create", "join"):
            other = threads.get(self.object)
            return f"{text} {other.name(threads)}" if other else text
        return f"{text} {symbol_at(self.object)}" if self.object else text

    def place(self):
        if not self.code or self.state == ENDED or (self.runs and not at_point()):
            return ""
        found = gdb.find_pc_line(self.code - 1)
        return f"{found.symtab.filename}:{found.line}" if found.symtab else f"{self.code:#x}"


def at_point():
    """Does the thread that runs stand where it would do something next?"""
    gdb_frame = gdb.newest_frame()
    return gdb_frame is not None and gdb_frame.name() == "heddle_rt_stopped"


def symbol_at(address):
    text = gdb.execute(f"info symbol {address:#x}", to_string=True).strip()
    if text.startswith("No symbol"):
        return f"{address:#x}"
    name = text.split(" in section")[0]
    return name.replace(" + ", "+")


def all_threads():
    debug = Debug()
    found = {}
    for number, address in enumerate(struct.unpack(f"<{debug.most}Q",
                                                   memory(debug.threads, 8 * debug.most))):
        if address:
            found[number] = Thread(debug, number, address)
    return found


class Looked(gdb.unwinder.Unwinder):
    """After the innermost frame comes the stack of the thread that is looked at."""

    def __init__(self):
        super().__init__("heddle")
        self.from_stack = None

    def look(self, stack):
        """At the stack with this pointer; None: at what runs."""
        self.from_stack = None
        gdb.invalidate_cached_frames()
        if stack is None:
            return
        frame = gdb.newest_frame()
        self.inner = (int(frame.pc()), int(frame.read_register("sp")))
        self.from_stack = stack
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        if self.from_stack is None:
            return None
        here = (int(pending.read_register("pc")), int(pending.read_register("sp")))
        if here != self.inner:
            return None
        saved, stack_register, size = SAVED[pending.architecture().name()]
        registers = {name: word(self.from_stack + at) for name, at in saved.items()}
        registers[stack_register] = self.from_stack + size
        # gdb takes stacks to grow down from frame to frame: this one lies below the other.
        unwound = pending.create_unwind_info(Frame(self.from_stack - 16, here[0]))
        integer = gdb.lookup_type("unsigned long")
        for name, value in registers.items():
            register_type = pending.read_register(name).type
            unwound.add_saved_register(name, gdb.Value(value).cast(integer).cast(register_type))
        return unwound


class Frame:
    def __init__(self, sp, pc):
        pointer = gdb.lookup_type("void").pointer()
        self.sp = gdb.Value(sp).cast(pointer)
        self.pc = gdb.Value(pc).cast(pointer)


LOOKED = Looked()
gdb.unwinder.register_unwinder(None, LOOKED, replace=True)


def forget(_event):
    LOOKED.from_stack = None


gdb.events.cont.connect(forget)


class Heddle(gdb.Command):
    """heddle: the threads of a program that is replayed."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """The program's threads: what each is about to do, and where it stands."""

    def __init__(self):
        super().__init__("heddle threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_terminal):
        threads = all_threads()
        rows = [(number, thread.name(threads), thread.given, thread.about(threads), thread.place())
                for number, thread in sorted(threads.items())]
        width = max(len(row[1]) for row in rows)
        for number, name, given, about, place in rows:
            marker = "*" if threads[number].runs else " "
            label = f' "{given}"' if given else ""
            where = f" ({place})" if place else ""
            print(f"{marker} {number:3}  {name:{width}}{label}  {about}{where}")


class OneThread(gdb.Command):
    """Looks at a thread of the program, by number or name; the one that runs without one."""

    def __init__(self):
        super().__init__("heddle thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_terminal):
        threads = all_threads()
        wanted = [thread for number, thread in threads.items()
                  if argument in (str(number), thread.name(threads))
                  or (not argument and thread.runs)]
        if not wanted:
            raise gdb.GdbError(f"there is no thread {argument}; see 'heddle threads'")
        thread = wanted[0]
        LOOKED.look(None)
        if thread.state == ENDED:
            raise gdb.GdbError(f"{thread.name(threads)} has ended")
        if not thread.runs:
            LOOKED.look(thread.stack)
        print(f"thread {thread.number} ({thread.name(threads)}): {thread.about(threads)}")
        select_own_frame()


class Step(gdb.Command):
    """How many steps of the schedule have been taken."""

    def __init__(self):
        super().__init__("heddle step", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_terminal):
        print(f"{Debug().steps()} of {os.environ.get('HEDDLE_GDB_STEPS', '?')} {UNIT}s")


def select_own_frame():
    """The innermost frame whose source is there: not the runtime's, nor the C library's."""
    frame = gdb.newest_frame()
    while frame and not has_source(frame):
        frame = frame.older()
    (frame or gdb.newest_frame()).select()
    gdb.execute("frame")


def has_source(frame):
    symtab = frame.find_sal().symtab
    return frame.function() is not None and symtab and os.path.exists(symtab.fullname())


POINT = None


def stopping_place():
    """A breakpoint in the runtime, which is not loaded yet: gdb's message about that is dropped."""
    gdb.execute('python POINT = gdb.Breakpoint("heddle_rt_stopped", internal=True)', to_string=True)
    return POINT


class Start(gdb.Command):
    """Runs the program along the schedule, up to what the witness shows."""

    def __init__(self):
        super().__init__("heddle start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_terminal):
        gdb.execute("set breakpoint pending on", to_string=True)
        gdb.execute("set print thread-events off", to_string=True)
        gdb.execute("handle SIGSYS nostop noprint pass", to_string=True)  # calls that are watched
        for name in ("HEDDLE_GDB_KINDS", "HEDDLE_GDB_STEPS", "HEDDLE_GDB_UNIT"):
            gdb.execute(f"unset environment {name}")
        point = stopping_place()
        point.silent = True
        gdb.execute("run")
        if not gdb.selected_inferior().pid:
            print("heddle: the program ended without stopping")
            return
        print(f"heddle: stopped after {UNIT} {Debug().steps()} of "
              f"{os.environ.get('HEDDLE_GDB_STEPS', '?')}")
        select_own_frame()


for text in os.environ.get("HEDDLE_GDB_KINDS", "").split(";"):
    if ":" in text:
        KINDS[int(text.split(":")[0])] = text.split(":")[1]
for command in (Heddle, Threads, OneThread, Step, Start):
    command()
