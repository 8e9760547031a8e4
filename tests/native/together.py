"""Many small programs in one, since compiling takes longer than exploring them.

The text of each is kept, with the names at file scope changed by macros; the number of the program
is the first argument of what is made, and is not among the arguments that the program gets.  Those
of C++ are in namespaces of their own instead.  main must be the last function.
"""
import re

AT_ONCE = 40
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\s.*\n", re.M)
OWN = re.compile(r'^[ \t]*#[ \t]*include "([^"]+)".*\n', re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
FEATURES = re.compile(r"^\s*#\s*define _GNU_SOURCE.*\n", re.M)
# What is declared: a name after a type, a star, a brace or a comma, before what may follow a declarator.
DECLARED = re.compile(r"(?:\w\s+\**|\*\s*|,\s*\**|\}\s*)([A-Za-z_]\w*)\s*(?=\[|=|;|,|\()")
FUNCTION = re.compile(r"^\w[\w\s]*?[\s*]([A-Za-z_]\w*)\([^;{}]*\)\s*\{", re.M)
KEYWORDS = set("void int char long short unsigned signed float double const volatile static extern struct "
               "union enum return if for while sizeof __attribute__ _Atomic _Alignas asm __asm__".split())
TAG = re.compile(r"\b(?:enum|struct|union)\s+(\w+)\s*\{")
# What is not compiled with other programs: lists of arguments, structures by value and functions in
# functions, for what the compiler does not announce is said of the whole file; what runs before
# main; functions that the runtime has and no header; and programs with a comment "Alone: REASON".
ALONE = re.compile(r"\b(va_list|__builtin_setjmp|union sigval|sigevent|aiocb|div_t|ENTRY|constructor)\b|__attribute__\(\(destructor"
                   r"|\b__VERIFIER_|\bAlone: |^ +void \*\w+\(void \*\w+\) \{", re.M)
LIST = re.compile(r"\benum\b[^{};()]*\{([^}]*)\}")


class Part:
    """One of the programs: its number, its text, and what is defined for it (words after -D)."""

    def __init__(self, number, text, defined=()):
        self.number, self.defined = number, defined
        self.includes = INCLUDE.findall(text)
        self.argc = re.search(r"\bmain\(int", text) is not None
        self.text = FEATURES.sub("", INCLUDE.sub("", text))
        self.macros = sorted({*DEFINE.findall(self.text), *(word.partition("=")[0] for word in defined)})

    def wrapped(self, text):
        before = [f"#define {' '.join(word.partition('=')[::2])}\n" for word in self.defined]
        return [*before, text, "\n", *(f"#undef {name}\n" for name in self.macros)]


def with_own_headers(text, folder):
    """The text with the headers of its folder in it, each once."""
    seen = set()

    def expand(text):
        def header(match):
            path = folder / match[1]
            if not path.exists():
                return match[0]
            first = path not in seen
            seen.add(path)
            return expand(path.read_text()) if first else ""
        return OWN.sub(header, text)

    return expand(text)


def names_at_file_scope(text):
    """And some others, which does no harm."""
    plain = re.sub(r"/\*.*?\*/|//[^\n]*", " ", re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text), flags=re.S)
    plain = DIRECTIVE.sub("", plain)
    names = set(FUNCTION.findall(plain)) | set(TAG.findall(plain))
    for items in LIST.findall(plain):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", items))
    depth, outer = 0, ""
    for character in plain:
        depth += (character == "{") - (character == "}")
        outer += character if depth == 0 else ""
    return sorted((names | set(DECLARED.findall(outer))) - KEYWORDS)


def returns(text):
    """The text with what main does without saying so; other functions do not."""
    return text.rstrip().removesuffix("}") + "return 0; }"


def ends_with_main(text):
    names = FUNCTION.findall(re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text))
    return bool(names) and names[-1] == "main" and text.rstrip().endswith("}")


def can_be_joined(text):
    """Whether the text of a program may be one of many; names that it defines for headers are not known
    to the others."""
    before = text.split("#include", 1)[0]
    return (not ALONE.search(text) and ends_with_main(text)
            and not re.search(r"#\s*define (?!_GNU_SOURCE)", before))


def all_includes(parts):
    return list(dict.fromkeys(line for part in parts for line in part.includes))


def join_c(parts):
    """The text of one program that is all of them."""
    lines, cases = [], []
    for part in parts:
        names = names_at_file_scope(part.text)
        lines += [f"#define {name} {name}_{part.number}\n" for name in names if name not in part.macros]
        lines += part.wrapped(returns(part.text))
        lines += [f"#undef {name}\n" for name in names]
        cases.append(f"case {part.number}: return ((int (*)(int, char **))main_{part.number})"
                     "(argc - 1, argv + 1);\n")
    return "".join(["#define _GNU_SOURCE\n", *all_includes(parts), "#include <stdlib.h>\n", *lines,
                    "int main(int argc, char **argv) { switch (atoi(argv[1])) {\n", *cases, "} }\n"])


def join_cxx(parts):
    lines, cases = [], []
    for part in parts:
        text = re.sub(r"\bint main\((.*?)\)", r"int run(\1)", part.text)
        lines += part.wrapped(f"namespace n{part.number} {{\n{returns(text)}\n}}\n")
        words = "argc - 1, argv + 1" if part.argc else ""
        cases.append(f"case {part.number}: return n{part.number}::run({words});\n")
    return "".join([*all_includes(parts), "#include <cstdlib>\n", *lines,
                    "int main(int argc, char **argv) { switch (std::atoi(argv[1])) {\n", *cases, "} }\n"])


def join(parts, cxx):
    return join_cxx(parts) if cxx else join_c(parts)


def in_groups(items):
    """Lists of at most AT_ONCE of them, of about the same length."""
    count = -(-len(items) // AT_ONCE)
    return [items[i::count] for i in range(count)]
