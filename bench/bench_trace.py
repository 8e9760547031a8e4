"""Reading, converting and validating traces, in events a CPU second; beside it
what it costs merely to look at the same bytes (wc for text, zstd for binary)."""
import os


def count(bench, trace):
    import json
    import subprocess
    out = subprocess.run([bench.heddle, "info", "--json", trace], check=True, capture_output=True)
    return json.loads(out.stdout)["result"]["events"]


def rate(events, seconds):
    return f"{events / seconds / 1e6:.1f}"


SHAPES = [
    ("bank 8", ["bank", "8", "150000"]),
    ("handover 8", ["handover", "8", "300000"]),
    ("locks 8", ["locks", "8", "8000000", "--locks", "50", "--variables", "1000"]),
    ("grid 8", ["grid", "8", "1200000"]),
]


def run(bench):
    rows = []
    for name, words in SHAPES:
        text, binary = bench.path("t.std"), bench.path("t.htr")
        bench.prepare(bench.heddle, "generate", *words, "-o", text)
        bench.prepare(bench.heddle, "convert", text, binary)
        events = count(bench, binary)
        plain = bench.path("t.zst")
        bench.prepare("zstd", "-q", "-f", "-1", text, "-o", plain)
        commands = [
            [bench.heddle, "validate", text],
            [bench.heddle, "validate", binary],
            [bench.heddle, "convert", "--to=binary", text, "/dev/null"],
            [bench.heddle, "convert", "--to=text", binary, "/dev/null"],
            ["wc", "-l", text],
            ["zstd", "-q", "-d", "-c", plain],
        ]
        best = bench.best(commands)
        cpu = [b[1] for b in best]
        rows.append([name, f"{events / 1e6:.1f}", *(rate(events, c) for c in cpu[:2]),
                     rate(events, best[1][0]), *(rate(events, c) for c in cpu[2:]),
                     f"{os.path.getsize(text) / events:.1f}",
                     f"{os.path.getsize(binary) / events:.2f}"])
    bench.table(
        "traces: million events a CPU second (binary also a second of the clock)",
        ["shape", "M events", "text in", "binary in", "(clock)", "text to binary",
         "binary to text", "wc -l", "zstd -d", "B/event text", "B/event binary"],
        rows)
    memory(bench)


def memory(bench):
    """The whole trace in memory (validate with a witness loads it)."""
    text, binary = bench.path("m.std"), bench.path("m.htr")
    witness = bench.path("w.std")
    bench.prepare(bench.heddle, "generate", "bank", "8", "200000", "-o", text)
    bench.prepare(bench.heddle, "convert", text, binary)
    events = count(bench, binary)
    with open(witness, "w") as out:
        out.write("# heddle witness 1\n# claim: reordering\n")
    rows = []
    for name, path in (("text", text), ("binary", binary)):
        stream = bench.best([[bench.heddle, "validate", path]], 1)[0][2]
        loaded = bench.best([[bench.heddle, "validate", path, witness]], 1)[0][2]
        rows.append([name, f"{events / 1e6:.1f}", f"{stream / 2**20:.1f}",
                     f"{loaded / 2**20:.1f}", f"{loaded / events:.1f}"])
    bench.table("memory: peak, MiB (loaded: 24 bytes an event, 8 more for the checker's pairs)",
                ["format", "M events", "streamed", "loaded", "bytes/event"], rows)
