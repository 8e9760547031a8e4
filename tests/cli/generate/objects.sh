# The states of these families are the objects: as many, and the same ones.
python3 - <<'END'
import itertools, math, subprocess

def states(*family):
    subprocess.run(["heddle", "generate", *map(str, family), "-o", "t.std"], check=True)
    said = subprocess.run(["heddle", "states", "--list", "t.std"], check=True,
                          capture_output=True, text=True).stdout
    return {tuple(map(int, line.split())) for line in said.splitlines()}

wrong = 0
def compare(what, got, wanted):
    global wrong
    if got != wanted:
        wrong += 1
        print(what, "differs:", sorted(got ^ wanted)[:3])

for n in range(1, 7):
    compare(f"subsets {n}", states("subsets", n), set(itertools.product((0, 1), repeat=n)))
    for k in range(1, n):
        got = {frozenset(c + k - i for i, c in enumerate(s)) for s in
               states("subsets", n, "--size", k)}
        compare(f"{k}-subsets {n}", got, set(map(frozenset, itertools.combinations(range(1, n + 1), k))))
for n in range(1, 5):
    for m in range(1, 5):
        wanted = {p for p in itertools.product(range(m + 1), repeat=n)
                  if list(p) == sorted(p, reverse=True)}
        compare(f"partitions {n} {m}", states("partitions", n, m), wanted)
for n in range(2, 6):
    wanted = {tuple(sum(p[j] > p[i] for j in range(i)) for i in range(1, n))
              for p in itertools.permutations(range(n))}
    assert len(wanted) == math.factorial(n)
    compare(f"permutations {n}", states("permutations", n), wanted)
print(wrong, "wrong")
END
heddle generate subsets 30 --size 15 | heddle states - | head -1
heddle generate permutations 20 | heddle states - | head -1
heddle generate subsets 4 --size 4
echo "status $?"
heddle generate permutations 1
echo "status $?"
