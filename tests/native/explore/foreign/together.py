"""Many small programs in one, since compiling takes longer than exploring them.

The text of each is kept, with the names at file scope changed by macros; the number of the program
is the first argument of what is made.  Those of C++ are in namespaces of their own instead.
"""
import re

AT_ONCE = 40
INCLUDE = re.compile(r"^\s*#\s*include\s.*\n", re.M)
FEATURES = re.compile(r"^\s*#\s*define _GNU_SOURCE\n", re.M)
# What is declared: a name after a type, a star, a brace or a comma, before what may follow a declarator.
DECLARED = re.compile(r"(?:\w\s+\**|\*\s*|,\s*\**|\}\s*)([A-Za-z_]\w*)\s*(?=\[|=|;|,|\()")
FUNCTION = re.compile(r"^(?:static )?[\w\s]+?[\s*]([A-Za-z_]\w*)\([^;{}]*\)\s*\{", re.M)


def can_be_joined(program):
    return not (program.library or program.flags or program.words or program.alone)


def names_at_file_scope(text):
    """And some others, which does no harm."""
    names = set(FUNCTION.findall(text)) | set(re.findall(r"(?:enum \{|struct(?= \w+ \{)) (\w+)", text))
    depth, outer = 0, ""
    for character in re.sub(r'"(?:\\.|[^"\\])*"', '""', text):
        depth += (character == "{") - (character == "}")
        outer += character if depth == 0 else ""
    return sorted(names | set(DECLARED.findall(outer)))


def join_c(numbered):
    """The text of one program that is all of them."""
    parts, includes, cases = [], [], []
    for number, program in numbered:
        includes += [line for line in INCLUDE.findall(program.text) if line not in includes]
        text = FEATURES.sub("", INCLUDE.sub("", program.text))
        names = names_at_file_scope(text)
        parts += [f"#define {name} {name}_{number}\n" for name in names]
        parts += [text, "\n"]
        parts += [f"#undef {name}\n" for name in names]
        cases.append(f"case {number}: return ((int (*)(int, char **))main_{number})(argc, argv);\n")
    return "".join(["#define _GNU_SOURCE\n", *includes, "#include <stdlib.h>\n", *parts,
                    "int main(int argc, char **argv) { switch (atoi(argv[1])) {\n", *cases, "} }\n"])


def join_cxx(numbered):
    parts, includes, cases = [], [], []
    for number, program in numbered:
        includes += [line for line in INCLUDE.findall(program.text) if line not in includes]
        text = re.sub(r"\bint main\((.*?)\)", r"int run(\1)", INCLUDE.sub("", program.text))
        text = text.rstrip().removesuffix("}") + "return 0; }"  # which main does without saying so
        parts.append(f"namespace n{number} {{\n{text}\n}}\n")
        words = "argc, argv" if "main(int" in program.text else ""
        cases.append(f"case {number}: return n{number}::run({words});\n")
    return "".join([*includes, "#include <cstdlib>\n", *parts,
                    "int main(int argc, char **argv) { switch (std::atoi(argv[1])) {\n", *cases, "} }\n"])


def groups(programs):
    """Lists of (number, program); those that cannot be joined are alone in theirs."""
    waiting = {False: [], True: []}
    for number, program in enumerate(programs, 1):
        if not can_be_joined(program):
            yield [(number, program)]
            continue
        group = waiting[program.cxx]
        group.append((number, program))
        if len(group) == AT_ONCE:
            yield group
            waiting[program.cxx] = []
    yield from (group for group in waiting.values() if group)
