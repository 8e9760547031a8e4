"""Executes a function of a file with Unicorn; what it calls is answered here.

A test that imports this imports it first: with a Python that lacks Unicorn it starts Debian's.
"""
import os
import re
import struct
import subprocess
import sys

try:
    import unicorn
    from unicorn import arm64_const as arm, x86_const as x86
except ImportError:
    system = "/usr/bin/python3"  # which has Debian's packages
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system, *sys.argv])
    print("1..0 # SKIP python3-unicorn is not installed")
    sys.exit(0)


BASE, STACK, STUBS, END = 0x400000, 0x7f0000000000, 0x10000000, 0x20000000
STACK_SIZE = 0x20000
FLAGS = ["-fsanitize=thread", "-fno-plt", "-fPIC", "-shared", "-nostdlib", "-g",
         "-Wl,--unresolved-symbols=ignore-all", "-w"]


class Machine:
    def __init__(self, name):
        self.name = name


X86, ARM = Machine("x86_64"), Machine("aarch64")
X86.make = lambda: unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
X86.arguments = [x86.UC_X86_REG_RDI, x86.UC_X86_REG_RSI, x86.UC_X86_REG_RDX]
X86.kept = [x86.UC_X86_REG_RBX, x86.UC_X86_REG_RBP, x86.UC_X86_REG_R12, x86.UC_X86_REG_R13,
            x86.UC_X86_REG_R14, x86.UC_X86_REG_R15]
X86.lost = [x86.UC_X86_REG_RCX, x86.UC_X86_REG_RDX, x86.UC_X86_REG_RSI, x86.UC_X86_REG_RDI,
            x86.UC_X86_REG_R8, x86.UC_X86_REG_R9, x86.UC_X86_REG_R10, x86.UC_X86_REG_R11]
X86.result, X86.stack, X86.ret = x86.UC_X86_REG_RAX, x86.UC_X86_REG_RSP, b"\xc3"
ARM.make = lambda: unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
ARM.arguments = [arm.UC_ARM64_REG_X0, arm.UC_ARM64_REG_X1, arm.UC_ARM64_REG_X2]
ARM.kept = [getattr(arm, f"UC_ARM64_REG_X{i}") for i in range(19, 30)]
ARM.lost = [getattr(arm, f"UC_ARM64_REG_X{i}") for i in range(1, 19)]
ARM.result, ARM.stack, ARM.ret = (arm.UC_ARM64_REG_X0, arm.UC_ARM64_REG_SP,
                                  bytes.fromhex("c0035fd6"))


class File:
    """What of a file is needed to execute it."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.segments, self.imports, self.symbols = [], {}, {}
        phoff, = struct.unpack_from("<Q", self.data, 32)
        phentsize, phnum = struct.unpack_from("<HH", self.data, 54)
        for i in range(phnum):
            kind, _, offset, address, _, size, memory = struct.unpack_from(
                "<IIQQQQQ", self.data, phoff + i * phentsize)
            if kind == 1:
                self.segments.append((offset, address, size, memory))
        shown = subprocess.run(["readelf", "-rsW", path], text=True, stdout=subprocess.PIPE).stdout
        self.relative = []
        for line in shown.splitlines():
            words = line.split()
            if len(words) >= 4 and words[2].endswith("_RELATIVE"):
                self.relative.append((int(words[0], 16), int(words[3], 16)))
            elif len(words) >= 5 and re.match(r"R_(X86_64|AARCH64)_(GLOB_DAT|JUMP_SLO|ABS64|64)",
                                              words[2]):
                self.imports[int(words[0], 16)] = words[4].split("@")[0]
            elif len(words) == 8 and re.match(r"\d+:", words[0]) and words[6] != "UND":
                self.symbols[words[7].split("@")[0]] = int(words[1], 16)


# What is called comes to `called`, which a run of its own defines.
class Emulated:
    def __init__(self, machine, file):
        self.machine = machine
        self.uc = uc = machine.make()
        uc.mem_map(BASE, 0x200000)
        uc.mem_map(STACK - STACK_SIZE, 2 * STACK_SIZE)
        uc.mem_map(STUBS, 0x10000)
        uc.mem_map(END, 0x1000)
        uc.mem_map(0, 0x1000)  # the thread's own memory, with the guard of the stack
        for offset, address, size, _ in file.segments:
            uc.mem_write(BASE + address, file.data[offset:offset + size])
        for at, value in file.relative:
            uc.mem_write(BASE + at, struct.pack("<Q", BASE + value))
        self.names = {}
        for at, name in file.imports.items():
            to = BASE + file.symbols[name] if name in file.symbols else None
            if to is None:
                to = STUBS + 16 * len(self.names)
                self.names[to] = name
                uc.mem_write(to, machine.ret)
            uc.mem_write(BASE + at, struct.pack("<Q", to))
        uc.hook_add(unicorn.UC_HOOK_CODE, self.called, begin=STUBS, end=STUBS + 0xffff)

    def start(self, at, arguments):
        """None, or the error."""
        uc, machine = self.uc, self.machine
        for i, register in enumerate(machine.kept):
            uc.reg_write(register, 0x1111 * (i + 1))
        for register, value in zip(machine.arguments, arguments):
            uc.reg_write(register, value)
        stack = STACK
        if machine is X86:
            stack -= 8
            uc.mem_write(stack, struct.pack("<Q", END))
        else:
            uc.reg_write(arm.UC_ARM64_REG_X30, END)
            uc.reg_write(arm.UC_ARM64_REG_CPACR_EL1, 3 << 20)
        uc.reg_write(machine.stack, stack)
        try:
            uc.emu_start(at, END, count=200000)
        except unicorn.UcError as error:
            return str(error)
        return None

    def is_at_end(self):
        at = x86.UC_X86_REG_RIP if self.machine is X86 else arm.UC_ARM64_REG_PC
        return self.uc.reg_read(at) == END

    def back(self):
        """In a function that is called: where it returns to, and the caller's stack pointer."""
        stack = self.uc.reg_read(self.machine.stack)
        if self.machine is X86:
            return self.number(stack, 8), stack + 8
        return self.uc.reg_read(arm.UC_ARM64_REG_X30), stack

    def number(self, address, size):
        return int.from_bytes(self.uc.mem_read(address, size), "little")
